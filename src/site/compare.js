"use strict";
(() => {
  const { figures, cards } = globalThis.percycle_list;
  const kMost = 6;
  const wanted = [...new Set(new URLSearchParams(location.search).getAll("card"))].map((slug) => cards.find((card) => card.slug === slug)).filter(Boolean);
  const chosen = wanted.slice(0, kMost);
  const is_dark = () => matchMedia("(prefers-color-scheme: dark)").matches;

  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  for (const box of document.querySelectorAll(".choice input")) box.checked = chosen.some(({ slug }) => slug === box.value);
  if (chosen.length < 2) {
    document.getElementById("choice").open = true;
    document.getElementById("problem").textContent = "Choose two to six cards.";
    return;
  }

  if (wanted.length > kMost) document.getElementById("problem").textContent = `These are the first ${kMost} of ${wanted.length} cards.`;

  // The card that is better than every other one by more than kBest percent; -1: none.
  const kBest = Number(document.documentElement.dataset.best ?? 2);
  function best_of({ better }, values) {
    const known = values.map((value, i) => [value?.unit ? undefined : value?.value, i]).filter(([value]) => value !== undefined);
    if (!better || known.length < 2) return -1;
    known.sort(([a], [b]) => (better === "lower" ? a - b : b - a));
    const gap = 100 * Math.abs(known[0][0] / known[1][0] - 1);
    return gap > kBest ? known[0][1] : -1;
  }

  function add_cell(line, value, mark) {
    const cell = line.insertCell();
    if (!value) return;
    cell.append(value.text + mark);
    if (value.share_percent !== undefined) cell.append(" ", element("small", `${Math.round(value.share_percent)} %`));
    if (value.run) cell.title = [value.api, value.run, value.experiment, value.parameters].filter(Boolean).join(", ");
  }

  function fill_table() {
    const table = document.querySelector("#table table");
    const head = table.tHead.rows[0];
    head.appendChild(element("th", "figure")).scope = "col";
    for (const card of chosen) {
      const cell = head.appendChild(element("th", ""));
      cell.scope = "col";
      cell.appendChild(element("a", card.title)).href = card.page;
    }
    figures.forEach((figure, i) => {
      const find = (name) => chosen.map((card) => card[name].find((value) => value.figure === i));
      const [values, others] = [find("values"), find("other_values")];
      if (!values.some(Boolean)) return;
      const best = best_of(figure, values);
      const add_line = (title, cells, marked) => {
        const line = table.tBodies[0].insertRow();
        line.appendChild(element("th", title)).scope = "row";
        cells.forEach((value, column) => add_cell(line, value, column === marked ? "*" : ""));
      };
      add_line(figure.label, values, best);
      if (others.some(Boolean)) add_line("through Vulkan", others, -1);
    });
    document.getElementById("table").hidden = false;
  }

  // The data of a card's charts is a script beside its page.
  const load = (card) =>
    new Promise((done) => {
      const script = document.createElement("script");
      script.src = card.page.replace(/index\.html$/, "data.js");
      const unpack = () => globalThis.percycle_unpack(globalThis.percycle_cards?.get(card.slug));
      script.addEventListener("load", () => done(unpack()));
      script.addEventListener("error", () => done(unpack()));
      document.head.append(script);
    });

  // As in report.js: an empty list is the text of the row above.
  const objects = ([names, ...rows]) => {
    let above = [];
    return rows.map((row) => {
      above = row.map((value, i) => (Array.isArray(value) ? above[i] : value));
      return Object.fromEntries(names.map((name, i) => [name, above[i]]).filter(([, value]) => value !== null));
    });
  };
  const is_curve = ({ spec }) => spec?.layer.some(({ mark }) => mark.type === "line") && spec.data?.values[0].includes("x");

  // The curves of one chart, of every chosen card that has it: {name, title, spec, parts}.
  // `reports`: undefined of a card whose data cannot be read.
  function common_charts(reports) {
    const found = new Map();
    reports.forEach((report, i) => {
      if (!report) return;
      const leading = [...report.sections].sort((a, b) => Boolean(b.leads) - Boolean(a.leads));
      for (const chart of leading.flatMap((section) => section.charts).filter(is_curve)) {
        if (!found.has(chart.name)) found.set(chart.name, { ...chart, parts: [] });
        found.get(chart.name).parts.push({ card: chosen[i].title, values: objects(chart.spec.data.values) });
      }
    });
    return [...found.values()].filter(({ parts }) => parts.length > 1);
  }

  // One colour per card; the lines of a card differ in their dashes.
  function overlaid({ spec, parts }) {
    const values = parts.flatMap(({ card, values }) =>
      values.map((value) => ({ ...value, card, line: value.series.startsWith(card) ? value.series.slice(card.length).replace(/^[:,] */, "") : value.series }))
    );
    const [first] = spec.layer;
    const axis = (name) => {
      const { domain, ...scale } = first.encoding[name].scale ?? {};
      return { ...first.encoding[name], scale };
    };
    const encoding = {
      x: axis("x"),
      y: axis("y"),
      color: { field: "card", type: "nominal", scale: { domain: parts.map(({ card }) => card) }, legend: { title: null } },
      opacity: { condition: { param: "shown", value: 1 }, value: 0.06 },
      detail: { field: "series" },
    };
    const dash = { field: "line", type: "nominal", legend: { title: null, symbolType: "stroke" } };
    const tooltip = [{ field: "series" }, { field: "x", title: axis("x").axis?.title }, { field: "y", title: axis("y").axis?.title }];
    return {
      width: "container",
      height: 320,
      data: { values },
      layer: [
        {
          mark: { type: "line", strokeWidth: 1.5 },
          params: [
            { name: "shown", select: { type: "point", fields: ["card"] }, bind: "legend" },
            { name: "zoom", select: { type: "interval", encodings: ["x", "y"], zoom: "wheel![event.ctrlKey]" }, bind: "scales" },
          ],
          encoding: { ...encoding, strokeDash: dash },
        },
        { mark: { type: "point", filled: true, size: 22 }, encoding: { ...encoding, tooltip } },
      ],
    };
  }

  async function draw(frame, chart, themes) {
    const config = structuredClone(themes[is_dark() ? "dark" : "light"]);
    config.legend.labelLimit = frame.clientWidth - 80;
    try {
      await vegaEmbed(frame, overlaid(chart), {
        renderer: "svg",
        ast: true,  // interpreted: the page's policy forbids code from text
        config,
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: chart.name,
        tooltip: { theme: is_dark() ? "dark" : "light" },
      });
      frame.classList.add("drawn");
      frame.querySelector("svg.marks")?.setAttribute("aria-hidden", "true");
      frame.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    } catch (error) {
      frame.textContent = "This chart could not be drawn: " + error.message;
      console.error(error);
    }
  }

  async function fill_charts() {
    const loaded = await Promise.allSettled(chosen.map(load));
    const reports = loaded.map(({ value }) => value);
    const problems = loaded.map(({ reason }, i) => reason && `${chosen[i].title}: ${reason.message}`).filter(Boolean);
    document.getElementById("problem").append(...problems.map((problem) => element("p", problem)));
    const section = document.getElementById("charts");
    const charts = common_charts(reports);
    document.documentElement.dataset.charts = charts.length;
    if (!charts.length) {
      if (!problems.length) document.getElementById("problem").textContent = "No two of these cards have a curve of one experiment.";
      return;
    }
    section.hidden = false;
    // Charts are drawn when they come near the screen.
    const watcher = new IntersectionObserver(
      (seen) => {
        for (const { target } of seen.filter((entry) => entry.isIntersecting)) {
          watcher.unobserve(target);
          draw(target, charts.find(({ name }) => name === target.dataset.chart), reports.find(Boolean).themes);
        }
      },
      { rootMargin: "600px" }
    );
    for (const { name, title, parts } of charts) {
      const figure = section.appendChild(element("figure", ""));
      const caption = figure.appendChild(element("figcaption", title));
      caption.id = "t-" + name;
      figure.setAttribute("aria-labelledby", caption.id);
      const frame = figure.appendChild(element("div", "", "chart"));
      frame.dataset.chart = name;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", `${title}: ${parts.map(({ card }) => card).join(", ")}`);
      watcher.observe(frame);
    }
  }

  fill_table();
  fill_charts().catch((error) => {
    document.getElementById("problem").textContent = error.message;
    console.error(error);
  });
})();
