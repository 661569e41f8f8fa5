// Shows boards of svgoban and gobo: `show(name, stones, options)` draws one into #at.
// `stones` are [row, column, "X" or "O"]; options: size, look, side, last ([row, column] or null), labels.
// Bundled and called by go_pages.py; gobo is loaded before it.
import * as svgoban from "svgoban";

const LETTERS = "ABCDEFGHJKLMNOPQRST";
const SHOW = {
  svgoban(at, stones, { size, look, side, last, labels }) {
    const named = ([row, column]) => LETTERS[column] + (size - row);
    const placed = Object.fromEntries(stones.map(([row, column, text]) =>
      [named([row, column]), text === "X" ? "black" : "white"]));
    const marks = last ? { [named(last)]: ["circle", "square", "triangle", "cross"][size % 4] } : {};
    at.style.width = at.style.height = side + "px";
    at.innerHTML = svgoban.serialize({ size, theme: look, hideMargin: !labels }, placed, marks);
  },
  gobo(at, stones, { size, look, side, last, labels }) {
    const board = new window.gobo.Gobo({ gobanSize: size, widthPx: side, noCoords: !labels, patternSeed: 0.3,
      isSketch: look === "sketch", simpleStones: look === "simple",
      background: { sketch: "#dcb", pale: "#ea8" }[look] || "wood" });
    for (const [row, column, text] of stones) board.setStoneAt(column, size - 1 - row, text === "X" ? 0 : 1);
    if (last) board.setMarkAt(last[1], size - 1 - last[0], size % 2 ? "O:5" : "[]:5");
    board.render();
    at.append(board.canvas);
  },
};

window.show = (name, stones, options) => SHOW[name](document.getElementById("at"), stones, options);
