// Shows Go boards of eight packages in many themes: `show(name, cells, options)` draws one into #at.
// `cells` are rows of "X", "O" and ""; options: theme, last ([row, column] of the last move, or null), labels, side.
// Bundled and called by go_pages.py.
import React from "react";
import ReactDOM from "react-dom";
import godash from "godash";
import * as shudan from "@sabaki/shudan";
import { h, render } from "preact";
import * as goban from "goban";
import { Goban as SvgGoban } from "react-goban";
import { Goban as LineGoban } from "react-go-board";
import { BadukBoard, Piece } from "react-baduk";
import * as wgo from "wgo";

const LETTERS = "ABCDEFGHJKLMNOPQRST";
const small = (number) => String.fromCharCode(97 + number);
const stones = (cells) =>
  cells.flatMap((row, y) => row.flatMap((text, x) => (text ? [{ x, y, black: text === "X" }] : [])));
const named = ({ x, y }, size) => LETTERS[x] + (size - y);
const element = (html) => {
  const at = document.getElementById("at");
  at.innerHTML = html;
  return at.firstElementChild;
};

const BOARDS = {
  besogo(cells, { theme, last, side }) {
    const of = (black) => stones(cells).filter((stone) => stone.black === black).map((s) => `[${small(s.x)}${small(s.y)}]`);
    const list = (key, points) => (points.length ? key + points.join("") : "");
    const mark = last ? `CR[${small(last[1])}${small(last[0])}]` : "";
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = `/besogo/css/board-${theme}.css`;
    document.head.append(link);
    element(`<div class="besogo-viewer" style="width:${side + 200}px;height:${side}px" resize="fixed">(;GM[1]FF[4]SZ[${
      cells.length}]${list("AB", of(true))}${list("AW", of(false))}${mark})</div>`);
    window.besogo.autoInit();
  },
  shudan(cells, { theme, last, labels, side }) {
    const markerMap = cells.map((row) => row.map(() => null));
    if (last) markerMap[last[0]][last[1]] = { type: theme };
    const signMap = cells.map((row) => row.map((text) => (text === "X" ? 1 : text === "O" ? -1 : 0)));
    render(h(shudan.Goban, { vertexSize: Math.floor(side / (cells.length + 2)), signMap, markerMap, showCoordinates: labels,
      fuzzyStonePlacement: labels }), element("<div></div>"));
  },
  goban(cells, { theme, last, labels, side }) {
    const [board, black, white] = theme.split("/");
    const of = (dark) => stones(cells).filter((s) => s.black === dark).map((s) => small(s.x) + small(s.y)).join("");
    goban.setGobanRenderer("svg");
    goban.setGobanCallbacks({ getSelectedThemes: () => ({ board, black, white, "removal-graphic": "x", "removal-scale": 1 }),
      watchSelectedThemes: () => ({ remove() {} }), getCDNReleaseBase: () => "", getCoordinateDisplaySystem: () => "A1" });
    const size = cells.length;
    const shown = goban.createGoban({ board_div: element("<div></div>"), width: size, height: size, interactive: false,
      mode: "puzzle", square_size: Math.floor(side / (size + (labels ? 2 : 0))), draw_top_labels: labels,
      draw_left_labels: labels, draw_right_labels: labels, draw_bottom_labels: labels,
      initial_state: { black: of(true), white: of(false) } });
    if (last) shown.setMarkByPrettyCoordinates(named({ x: last[1], y: last[0] }, size), "circle", true);
    shown.redraw(true);
  },
  "react-goban"(cells, { theme, last, side }) {
    const size = cells.length;
    const placed = Object.fromEntries(stones(cells).map((s) => [named(s, size), s.black ? "black" : "white"]));
    const markers = last ? { [named({ x: last[1], y: last[0] }, size)]: "circle" } : {};
    ReactDOM.render(React.createElement(SvgGoban, { size, theme, stones: placed, markers, nextToPlay: "black" }),
      element(`<div style="width:${side}px;height:${side}px"></div>`));
  },
  "react-go-board"(cells, { theme, last, labels, side }) {
    let board = new godash.Board(cells.length);
    for (const s of stones(cells))
      board = godash.placeStone(board, new godash.Coordinate(s.x, s.y), s.black ? godash.BLACK : godash.WHITE, true);
    const annotations = last ? [new godash.Coordinate(last[1], last[0])] : [];
    ReactDOM.render(React.createElement(LineGoban, { board, annotations, boardColor: theme,
      options: { showCoordinates: labels, stonePadding: labels ? 4 : 2 } }), element(`<div style="width:${side}px"></div>`));
  },
  "react-baduk"(cells, { theme, side }) {
    const style = `<style>.table{background:rgb(221,180,84);display:inline-block}.board{margin:45px 45px 30px 30px}
      .board svg{overflow:visible;width:${side}px;height:${side}px}.board svg rect{fill:rgba(255,255,255,.08)}
      .board svg line{stroke:rgba(0,0,0,.8);stroke-width:.05;stroke-linecap:square}.label{text-transform:uppercase;
      font-size:.8px;font-weight:bold;font-family:sans-serif}.piece.black{fill:black}.piece.white{fill:white}
      .piece-target{opacity:0}</style>`; // as the package's own example
    const pieces = stones(cells).map((s, key) =>
      React.createElement(Piece, { key, x: cells.length - 1 - s.x, y: s.y, color: s.black ? "black" : "white" }));
    ReactDOM.render(React.createElement(BadukBoard, { size: cells.length, labelStyle: theme }, pieces),
      element(`<div>${style}<div></div></div>`).lastElementChild);
  },
  wgo(cells, { theme, last, labels, side }) {
    const { GlassStoneBlack, GlassStoneWhite, ModernStoneBlack, ModernStoneWhite, SimpleStone } = wgo.svgDrawHandlers;
    const drawHandlers = {
      glass: () => ({ B: new GlassStoneBlack(), W: new GlassStoneWhite() }),
      modern: () => ({ B: new ModernStoneBlack(), W: new ModernStoneWhite() }),
      simple: () => ({ B: new SimpleStone("black"), W: new SimpleStone("white") }),
    }[theme]();
    const board = new wgo.SVGBoard(element("<div></div>"), { size: cells.length, width: side, coordinates: labels,
      theme: { drawHandlers } });
    for (const s of stones(cells)) board.addObject(new wgo.FieldBoardObject(s.black ? "B" : "W", s.x, s.y));
    if (last) board.addObject(new wgo.MarkupBoardObject(theme === "glass" ? "CR" : "SQ", last[1], last[0],
      cells[last[0]][last[1]] === "X" ? wgo.Color.BLACK : wgo.Color.WHITE));
  },
  "go-board"(cells, { last, labels, side }) {
    const size = cells.length;
    const inside = stones(cells).map((s) => `<go-stone color="${s.black ? "black" : "white"}" slot="${named(s, size)}">${
      last && s.x === last[1] && s.y === last[0] ? "<go-marker>&#9675;</go-marker>" : ""}</go-stone>`);
    element(`<div style="width:${side}px;height:${side}px"><go-board ${labels ? "coords" : ""} readonly novalidate
      disablelastmarker size="${size}">${inside.join("")}</go-board></div>`);
  },
};

window.show = (name, cells, options) => BOARDS[name](cells, options);
