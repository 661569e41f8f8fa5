// The browser's half of the board: shows the picture it is given, answers every touch at once, reports moves.
// The picture is SVG from the server; a second SVG over it holds what only this visitor sees (ghosts, selection), and a
// grid of invisible cells over both serves the keyboard and screen readers.
const SVG = "http://www.w3.org/2000/svg";
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export default {
  template: `
    <div class="board" :class="{ 'board--active': active, 'board--zoomed': zoomed, 'board--edit': edit }">
      <div class="board__window">
        <div class="board__frame" ref="frame" @pointerdown="press" @pointermove="move" @pointerup="release"
             @pointerleave="leave" @pointercancel="cancel" @keydown="key"
             :style="{ touchAction: sources.size || edit === 'swap' ? 'none' : 'manipulation' }">
          <div class="board__picture bare" ref="picture" aria-hidden="true"></div>
          <svg class="board__ghosts" ref="ghosts" aria-hidden="true"></svg>
          <div class="board__grid" role="grid" :aria-label="label" :aria-rowcount="rows" :aria-colcount="columns"
               :style="gridStyle">
            <div v-for="row in rows" :key="row" role="row" class="board__row">
              <div v-for="column in columns" :key="column" role="gridcell" class="board__cell"
                   :data-square="(row - 1) * columns + column - 1"
                   :tabindex="cursor === (row - 1) * columns + column - 1 ? 0 : -1"
                   :aria-label="spoken((row - 1) * columns + column - 1)"
                   :aria-selected="selected === (row - 1) * columns + column - 1 ? 'true' : 'false'"></div>
            </div>
          </div>
        </div>
      </div>
      <div class="board__tools">
        <div v-if="pending" class="board__confirm" role="group">
          <button type="button" class="board__yes" @click="commit(pending)">{{ texts.confirm }} {{ pending[0] }}</button>
          <button type="button" @click="takeBack">{{ texts.cancel }}</button>
        </div>
        <button v-if="isLarge" type="button" class="board__zoom" @click="zoomed = !zoomed"
                :aria-label="zoomed ? texts.zoom_out : texts.zoom_in">{{ zoomed ? "−" : "+" }}</button>
      </div>
    </div>`,
  emits: ["move", "square", "swap"],
  props: {
    picture: { type: String, default: "" },
    columns: Number,
    rows: Number,
    names: { type: Array, default: () => [] },
    cells: { type: Array, default: () => [] },
    words: Object,
    moves: { type: Array, default: () => [] },
    last: { type: Array, default: () => [] },
    ghost: { type: String, default: "" },
    pieces: Object,
    active: Boolean,
    ply: { type: Number, default: 0 },
    edit: { type: String, default: "" },
    confirm: Boolean,
    sound: Boolean,
    label: String,
    texts: Object,
  },
  data() {
    return { cursor: 0, selected: null, pending: null, zoomed: false, gridStyle: {}, held: null };
  },
  computed: {
    // Too large for a finger on a phone: such boards can be enlarged, and a touch asks before it plays.
    isLarge() {
      return this.columns > 12;
    },
    // Square -> the moves that end there, and the squares that moves of two squares start from.
    targets() {
      const found = new Map();
      for (const move of this.moves) {
        const square = move[1][move[1].length - 1];
        if (square !== undefined) found.set(square, [...(found.get(square) || []), move]);
      }
      return found;
    },
    sources() {
      return new Set(this.moves.filter((move) => move[1].length > 1).map((move) => move[1][0]));
    },
  },
  watch: {
    picture() {
      this.show();
    },
    cells(now, before) {
      if (this.sound && before.length && now.some((cell, square) => cell !== before[square])) this.tick();
    },
  },
  mounted() {
    this.cursor = Math.floor((this.rows * this.columns) / 2);
    this.show();
  },
  methods: {
    show() {
      const [, left, top, cell] = /data-left="(\d+)" data-top="(\d+)" data-cell="(\d+)"/.exec(this.picture) || [];
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(this.picture) || [];
      if (!cell) return;
      this.geometry = { left: +left, top: +top, cell: +cell, width: +width, height: +height };
      this.$refs.picture.innerHTML = this.picture;
      this.$refs.ghosts.setAttribute("viewBox", `0 0 ${width} ${height}`);
      const share = (value, whole) => `${(100 * value) / whole}%`;
      this.gridStyle = {
        left: share(left, width),
        top: share(top, height),
        width: share(cell * this.columns, width),
        height: share(cell * this.rows, height),
        gridTemplate: `repeat(${this.rows}, 1fr) / repeat(${this.columns}, 1fr)`,
      };
      this.pending = null;
      if (this.held && this.edit) return;
      this.held = null;
      this.selected = null;
      this.paint();
    },
    spoken(square) {
      const cell = this.cells[square];
      const parts = [this.names[square], cell ? this.words[cell] : this.texts.empty];
      if (this.sources.has(square)) parts.push(this.texts.movable);
      if (this.targets.has(square) && (this.selected === null || this.between(this.selected, square)))
        parts.push(this.texts.legal);
      if (this.last.includes(square)) parts.push(this.texts.last);
      return parts.join(", ");
    },
    between(start, end) {
      return this.moves.find((move) => move[1].length > 1 && move[1][0] === start && move[1][1] === end);
    },
    // The move that touching a square makes, given what is selected; a unique one may be named by its target alone.
    moveAt(square) {
      const ending = this.targets.get(square) || [];
      if (this.selected !== null) return this.between(this.selected, square);
      return ending.find((move) => move[1].length === 1) || (this.sources.has(square) ? undefined : ending.length === 1 ? ending[0] : undefined);
    },

    // What is drawn over the picture

    paint(hover = null, point = null) {
      const parts = [];
      const { left, top, cell } = this.geometry;
      const corner = (square) => [left + (square % this.columns) * cell, top + Math.floor(square / this.columns) * cell];
      const stone = (name, x, y, style) =>
        `<g class="${style}"><svg x="${x}" y="${y}" width="${cell}" height="${cell}" viewBox="0 0 100 100" text-anchor="middle">${this.pieces[name]}</svg></g>`;
      if (this.selected !== null) {
        const [x, y] = corner(this.selected);
        parts.push(`<rect class="ghost-selected" x="${x + 2}" y="${y + 2}" width="${cell - 4}" height="${cell - 4}" rx="${cell / 8}"/>`);
        for (const move of this.moves) {
          if (move[1].length > 1 && move[1][0] === this.selected) {
            const [x, y] = corner(move[1][1]);
            parts.push(`<circle class="ghost-target" cx="${x + cell / 2}" cy="${y + cell / 2}" r="${cell * 0.17}"/>`);
          }
        }
      }
      const shown = this.held?.move || this.pending || hover;
      if (shown && !point) {
        const end = shown[1][shown[1].length - 1];
        const name = shown[1].length > 1 ? this.cells[shown[1][0]] : this.ghost;
        if (name) parts.push(stone(name, ...corner(end), shown === hover ? "ghost-hover" : "ghost-stone"));
      }
      if (point && this.held) {
        const name = this.cells[this.held.square];
        if (name) parts.push(stone(name, point[0] - cell / 2, point[1] - cell / 2, "ghost-stone"));
      }
      const markup = parts.join("");
      if (markup !== this.painted) {
        this.painted = markup;
        this.$refs.ghosts.innerHTML = markup;
      }
    },
    takeBack() {
      this.held = null;
      this.pending = null;
      this.selected = null;
      this.paint();
    },

    // Mouse and touch. The stone shows when the square is pressed and counts when it is released there.

    place(event) {
      const box = this.$refs.frame.getBoundingClientRect();
      const { left, top, cell, width } = this.geometry;
      const scale = width / box.width;
      const x = (event.clientX - box.left) * scale;
      const y = (event.clientY - box.top) * scale;
      const column = Math.floor((x - left) / cell);
      const row = Math.floor((y - top) / cell);
      const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
      return { x, y, square: inside ? row * this.columns + column : null };
    },
    press(event) {
      if (!this.active || event.button > 0 || this.held?.sent) return;
      this.careful = this.confirm || (event.pointerType === "touch" && this.isLarge && !this.zoomed);
      const { x, y, square } = this.place(event);
      if (square === null) return;
      this.cursor = square;
      const again = this.pending && this.pending[1][this.pending[1].length - 1] === square;
      const move = this.edit ? null : again ? this.pending : this.moveAt(square);
      const source = this.edit === "swap" ? !!this.cells[square] : this.sources.has(square) && !move;
      this.held = { square, move, source, x, y, again, was: this.selected };
      if (source && !this.edit) this.selected = square;
      if (source) this.$refs.frame.setPointerCapture(event.pointerId);
      this.paint();
    },
    move(event) {
      if (!this.active) return;
      const { x, y, square } = this.place(event);
      const held = this.held;
      if (held?.sent) return;
      if (held?.source) {
        held.dragged ||= Math.hypot(x - held.x, y - held.y) > this.geometry.cell / 5;
        if (held.dragged) this.paint(null, [x, y]);
      } else if (held) {
        if (square !== held.square) this.cancel();
      } else if (event.pointerType === "mouse" && !this.edit) {
        this.paint(square === null ? null : this.moveAt(square) || null);
        this.$refs.frame.style.cursor = square !== null && (this.moveAt(square) || this.sources.has(square)) ? "pointer" : "";
      }
    },
    release(event) {
      const held = this.held;
      if (!this.active || !held || held.sent) return;
      const { square } = this.place(event);
      this.held = null;
      if (this.edit === "swap") {
        this.swap(held, square);
      } else if (this.edit) {
        if (square === held.square) this.$emit("square", { square });
      } else if (held.dragged) {
        const move = square !== null && this.between(held.square, square);
        move ? this.offer(move) : this.takeBack();
      } else if (held.move && square === held.square) {
        held.again ? this.commit(held.move) : this.offer(held.move);
      } else if (held.source) {
        this.selected = held.was === held.square ? null : held.square;
        this.paint();
      } else {
        this.takeBack();
      }
    },
    swap(held, square) {
      const start = held.dragged ? held.square : this.selected;
      if (start !== null && square !== null && square !== start) {
        this.takeBack();
        this.$emit("swap", { start, end: square });
      } else {
        this.selected = held.dragged || this.selected === square || !held.source ? null : square;
        this.paint();
      }
    },
    leave() {
      if (!this.held) this.paint();
    },
    cancel() {
      if (this.held && !this.held.sent) this.held = null;
      this.paint();
    },

    // Moves

    offer(move) {
      if (this.careful) {
        this.pending = move;
        this.paint();
      } else {
        this.commit(move);
      }
    },
    commit(move) {
      this.pending = null;
      this.selected = null;
      this.held = { move, sent: true };
      this.paint();
      this.$emit("move", { move: move[0], ply: this.ply });
    },
    key(event) {
      const step = STEPS[event.key];
      if (step) {
        const row = Math.min(this.rows - 1, Math.max(0, Math.floor(this.cursor / this.columns) + step[0]));
        const column = Math.min(this.columns - 1, Math.max(0, (this.cursor % this.columns) + step[1]));
        this.focusSquare(row * this.columns + column);
      } else if (event.key === "Home" || event.key === "End") {
        const start = this.cursor - (this.cursor % this.columns);
        this.focusSquare(event.key === "Home" ? start : start + this.columns - 1);
      } else if (event.key === "Enter" || event.key === " ") {
        if (!this.act(this.cursor)) return;
      } else if (event.key === "Escape") {
        this.takeBack();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
    focusSquare(square) {
      this.cursor = square;
      this.$nextTick(() => this.$refs.frame.querySelector(`[data-square="${square}"]`)?.focus());
    },
    // What Enter does on a square; says whether it did anything.
    act(square) {
      if (!this.active || this.held?.sent) return false;
      if (this.edit === "swap") {
        this.swap({ source: !!this.cells[square] }, square);
      } else if (this.edit) {
        this.$emit("square", { square });
      } else if (this.pending && this.pending[1][this.pending[1].length - 1] === square) {
        this.commit(this.pending);
      } else if (this.moveAt(square)) {
        this.careful = this.confirm;
        this.offer(this.moveAt(square));
      } else if (this.sources.has(square)) {
        this.selected = this.selected === square ? null : square;
        this.paint();
      } else {
        return false;
      }
      return true;
    },
    tick() {
      const audio = (window.boyiAudio ||= new AudioContext());
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.frequency.value = 520;
      gain.gain.setValueAtTime(0.12, audio.currentTime);
      gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.07);
      tone.connect(gain).connect(audio.destination);
      tone.start();
      tone.stop(audio.currentTime + 0.08);
    },
  },
};
