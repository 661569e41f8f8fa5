// The browser's half of "Read a board": takes a picture by file, drop, paste or screen capture, asks the API what is on
// it, and draws the answer over it. The four corners can be dragged; then the board is read between them. A followed
// window is looked at again whenever it changes. Texts come from the page.
const SMALL = [320, 180]; // frames are compared in this size
const DIFFERENT = 14; // grey levels by which a point must differ
const LOOKS = 6; // looks after a change, until it is believed
const MOST_SIDE = 3200; // larger pictures are made smaller before they are sent
const MOST_PIXELS = 12e6;
const MOST_BYTES = 9e6;
const GIGANTIC = 80e6;

export default {
  template: `
    <div class="stage" :class="{ 'stage--over': over, 'stage--busy': busy }" :aria-busy="busy ? 'true' : 'false'">
      <div v-show="width" class="stage__frame" ref="frame" :style="{ '--ratio': width / Math.max(height, 1) }">
        <canvas ref="canvas" class="stage__picture" role="img" :aria-label="texts.picture"></canvas>
        <svg class="stage__marks" :viewBox="'0 0 ' + width + ' ' + height" aria-hidden="true">
          <path v-if="lines.length" class="stage__lines" :d="path"></path>
          <circle v-for="mark in doubts" class="stage__doubt" :cx="mark[0]" :cy="mark[1]" :r="0.4 * pitch"></circle>
          <g v-if="aim" class="stage__here">
            <line v-if="aim.from" :x1="aim.from[0]" :y1="aim.from[1]" :x2="aim.to[0]" :y2="aim.to[1]"></line>
            <circle :cx="aim.to[0]" :cy="aim.to[1]" :r="0.46 * pitch"></circle>
            <text :x="aim.to[0]" :y="aim.to[1]" :font-size="Math.max(0.36 * pitch, width / 60)">{{ texts.here }}</text>
          </g>
          <polygon v-if="corners.length" class="stage__outline" :points="corners.join(' ')"></polygon>
        </svg>
        <button v-for="(corner, number) in corners" type="button" class="stage__corner" :data-corner="number"
                :aria-label="texts.corners[number]" :title="texts.corners[number]"
                :style="{ left: (100 * corner[0]) / width + '%', top: (100 * corner[1]) / height + '%' }"
                @pointerdown="grab($event, number)" @pointermove="drag($event, number)"
                @pointerup="drop" @pointercancel="drop" @keydown="nudge($event, number)"></button>
      </div>
      <div v-show="!width" class="stage__empty">
        <span class="material-icons stage__icon" aria-hidden="true">add_photo_alternate</span>
        <p>{{ texts.drop }}</p>
      </div>
      <div class="stage__tools" role="group" :aria-label="texts.sources">
        <label class="stage__button stage__button--main">
          <span class="material-icons" aria-hidden="true">folder_open</span>{{ texts.choose }}
          <input type="file" accept="image/*" class="sr-only" data-choose @change="chosen">
        </label>
        <button type="button" class="stage__button" data-paste @click="pasteNow" v-if="canPaste">
          <span class="material-icons" aria-hidden="true">content_paste</span>{{ texts.paste }}</button>
        <button type="button" class="stage__button" data-capture @click="capture" v-if="canCapture && !live">
          <span class="material-icons" aria-hidden="true">screenshot_monitor</span>{{ texts.capture }}</button>
        <button type="button" class="stage__button" data-follow @click="follow" v-if="canCapture && !live">
          <span class="material-icons" aria-hidden="true">visibility</span>{{ texts.follow }}</button>
        <button type="button" class="stage__button" data-stop @click="stop" v-if="live">
          <span class="material-icons" aria-hidden="true">stop</span>{{ texts.stop }}</button>
        <button type="button" class="stage__button" data-by-hand @click="placeCorners" v-if="width && !corners.length">
          <span class="material-icons" aria-hidden="true">crop_free</span>{{ texts.by_hand }}</button>
        <button type="button" class="stage__button" data-search @click="searchAgain" v-if="byHand">
          <span class="material-icons" aria-hidden="true">search</span>{{ texts.search }}</button>
      </div>
      <p v-if="!canCapture" class="fine">{{ texts.no_capture }}</p>
      <video ref="video" muted playsinline hidden></video>
    </div>`,
  emits: ["read", "look", "failed", "ended"],
  props: { texts: Object, rules: { type: String, default: "" }, here: { type: Array, default: () => [] } },
  data() {
    return {
      over: false, busy: false, live: false, byHand: false, held: null, width: 0, height: 0, corners: [], lines: [],
      sites: [], doubts: [], pitch: 0, known: "",
    };
  },
  computed: {
    canCapture() {
      return !!navigator.mediaDevices?.getDisplayMedia;
    },
    canPaste() {
      return !!navigator.clipboard?.read;
    },
    path() {
      return this.lines.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("");
    },
    aim() {
      const [first, last] = [this.sites[this.here[0]], this.sites[this.here[this.here.length - 1]]];
      return last ? { from: this.here.length > 1 ? first : null, to: last } : null;
    },
  },
  watch: {
    rules() {
      if (!this.width) return;
      if (this.live) this.startAnew();
      else this.read();
    },
  },
  mounted() {
    this.listeners = {
      dragover: (event) => this.isFile(event) && (event.preventDefault(), (this.over = true)),
      dragleave: (event) => event.relatedTarget || (this.over = false),
      drop: (event) => this.dropped(event),
      paste: (event) => this.pasted(event),
    };
    for (const [name, act] of Object.entries(this.listeners)) document.addEventListener(name, act);
  },
  beforeUnmount() {
    for (const [name, act] of Object.entries(this.listeners)) document.removeEventListener(name, act);
    this.stop();
  },
  methods: {
    // Ways in

    isFile(event) {
      return [...(event.dataTransfer?.types || [])].includes("Files");
    },
    dropped(event) {
      this.over = false;
      if (!this.isFile(event)) return;
      event.preventDefault();
      this.take(event.dataTransfer.files[0]);
    },
    pasted(event) {
      const file = [...(event.clipboardData?.files || [])].find((found) => found.type.startsWith("image/"));
      if (!file) return;
      event.preventDefault();
      this.take(file);
    },
    async pasteNow() {
      try {
        for (const item of await navigator.clipboard.read()) {
          const kind = item.types.find((type) => type.startsWith("image/"));
          if (kind) return this.take(await item.getType(kind));
        }
        this.fail("nothing_to_paste");
      } catch {
        this.fail("nothing_to_paste");
      }
    },
    chosen(event) {
      this.take(event.target.files[0]);
      event.target.value = "";
    },
    async capture() {
      try {
        const stream = await this.share();
        const blob = await this.grabFrame();
        for (const track of stream.getTracks()) track.stop();
        await this.take(blob);
      } catch {
        this.fail("no_capture");
      }
    },
    fail(error, message = "") {
      this.$emit("failed", { error, message });
    },

    // A picture

    async take(file) {
      if (!file) return;
      this.stop();
      this.forget();
      if (!file.size) return this.fail("empty_file");
      if (file.size > GIGANTIC) return this.fail("too_large");
      let blob = file;
      try {
        const bitmap = await createImageBitmap(file);
        const shrink = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
        const large = bitmap.width * bitmap.height > MOST_PIXELS || file.size > MOST_BYTES;
        this.show(bitmap, large ? shrink : 1);
        bitmap.close();
        const known = ["image/png", "image/jpeg", "image/webp", "image/bmp", "image/gif"].includes(file.type);
        if (large || !known) blob = await this.asBlob();
      } catch {
        if (file.size > MOST_BYTES) return this.fail("too_large");
      }
      this.content = await base64(blob);
      await this.read();
    },
    forget() {
      Object.assign(this, { byHand: false, width: 0, height: 0, known: "" });
      this.draw(null);
    },
    show(source, scale = 1) {
      const canvas = this.$refs.canvas;
      const width = source.videoWidth || source.width;
      const height = source.videoHeight || source.height;
      canvas.width = this.width = Math.max(1, Math.round(width * scale));
      canvas.height = this.height = Math.max(1, Math.round(height * scale));
      canvas.getContext("2d").drawImage(source, 0, 0, this.width, this.height);
    },
    asBlob() {
      return new Promise((done) => this.$refs.canvas.toBlob(done, "image/png"));
    },
    wanted() {
      const wanted = { content: this.content, rules: this.rules || (this.byHand && this.known) || null };
      if (this.byHand) wanted.corners = this.corners;
      return wanted;
    },
    async read() {
      if (this.busy) {
        this.again = true;
        return;
      }
      this.busy = true;
      do {
        this.again = false;
        try {
          const reading = await ask("read", this.wanted());
          if (this.again || this.live) continue;
          if (!this.width) this.width = reading.width;
          this.draw(reading);
          this.$emit("read", reading);
        } catch (error) {
          if (!this.live) this.fail(error.error || "network", error.message || "");
        }
      } while (this.again);
      this.busy = false;
    },
    draw(reading) {
      this.lines = reading?.lines || [];
      this.sites = reading?.sites || [];
      this.pitch = reading?.pitch || 0;
      this.doubts = (reading?.cells || []).flat().flatMap((cell, site) => (cell.text === null ? [this.sites[site]] : []));
      if (!this.byHand && this.held === null) this.corners = reading?.corners || [];
      if (reading && !reading.refused) this.known = reading.rules;
    },

    // Corners

    placeCorners() {
      const [left, top, right, bottom] = [0.15 * this.width, 0.15 * this.height, 0.85 * this.width, 0.85 * this.height];
      this.corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
      this.byHand = true;
    },
    searchAgain() {
      this.byHand = false;
      if (this.live) this.looks = LOOKS;
      else this.read();
    },
    grab(event, number) {
      this.held = number;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    drag(event, number) {
      if (this.held !== number) return;
      const box = this.$refs.frame.getBoundingClientRect();
      const x = (this.width * (event.clientX - box.left)) / box.width;
      const y = (this.height * (event.clientY - box.top)) / box.height;
      this.place(number, x, y);
      this.moved = true;
    },
    drop() {
      if (this.moved) this.settle();
      this.held = null;
      this.moved = false;
    },
    place(number, x, y) {
      const point = [Math.min(Math.max(x, 0), this.width), Math.min(Math.max(y, 0), this.height)];
      this.corners = this.corners.map((corner, place) => (place === number ? point : corner));
    },
    nudge(event, number) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const by = (event.shiftKey ? 10 : 1) * Math.max(1, this.width / 1000);
      this.place(number, this.corners[number][0] + by * step[0], this.corners[number][1] + by * step[1]);
      clearTimeout(this.later);
      this.later = setTimeout(() => this.settle(), 500);
    },
    settle() {
      this.byHand = true;
      this.lines = [];
      if (this.live) this.looks = LOOKS;
      else this.read();
    },

    // Following a window

    async share() {
      const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 5 }, audio: false });
      const video = this.$refs.video;
      video.srcObject = stream;
      await video.play();
      if (!video.videoWidth) await new Promise((done) => video.addEventListener("resize", done, { once: true }));
      return stream;
    },
    async grabFrame() {
      this.show(this.$refs.video);
      return this.asBlob();
    },
    async follow() {
      try {
        this.stream = await this.share();
      } catch {
        return this.fail("no_capture");
      }
      this.forget();
      this.live = true;
      this.startAnew();
      this.stream.getVideoTracks()[0].addEventListener("ended", () => this.stop());
      this.ticker = new Worker("/_boyi/ticker.js"); // a timer of the page itself rests while the page is hidden
      this.ticker.onmessage = () => this.tick();
    },
    startAnew() {
      this.belief = {};
      this.compared = null;
      this.looks = LOOKS;
    },
    believe(rules, key) {
      this.belief = { ...this.belief, rules, key };
    },
    async tick() {
      if (this.looking || !this.live) return;
      this.looking = true;
      try {
        const blob = await this.grabFrame();
        if (this.hasChanged()) this.looks = LOOKS;
        if (this.looks <= 0) return;
        this.looks -= 1;
        this.content = await base64(blob);
        const asked = this.belief;
        const look = await ask("look", { ...this.wanted(), belief: asked });
        if (!this.live) return;
        const told = this.belief; // the page may have corrected it meanwhile
        this.belief = look.belief;
        if (told.key !== asked.key && !look.changed) this.believe(told.rules, told.key);
        this.draw(look.reading);
        const settled = look.reading.position && look.position;
        if (settled && look.belief.equal > 1 && same(look.reading.position.cells, look.position.cells)) this.looks = 0;
        this.$emit("look", { ...look, belief: null });
      } catch (error) {
        if (this.live && error.error !== "busy") {
          this.stop();
          this.fail(error.error || "network", error.message || "");
        }
      } finally {
        this.looking = false;
      }
    },
    hasChanged() {
      const [width, height] = SMALL;
      this.small ||= Object.assign(document.createElement("canvas"), { width, height });
      const context = this.small.getContext("2d", { willReadFrequently: true });
      context.drawImage(this.$refs.canvas, 0, 0, width, height);
      const frame = context.getImageData(0, 0, width, height).data;
      const before = this.compared;
      const changed = !before || frame.some((value, at) => Math.abs(value - before[at]) > DIFFERENT);
      if (changed) this.compared = frame;
      return changed;
    },
    stop() {
      if (!this.live) return;
      this.live = false;
      this.ticker.terminate();
      for (const track of this.stream.getTracks()) track.stop();
      this.$emit("ended");
    },
  },
};

async function ask(what, body) {
  const answer = await fetch(`/api/v1/pictures/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw found;
  return found;
}

function base64(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = failed;
    reader.readAsDataURL(blob);
  });
}

function same(first, second) {
  return JSON.stringify(first) === JSON.stringify(second);
}
