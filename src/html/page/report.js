"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const specs = read("specs");
  const themes = read("themes");
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const frames = [...document.querySelectorAll(".chart")];
  const drawn = new Map(); // of what is drawn: its view
  let waiting = [];
  let under_way = false;

  // packed_rows.hpp says how rows are packed.
  function unpack({ keys, rows }) {
    let row = [];
    return rows.map((values) => {
      row = row.slice(0, keys.length - values.length).concat(values);
      return Object.fromEntries(keys.map((key, i) => [key, row[i]]));
    });
  }
  for (const spec of Object.values(specs)) {
    for (const { data } of [spec, ...(spec.layer ?? [])]) {
      if (!data?.packed) continue;
      data.values = unpack(data.packed);
      delete data.packed;
    }
  }

  async function draw(frame) {
    const theme = isDark() ? "dark" : "light";
    if (frame.dataset.theme === theme) return;
    const config = structuredClone(themes[theme]);
    config.legend.labelLimit = frame.clientWidth - 80;
    config.axis.labelLimit = frame.clientWidth * 0.38;
    frame.dataset.theme = theme;
    drawn.get(frame)?.finalize();
    try {
      drawn.set(
        frame,
        await vegaEmbed(frame, specs[frame.dataset.chart], {
          renderer: "svg",
          config,
          actions: { export: true, source: false, compiled: false, editor: false },
          downloadFileName: frame.dataset.chart,
          tooltip: { theme },
        })
      );
      frame.classList.add("drawn");
      // The text alternative stands in the page.
      frame.querySelector("svg.marks")?.setAttribute("aria-hidden", "true");
    } catch (error) {
      frame.textContent = "This chart could not be drawn: " + error.message;
      console.error(error);
    }
  }

  // What is looked at first, the others while nothing else is to be done.
  async function work() {
    if (under_way) return;
    under_way = true;
    root.dataset.charts = "drawing";
    while (waiting.length) {
      await draw(waiting.shift());
      await new Promise((next) => setTimeout(next));
    }
    under_way = false;
    root.dataset.charts = "drawn";
  }
  function redraw() {
    waiting = [...frames];
    work();
  }
  const watcher = new IntersectionObserver((seen) => {
    const now = seen.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    waiting = now.filter((frame) => waiting.includes(frame)).concat(waiting.filter((frame) => !now.includes(frame)));
  });
  frames.forEach((frame) => watcher.observe(frame));

  const button = document.getElementById("theme");
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    say();
    redraw();
  });
  system.addEventListener("change", () => {
    say();
    redraw();
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  say();
  redraw();
})();
