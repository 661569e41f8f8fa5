// Shows boards of mei-goban and vue-goban: `show(name, stones, options)` draws one into #at.
// `stones` are [row, column, "X" or "O"]; options: size, side, last ([row, column] or null), labels.
// Bundled and called by go_pages.py.
import Goban from "mei-goban";
import { createApp, h } from "vue";
import { ControlPanel, Goban as VueGoban, GameInfo, useGoGame } from "@karabella/vue-goban";

const small = (number) => String.fromCharCode(97 + number);

const SHOW = {
  "mei-goban"(at, stones, { size, side }) {
    const board = new Goban({ size, width: side, height: side });
    for (const [row, column, text] of stones) board.putStone(row, column, text === "X" ? "black" : "white");
    at.append(board.el);
  },
  "vue-goban"(at, stones, { size, side, last, labels }) {
    const list = (key, wanted) => {
      const points = stones.filter((stone) => stone[2] === wanted).map(([row, column]) => `[${small(column)}${small(row)}]`);
      return points.length ? key + points.join("") : "";
    };
    const mark = last ? `${["CR", "TR", "SQ", "MA"][size % 4]}[${small(last[1])}${small(last[0])}]` : "";
    useGoGame().loadSGF(`(;GM[1]FF[4]SZ[${size}]${list("AB", "X")}${list("AW", "O")}${mark})`);
    const board = h("div", { style: `width:${side}px` }, h(VueGoban, { show_coordinates: labels }));
    const beside = h("div", {}, labels ? [h(GameInfo), h(ControlPanel)] : []);
    createApp({ render: () => h("div", { style: "display:flex;gap:16px" }, [board, beside]) }).mount(at);
  },
};

window.show = (name, stones, options) => SHOW[name](document.getElementById("at"), stones, options);
