"use strict";
(async () => {
  // The page of a site has its data in a script, and its tables packed.
  const root = document.documentElement;
  const whole = document.getElementById("report");
  const own = !whole;
  const unpacked = () =>
    globalThis.percycle_unpack(globalThis.percycle_cards?.values().next().value);
  const report = whole ? JSON.parse(whole.textContent) : await unpacked().catch(show_problem);
  if (!report) return;

  // In place of all that the data would show.
  function show_problem({ message }) {
    const problem = element("p", message);
    problem.setAttribute("role", "alert");
    document.getElementById("bar").remove();
    document.getElementById("main").replaceChildren(problem);
    root.dataset.charts = "failed";
  }

  // Shows a text whose parts between backticks are code.
  function fill(place, text) {
    text.split("`").forEach((words, i) => place.append(i % 2 ? element("code", words) : words));
  }
  // A copy of a template. Each element with data-text shows that member of `texts`; it is removed
  // if there is none.
  function part(template, texts) {
    const copy = document.getElementById(template).content.firstElementChild.cloneNode(true);
    for (const place of copy.querySelectorAll("[data-text]")) {
      const text = texts[place.dataset.text];
      place.textContent = "";
      if (text) fill(place, text);
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
    // Findings are whole and have no files.
    let extent = `${rows.length} of ${table.points} rows`;
    if (rows.length < table.answers) extent += ` (the first ${rows.length})`;
    const others = table.points - table.answers;
    if (others > 0) extent += `; ${others} belong to other configurations of a search`;
    const made = part("table", { ...table, extent });
    if (table.device) made.dataset.device = table.device;
    else made.querySelector("h3").remove();  // its device's section has it
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
    notes.forEach(([number, note]) =>
      fill(list.appendChild(element("li", "")), `(${number}) ${note}`));
    if (!notes.length) list.remove();
    if (table.file) {
      link(made.querySelector(".csv"), table.file + (own ? ".csv.gz" : ".csv"));
      const text = made.querySelector(".md");  // a site has none
      if (text) link(text, table.file + ".md");
    } else made.lastElementChild.remove();
    return made;
  }

  // Boxes of a drawing; without any the list is removed.
  function draw_levels(list, levels) {
    for (const level of levels) {
      const box = list.appendChild(part("level", level));
      box.style.setProperty("--wide", `${Math.round(100 * level.share)}%`);
      // A number stays on the line of its unit.
      for (const words of level.words)
        box.append(" · " + words.replace(/(\d) (?=[A-Za-z])/g, "$1\u00a0"));
    }
    if (!levels.length) list.remove();
  }

  function device_part(device) {
    const made = part("device", device);
    made.className = "device";
    made.dataset.device = device.label;
    name_section(made, "d-" + device.slug, made.querySelector("h3"));
    draw_levels(made.querySelector(".levels"), device.levels);
    const paths = made.querySelector(".paths");
    for (const path of device.paths) {
      const drawing = paths.appendChild(part("path", path));
      draw_levels(drawing.querySelector(".levels"), path.levels);
      drawing.querySelector(".levels").setAttribute("aria-label", path.name);
    }
    if (!device.paths.length) paths.remove();
    const fold_tables = (name, tables) => {
      const details = made.querySelector(name);
      if (tables.length) details.append(...tables.map(table_part));
      else details.remove();
    };
    fold_tables(".findings", device.findings);
    fold_tables(".rates", device.efficiency ? [device.efficiency] : []);
    return made;
  }

  function chart_part(chart) {
    const extent =
      chart.marks < chart.points ? `(drawn: ${chart.marks} of ${chart.points} points)` : "";
    const made = part("chart", { ...chart, extent });
    const caption = made.querySelector("figcaption");
    caption.id = "t-" + chart.name;
    made.setAttribute("aria-labelledby", caption.id);
    const frame = made.querySelector(".chart");
    frame.dataset.chart = chart.name;
    frame.dataset.marks = chart.marks;
    frame.setAttribute(
      "aria-label",
      `${chart.title}; + and - zoom, 1 to 7 leave one series alone, 0 shows all`,
    );
    const remarks = made.querySelector(".remarks");
    remarks.append(...(chart.remarks ?? []).map((remark) => element("li", remark)));
    if (!chart.remarks) remarks.remove();
    return made;
  }

  // The figures of charts: a histogram stands beside its map.
  const histogram_of = (name) => `${name}-histogram`;
  function chart_parts(list) {
    const parts = [];
    for (const chart of list) {
      const before = parts.at(-1);
      if (before && chart.name === histogram_of(before.querySelector(".chart").dataset.chart)) {
        const both = element("div", "", "beside");
        both.append(parts.pop(), chart_part(chart));
        parts.push(both);
      } else {
        parts.push(chart_part(chart));
      }
    }
    return parts;
  }

  // The charts that stand at the top, not folded: the first of each section that leads (of each, if
  // none leads), with its form in the other unit of time.
  const kLeading = 7;
  const time_of = (name) => name.match(/^(.*)-(cycles|ns)(-.*)?$/);
  const twin_of = (name) => {
    const found = time_of(name);
    return found && `${found[1]}-${found[2] === "ns" ? "cycles" : "ns"}${found[3] ?? ""}`;
  };
  const leading = new Set();
  const with_charts = report.sections.filter((section) => section.charts.length);
  const leaders = with_charts.filter((section) => section.leads);
  for (const { charts } of (leaders.length ? leaders : with_charts).slice(0, kLeading)) {
    leading.add(charts[0].name).add(twin_of(charts[0].name)).add(histogram_of(charts[0].name));
  }

  function section_part(section) {
    const drawn = section.charts.filter((chart) => chart.spec && !leading.has(chart.name));
    const count = (number, name) => (number ? `${number} ${name}${number > 1 ? "s" : ""}` : "");
    const counts = [count(drawn.length, "chart"), count(section.tables.length, "table")];
    const content = counts.filter(Boolean).join(", ");
    const made = part("section", { ...section, content });
    name_section(made, section.id, made.querySelector("h2"));
    const files = made.querySelector("[data-list]");
    files.before(...chart_parts(drawn));
    const links = section.charts.filter((chart) => !chart.spec).map(({ name, title }) => {
      const anchor = element("a", title);
      anchor.href = `charts/${name}.vl.json`;
      return anchor;
    });
    links.forEach((anchor, i) => files.append(i ? ", " : "", anchor));
    if (!links.length) files.remove();
    const details = made.querySelector(".tables");
    details.append(...section.tables.map(table_part));
    if (!section.tables.length) details.remove();
    if (!content) made.querySelector(".fold").remove();
    return made;
  }

  const main = document.getElementById("main");
  const charts_part = document.getElementById("charts");
  const all_charts = report.sections
    .flatMap((section) => section.charts)
    .filter((chart) => chart.spec);
  charts_part.append(...chart_parts(all_charts.filter((chart) => leading.has(chart.name))));
  const links = document.querySelector("nav ul");
  if (!leading.size) {
    charts_part.remove();
    links.lastElementChild.remove();
  }
  main.append(...report.sections.map(section_part));
  const cards = main.appendChild(element("section", ""));
  const cards_title = cards.appendChild(element("h2", "Devices"));
  name_section(cards, "devices", cards_title);
  cards.append(...report.devices.map(device_part));
  for (const { id, title } of [...report.sections, { id: "devices", title: "Devices" }]) {
    const item = links.appendChild(document.createElement("li"));
    item.appendChild(element("a", title)).href = "#" + id;
  }

  // The list of contents says where the reader is, and closes when it is used.
  const contents = document.getElementById("contents");
  const parts = [...main.children].map((section) => [
    section,
    section.querySelector("h2 [data-text=title]") ?? section.querySelector("h2"),
  ]);
  function note_place() {
    const is_above = ([section]) => section.getBoundingClientRect().top < innerHeight / 3;
    const above = parts.filter(is_above);
    const here = above.at(-1) ?? parts[0];
    contents.querySelector("summary").textContent = `Contents: ${here[1].textContent}`;
  }
  addEventListener("scroll", note_place, { passive: true });
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a")) contents.open = false;
  });
  note_place();

  // Restores the objects that page.cpp's named_rows() shortened.
  const objects = ([names, ...rows]) => {
    let above = [];
    return rows.map((row) => {
      above = row.map((value, i) => (Array.isArray(value) ? above[i] : value));
      const named = names.map((name, i) => [name, above[i]]);
      return Object.fromEntries(named.filter(([, value]) => value !== null));
    });
  };
  const specs = new Map(
    report.sections.flatMap(({ charts }) => charts.map(({ name, spec }) => [name, spec])),
  );
  for (const spec of specs.values()) {
    for (const { data } of spec ? [spec, ...spec.layer] : []) {
      if (data) data.values = objects(data.values);
    }
  }
  const charts = new Map(all_charts.map((chart) => [chart.name, chart]));
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const frames = [...document.querySelectorAll(".chart")];
  const views = new Map();  // of drawn charts, by frame
  const hidden = new Set();  // labels of devices
  let version = 0;  // of the choice of devices
  let waiting = [];
  let under_way = false;

  // The table of key figures: rows are figures, columns are cards. Tables of as many cards as fit
  // stand one below the other, so that nothing scrolls sideways; the later ones are folded. A click
  // on a figure sorts the cards by it, largest first, then smallest first.
  const kOpenTables = 2;
  const kOnScreen = { label: 220, card: 150 };  // in pixels
  const kOnPhone = { label: 108, card: 84 };
  const overview = document.querySelector(".keys");
  let sorting = null;  // by a row, upwards or not
  function cards_in_order() {
    const { cards } = report.overview;
    const has_shown = (i) => cards[i].devices.some((label) => !hidden.has(label));
    const shown = cards.map((_, i) => i).filter(has_shown);
    if (!sorting) return shown;
    const key = (i) => sorting.row.cells[i]?.value;
    return shown.sort((a, b) => {
      if (key(a) == null || key(b) == null) return (key(a) == null) - (key(b) == null);
      return (sorting.up ? 1 : -1) * (key(a) - key(b));
    });
  }
  function key_cell(cell) {
    const place = element("td", cell?.text ?? "");
    if (cell?.share) place.append(" ", element("span", cell.share, "share"));
    if (cell?.other) place.append(element("div", cell.other, "other"));
    return place;
  }
  function key_title(row) {
    const title = element("th", "");
    title.scope = "row";
    const button = title.appendChild(element("button", row.label));
    button.type = "button";
    if (sorting?.row === row)
      title.setAttribute("aria-sort", sorting.up ? "ascending" : "descending");
    button.addEventListener("click", () => {
      sorting = { row, up: sorting?.row === row && !sorting.up };
      fill_overview();
    });
    return title;
  }
  function key_table(cards, widths, share) {
    const table = element("table", "");
    table.style.width = `${100 * share}%`;
    const head = table.createTHead().insertRow();
    head.append(element("td", ""));
    const width = widths.label + cards.length * widths.card;
    head.firstChild.style.width = `${(100 * widths.label) / width}%`;
    for (const i of cards) {
      const title = head.appendChild(element("th", ""));
      title.scope = "col";
      const card = report.overview.cards[i];
      title.appendChild(element("a", card.title)).href = "#d-" + card.slug;
    }
    const body = table.createTBody();
    for (const row of report.overview.rows.filter(({ cells }) => cards.some((i) => cells[i]))) {
      body.insertRow().append(key_title(row), ...cards.map((i) => key_cell(row.cells[i])));
    }
    return table;
  }
  function fill_overview() {
    const width = overview.clientWidth;
    const widths = width < 500 ? kOnPhone : kOnScreen;
    const most = Math.max(1, Math.floor((width - widths.label) / widths.card));
    const cards = cards_in_order();
    const tables = [];
    for (let i = 0; i < cards.length; i += most) {
      const some = cards.slice(i, i + most);
      const width_of = (count) => widths.label + count * widths.card;
      tables.push(key_table(some, widths, width_of(some.length) / width_of(most)));
    }
    const was_open = overview.querySelector("details")?.open;
    overview.replaceChildren(...tables.slice(0, kOpenTables));
    if (report.overview.marks) overview.append(element("p", report.overview.marks, "faint"));
    const more = cards.length - kOpenTables * most;
    if (more > 0) {
      const fold = overview.appendChild(document.createElement("details"));
      const title = element("summary", `${more} more card${more > 1 ? "s" : ""}`);
      fold.append(title, ...tables.slice(kOpenTables));
      fold.open = Boolean(was_open);
    }
  }
  let overview_width = 0;
  addEventListener("resize", () => {
    if (overview.clientWidth !== overview_width) fill_overview();
    overview_width = overview.clientWidth;
  });
  fill_overview();

  // The device of a series: the longest label that begins its name.
  const labels = report.devices.map(({ label }) => label).sort((a, b) => b.length - a.length);
  const owners = new Map();
  function owner(series) {
    const names = (label) =>
      series === label || series.startsWith(label + ":") || series.startsWith(label + ",");
    if (!owners.has(series)) owners.set(series, labels.find(names));
    return owners.get(series);
  }
  const bands = new Map(all_charts.flatMap((chart) => Object.entries(chart.bands ?? {})));
  function is_shown({ series }) {
    if (series === undefined) return true;
    const devices = bands.get(series) ?? [owner(series)];
    return devices.some((label) => !hidden.has(label));
  }

  const kNarrow = 500;  // pixels, of a screen without room for labels beside bars
  const kNarrowRow = 15;
  // In the names of rows of bars.cpp: before the name of a gap, behind the question of a bar.
  const kMark = "\u2063";
  const is_gap = (row) => row.startsWith(kMark);

  // A chart's specification without hidden devices; null if nothing is left. Colours stay.
  function shown_spec(name, frame) {
    const chart = charts.get(name);
    let spec = specs.get(name);
    if (chart.devices?.some((device) => hidden.has(device))) return null;
    if (typeof spec.width === "number") {
      const side = Math.min(spec.width, frame.clientWidth - 90);
      spec = { ...spec, width: side, height: side };
    }
    const has_rows = spec.encoding?.y?.field === "row";
    const is_narrow = has_rows && frame.clientWidth < kNarrow;
    const hides = hidden.size > 0 && !chart.devices;
    if (!hides && !is_narrow) return spec;
    spec = structuredClone(spec);
    if (hides) leave_out(spec);
    if (has_rows && hides) close_rows(spec);
    if (spec.encoding?.y?.field === "card" && hides) close_cards(spec);
    if (is_narrow) raise_labels(spec, frame);
    return spec.data?.values.length === 0 ? null : spec;
  }

  // Takes hidden devices out of a chart and its legend.
  function leave_out(spec) {
    const colors = report.themes.light.range.category;
    const dark_colors = report.themes.dark.range.category;
    for (const one of [spec, ...spec.layer]) {
      if (one.data) one.data.values = one.data.values.filter(is_shown);
      const scale = one.encoding?.color?.scale;
      if (!scale?.domain || one.encoding.color.field !== "series") continue;
      const numbered = scale.domain.map((series, i) => [series, i]);
      const kept = numbered.filter(([series]) => is_shown({ series }));
      scale.domain = kept.map(([series]) => series);
      scale.range = kept.map(([, i]) => (isDark() ? dark_colors : colors)[i]);
    }
  }

  // Takes hidden cards from the rows of a chart of card_bars.cpp.
  function close_cards(spec) {
    const scale = spec.encoding.y.scale;
    const kept = new Set(spec.data.values.map(({ card }) => card));
    spec.height *= Math.max(4, kept.size) / Math.max(4, scale.domain.length);
    scale.domain = scale.domain.filter((card) => kept.has(card));
  }

  // Takes rows without a bar from a chart of bars.cpp; a label moves to its question's middle row.
  function close_rows(spec) {
    const scale = spec.encoding.y.scale;
    const filled = new Set(spec.data.values.map(({ row }) => row));
    const rows = scale.domain.filter((row) => is_gap(row) || filled.has(row));
    const is_between = (i) => i > 0 && i + 1 < rows.length && !is_gap(rows[i + 1]);
    const kept = rows.filter((row, i) => !is_gap(row) || is_between(i));
    if (kept.length && is_gap(kept[0])) kept.shift();
    const groups = new Map();
    for (const row of kept.filter((row) => !is_gap(row))) {
      const question = row.split(kMark)[0];
      groups.set(question, [...(groups.get(question) ?? []), row]);
    }
    const middle = (group) => group[(group.length - 1) >> 1];
    const labelled = spec.params.find(({ name }) => name === "labelled");
    labelled.value = [...groups.values()].map(middle);
    spec.height *= kept.length / scale.domain.length;
    scale.domain = kept;
  }

  // Puts each question in a row above its bars, so that bars and legend have the whole width.
  function raise_labels(spec, frame) {
    const { axis, scale } = spec.encoding.y;
    const rows = [];
    for (const row of scale.domain.filter((row) => !is_gap(row))) {
      const label = kMark + row.split(kMark)[0];
      if (!rows.includes(label)) rows.push(label);
      rows.push(row);
    }
    scale.domain = rows;
    spec.height = kNarrowRow * rows.length;
    axis.labelExpr = `split(datum.value, '${kMark}')[0] ? '' : split(datum.value, '${kMark}')[1]`;
    axis.labelAlign = "left";
    axis.labelPadding = -4;
    axis.labelLimit = frame.clientWidth - 30;
  }

  async function draw(frame) {
    const theme = isDark() ? "dark" : "light";
    const state = `${theme} ${version}`;
    if (frame.dataset.state === state) return;
    const config = structuredClone(report.themes[theme]);
    config.legend.labelLimit = frame.clientWidth - 80;
    config.axis.labelLimit = frame.clientWidth * 0.38;
    if (frame.clientWidth < kNarrow) config.legend.labelFontSize = 10;
    frame.dataset.theme = theme;
    frame.dataset.state = state;
    views.get(frame)?.finalize();
    try {
      const spec = shown_spec(frame.dataset.chart, frame);
      if (!spec) {
        frame.replaceChildren(element("p", "Its devices are hidden.", "faint"));
        return;
      }
      const view = await vegaEmbed(frame, spec, {
        renderer: "svg",
        ast: true,  // interpreted: the page's policy forbids code from text
        config,
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: frame.dataset.chart,
        tooltip: { theme },
      });
      views.set(frame, view);
      frame.classList.add("drawn");
      // The page has the text alternative.
      frame.querySelector("svg.marks")?.setAttribute("aria-hidden", "true");
      frame.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    } catch (error) {
      frame.textContent = "This chart could not be drawn: " + error.message;
      console.error(error);
    }
  }

  // Draws charts on the screen first, the others when idle; folded ones once they are opened.
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
    waiting = frames.filter((frame) => frame.checkVisibility());
    work();
  }
  const watcher = new IntersectionObserver((seen) => {
    const now = seen.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    const first = now.filter((frame) => waiting.includes(frame));
    waiting = first.concat(waiting.filter((frame) => !now.includes(frame)));
  });
  frames.forEach((frame) => watcher.observe(frame));
  addEventListener("toggle", (event) => event.target.open && redraw(), true);

  // Keys replace the pointer: + and - the wheel, digits the legend. 0 draws the chart again.
  function press(frame, key) {
    const plot = frame.querySelector("g.mark-group.role-frame > g > path.background");
    if (!plot) return false;
    const box = plot.getBoundingClientRect();
    const middle = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    const place = { bubbles: true, cancelable: true, ...middle };
    if (key === "+" || key === "-") {
      const deltaY = key === "+" ? -200 : 200;
      plot.dispatchEvent(new WheelEvent("wheel", { ...place, deltaY, ctrlKey: true }));
      return true;
    }
    if (key === "0") {
      delete frame.dataset.state;
      redraw();
      return true;
    }
    const entry = frame.querySelectorAll(".role-legend-label text")[Number(key) - 1];
    entry?.dispatchEvent(new MouseEvent("click", place));
    return Boolean(entry);
  }
  addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const is_of_chart = isPlain && event.target.matches?.(".chart") && /^[-+0-9]$/.test(event.key);
    if (is_of_chart && press(event.target, event.key)) event.preventDefault();
  });

  // Times are shown in cycles or ns, where a chart has both forms.
  const time = document.getElementById("time");
  function show_time() {
    const unit = time.querySelector("select").value;
    for (const frame of frames) {
      const name = frame.dataset.chart;
      if (charts.has(twin_of(name))) frame.closest("figure").hidden = time_of(name)[2] !== unit;
    }
    redraw();
  }
  time.hidden = !frames.some((frame) => charts.has(twin_of(frame.dataset.chart)));
  time.addEventListener("change", show_time);

  // The devices to show: boxes for all of them, by API and by source, then one for each.
  const filter = document.getElementById("filter");
  function show_devices() {
    ++version;
    for (const one of document.querySelectorAll("main [data-device]"))
      one.hidden = hidden.has(one.dataset.device);
    fill_overview();
    const count = hidden.size ? `${labels.length - hidden.size} of ${labels.length}` : "all";
    filter.querySelector("summary").textContent = `Devices: ${count}`;
    for (const { box, members } of boxes) {
      const shown = members.filter((label) => !hidden.has(label)).length;
      box.checked = shown > 0;
      box.indeterminate = shown > 0 && shown < members.length;
    }
    redraw();
  }
  const boxes = [];
  function add_box(title, members) {
    const line = filter.querySelector("div").appendChild(element("label", ""));
    const box = line.appendChild(element("input", ""));
    box.type = "checkbox";
    box.checked = true;
    line.append(" " + title);
    boxes.push({ box, members });
    box.addEventListener("change", () => {
      for (const label of members) box.checked ? hidden.delete(label) : hidden.add(label);
      show_devices();
    });
  }
  const groups = new Map([["all", labels]]);
  for (const { label, group } of report.devices)
    groups.set(group, [...(groups.get(group) ?? []), label]);
  if (groups.size > 2) groups.forEach((members, name) => add_box(name, members));
  else add_box("all", labels);
  for (const { label } of report.devices) add_box(label, [label]);
  if (labels.length < 2) filter.remove();

  // A link into a folded part opens it.
  function open_target() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    target?.querySelectorAll(":scope > details.fold").forEach((fold) => (fold.open = true));
  }
  addEventListener("hashchange", open_target);
  document.getElementById("open").addEventListener("click", () => {
    document.querySelectorAll("main details").forEach((fold) => (fold.open = true));
    redraw();
  });

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
  label_button();
  open_target();
  show_time();
})();
