// What the pages do in the browser on their own: running clocks, keyboard shortcuts, copying.
(() => {
  const clocks = new WeakMap();

  function words(seconds) {
    const whole = Math.max(0, seconds);
    const minutes = Math.floor(whole / 60);
    const rest = whole - 60 * minutes;
    return whole < 20 ? `0:${rest.toFixed(1).padStart(4, "0")}` : `${minutes}:${String(Math.floor(rest)).padStart(2, "0")}`;
  }

  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-clock]")) {
      let known = clocks.get(clock);
      if (!known || known.told !== clock.dataset.clock) {
        known = { told: clock.dataset.clock, since: performance.now() };
        clocks.set(clock, known);
      }
      const gone = clock.dataset.running === "1" ? (performance.now() - known.since) / 1000 : 0;
      const text = words(+known.told - gone);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("seat__clock--low", +known.told - gone < 20);
    }
  }, 100);

  // A button with data-key is pressed by that key wherever the focus has no use for the key itself.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const focus = document.activeElement;
    if (focus?.closest("input, textarea, select, [contenteditable], .q-menu, [role=menu]")) return;
    if (event.key === " " && focus?.closest("button, a, [role=radio]")) return;
    if (event.key.startsWith("Arrow") && focus?.closest("[role=grid], [role=radiogroup]")) {
      radio(event, focus);
      return;
    }
    const button = [...document.querySelectorAll("[data-key]")].find((found) => found.dataset.key === event.key);
    if (button && !button.disabled && button.getAttribute("aria-disabled") !== "true") {
      event.preventDefault();
      button.click();
    }
  });

  function radio(event, focus) {
    const group = focus.closest("[role=radiogroup]");
    if (!group) return;
    const items = [...group.querySelectorAll("[role=radio]")];
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    const next = items[(items.indexOf(focus) + step + items.length) % items.length];
    event.preventDefault();
    next.focus();
    next.click();
  }

  // The list of moves keeps the current one in sight, and on a small screen the row of games the chosen one.
  const shown = new WeakMap();
  new MutationObserver(() => {
    for (const row of document.querySelectorAll(".cards")) {
      const chosen = row.querySelector("[aria-checked=true]");
      if (!chosen || shown.get(row) === chosen.dataset.game) continue;
      shown.set(row, chosen.dataset.game);
      row.scrollLeft += chosen.getBoundingClientRect().left - row.getBoundingClientRect().left - 60;
    }
    for (const list of document.querySelectorAll(".moves")) {
      const current = list.querySelector("[aria-current]");
      if (!current || shown.get(list) === current.dataset.ply) continue;
      shown.set(list, current.dataset.ply);
      const offset = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
      if (offset < 0 || offset > list.clientHeight - 34) list.scrollTop += offset - list.clientHeight / 2;
    }
  }).observe(document.documentElement, { childList: true, subtree: true });

  window.boyi = {
    copy(text) {
      if (navigator.clipboard) navigator.clipboard.writeText(text);
      else document.execCommand("copy");
    },
  };
})();
