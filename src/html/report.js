"use strict";
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const root = document.documentElement;

  // A copy of a template. Each element with data-text shows that member of `texts`; it is removed
  // if there is none.
  function part(template, texts) {
    const copy = document.getElementById(template).content.firstElementChild.cloneNode(true);
    for (const place of copy.querySelectorAll("[data-text]")) {
      const text = texts[place.dataset.text];
      if (text) place.textContent = text;
      else place.remove();
    }
    return copy;
  }
  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }
  // Gives a section an address and its heading a link to it.
  function name_section(section, id, heading) {
    section.id = id;
    heading.id = "h-" + id;
    section.setAttribute("aria-labelledby", heading.id);
  }
  function link(anchor, address) {
    anchor.href = address;
    anchor.textContent = address;
  }

  function table_part(table) {
    const { columns, rows, notes } = table;
    let extent = `${rows.length} of ${table.points} rows`;
    if (rows.length < table.answers) extent += ` (the first ${rows.length})`;
    if (table.answers < table.points) extent += `; ${table.points - table.answers} are of a search's other configurations`;
    const made = part("table", { ...table, extent });
    if (!table.device) made.querySelector("h3").remove();  // its device's section has it
    made.querySelector(".scroll").setAttribute("aria-label", table.caption);
    const head = made.querySelector("thead tr");
    for (const { title, left } of columns) {
      const cell = head.appendChild(element("th", title, left ? "l" : ""));
      cell.scope = "col";
    }
    const body = made.querySelector("tbody");
    for (const row of rows) {
      const line = body.insertRow();
      row.forEach((text, i) => {
        const cell = line.insertCell();
        cell.textContent = text;
        if (columns[i].notes) cell.className = text && "w";
        else if (columns[i].left) cell.className = "l";
      });
    }
    const list = made.querySelector(".notes");
    notes.forEach(([number, note]) => list.append(element("li", `(${number}) ${note}`)));
    if (!notes.length) list.remove();
    link(made.querySelector(".csv"), table.file + ".csv");
    link(made.querySelector(".md"), table.file + ".md");
    return made;
  }

  function device_part(device) {
    const made = part("device", device);
    name_section(made, "d-" + device.slug, made.querySelector("h3"));
    const levels = made.querySelector(".levels");
    for (const level of device.levels) {
      const box = levels.appendChild(part("level", level));
      box.style.setProperty("--wide", `${Math.round(100 * level.share)}%`);
      for (const words of level.words) box.append(" · " + words);
    }
    if (!device.levels.length) levels.remove();
    const details = made.querySelector("details");
    if (device.efficiency) details.append(table_part(device.efficiency));
    else details.remove();
    return made;
  }

  function chart_part(chart) {
    const extent = chart.marks < chart.points ? `(drawn: ${chart.marks} of ${chart.points} points)` : "";
    const made = part("chart", { ...chart, extent });
    const caption = made.querySelector("figcaption");
    caption.id = "t-" + chart.name;
    made.setAttribute("aria-labelledby", caption.id);
    const frame = made.querySelector(".chart");
    frame.dataset.chart = chart.name;
    frame.dataset.marks = chart.marks;
    frame.setAttribute("aria-label", chart.title);
    return made;
  }

  function section_part(section) {
    const made = part("section", section);
    name_section(made, section.id, made.querySelector("h2"));
    const files = made.querySelector("[data-list]");
    files.before(...section.charts.filter((chart) => chart.spec).map(chart_part));
    const links = section.charts.filter((chart) => !chart.spec).map(({ name, title }) => {
      const anchor = element("a", title);
      anchor.href = `charts/${name}.vl.json`;
      return anchor;
    });
    links.forEach((anchor, i) => files.append(i ? ", " : "", anchor));
    if (!links.length) files.remove();
    const details = made.querySelector(":scope > details");
    details.append(...section.tables.map(table_part));
    if (!section.tables.length) details.remove();
    return made;
  }

  document.getElementById("main").append(...report.devices.map(device_part), ...report.sections.map(section_part));
  for (const { id, title } of report.sections) {
    const item = document.querySelector("nav ul").appendChild(document.createElement("li"));
    item.appendChild(element("a", title)).href = "#" + id;
  }

  // Restores the objects that page.cpp's named_rows() shortened.
  const objects = ([names, ...rows]) =>
    rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]).filter(([, value]) => value !== null)));
  const specs = new Map(report.sections.flatMap((section) => section.charts.map(({ name, spec }) => [name, spec])));
  for (const spec of specs.values()) {
    for (const { data } of spec ? [spec, ...spec.layer] : []) if (data) data.values = objects(data.values);
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const frames = [...document.querySelectorAll(".chart")];
  const views = new Map();  // of drawn charts, by frame
  let waiting = [];
  let under_way = false;

  async function draw(frame) {
    const theme = isDark() ? "dark" : "light";
    if (frame.dataset.theme === theme) return;
    const config = structuredClone(report.themes[theme]);
    config.legend.labelLimit = frame.clientWidth - 80;
    config.axis.labelLimit = frame.clientWidth * 0.38;
    frame.dataset.theme = theme;
    views.get(frame)?.finalize();
    try {
      views.set(
        frame,
        await vegaEmbed(frame, specs.get(frame.dataset.chart), {
          renderer: "svg",
          config,
          actions: { export: true, source: false, compiled: false, editor: false },
          downloadFileName: frame.dataset.chart,
          tooltip: { theme },
        })
      );
      frame.classList.add("drawn");
      // The page has the text alternative.
      frame.querySelector("svg.marks")?.setAttribute("aria-hidden", "true");
    } catch (error) {
      frame.textContent = "This chart could not be drawn: " + error.message;
      console.error(error);
    }
  }

  // Draws charts on the screen first, the others when idle.
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
  const label_button = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label_button();
    redraw();
  });
  system.addEventListener("change", () => {
    label_button();
    redraw();
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  label_button();
  redraw();
})();
