// Opens a report: node report_page.mjs MODULES CHROMIUM FOLDER [PICTURES]. Called by
// report_page.sh; prints problems and exits with 1.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkAccess, finish, launch, reportPage } from "./browser.mjs";

const [modules, chromium, folder, pictures] = process.argv.slice(2);

// The number of marks per class in a specification: one for each value of its layer's data, for
// lines one per series.
const classes = { point: "mark-symbol", bar: "mark-rect", tick: "mark-rect", rect: "mark-rect", rule: "mark-rule", line: "mark-line" };
function expected(spec) {
  const counts = {};
  for (const layer of spec.layer) {
    const values = (layer.data ?? spec.data).values;
    const name = classes[layer.mark.type];
    if (!name) continue;
    const [, needed] = layer.transform?.[0].filter?.match(/^isValid\(datum\.(\w+)\)$/) ?? [];
    const marks =
      layer.mark.type === "line"
        ? new Set(values.map((value) => value.series + value.source)).size
        : values.filter((value) => !needed || value[needed] !== undefined).length;
    counts[name] = (counts[name] ?? 0) + marks;
  }
  return counts;
}

// The charts in the page: marks by class, texts or whole charts that extend beyond the edge, cut
// legends, and whether the menu lies on the title.
const look = () => {
  const covered = (frame) => {
    const title = document.createRange();
    title.selectNodeContents(frame.closest("figure").querySelector("figcaption"));
    const menu = frame.querySelector("summary").getBoundingClientRect();
    return [...title.getClientRects()].some((line) => line.right > menu.left && line.left < menu.right && line.bottom > menu.top && line.top < menu.bottom);
  };
  return [...document.querySelectorAll(".chart")].filter((frame) => frame.checkVisibility()).map((frame) => {
    const svg = frame.querySelector("svg.marks");
    if (!svg) return { name: frame.dataset.chart, missing: frame.textContent.slice(0, 200) };
    const outer = frame.getBoundingClientRect();
    const box = svg.getBoundingClientRect();
    const counts = {};
    for (const group of svg.querySelectorAll("g.role-mark")) {
      const name = [...group.classList].find((one) => one.startsWith("mark-") && one !== "mark-group");
      if (name) counts[name] = (counts[name] ?? 0) + group.querySelectorAll(":scope > path, :scope > line").length;
    }
    const cut = [...svg.querySelectorAll("text")].filter((text) => {
      const own = text.getBoundingClientRect();
      // An axis hides labels that have no room.
      if (getComputedStyle(text).opacity === "0") return false;
      return own.width > 0 && (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1);
    });
    return {
      name: frame.dataset.chart,
      theme: frame.dataset.theme,
      marks: Number(frame.dataset.marks),
      counts,
      cut: cut.map((text) => text.textContent),
      short: [...svg.querySelectorAll(".role-legend-label text")].map((text) => text.textContent).filter((text) => text.endsWith("\u2026")),
      covered: covered(frame),
      indent: outer.width < 500 ? svg.querySelector("g.role-frame path.background").getBoundingClientRect().left - outer.left : 0,
      wide: box.right - outer.right,
    };
  });
};

// Clicks, drags and turns the wheel on the first chart of a name: a legend's entry shows its series
// alone, dragging and Ctrl with the wheel change the span of the axes, a double click restores it.
async function handle(page, name) {
  const frame = await page.$(`.chart[data-chart="${name}"]`);
  await frame.evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));
  const marks = () =>
    frame.evaluate((one) => {
      const own = [...one.querySelectorAll("g.role-mark.mark-symbol > path")];
      return { dim: own.filter((mark) => Number(getComputedStyle(mark).opacity) < 0.1).length, all: own.length };
    });
  const spans = () => frame.evaluate((one) => [...one.querySelectorAll(".role-axis-label text")].map((text) => text.textContent).sort().join(" "));
  const settled = () => page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));

  check((await marks()).dim === 0, `${name}: marks are dim before anything is clicked`);
  const { series } = JSON.parse(readFileSync(join(folder, "charts", `${name}.vl.json`), "utf8")).data.values[0];
  const label = await frame.evaluateHandle(
    (one, text) => [...one.querySelectorAll(".role-legend-label text")].find((entry) => entry.textContent === text),
    series
  );
  await label.click();
  await settled();
  const clicked = await marks();
  check(clicked.dim > 0 && clicked.dim < clicked.all, `${name}: a click on the legend dims ${clicked.dim} of ${clicked.all} marks`);
  await label.click({ count: 2 });
  await settled();

  const plot = await (await frame.$("g.mark-group.role-frame > g > path.background")).boundingBox();
  const [x, y] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const before = await spans();
  await page.mouse.move(x, y);
  await page.keyboard.down("Control");
  await page.mouse.wheel({ deltaY: -300 });
  await page.keyboard.up("Control");
  await settled();
  const near = await spans();
  check(near !== before, `${name}: Ctrl and the wheel do not zoom`);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 60, { steps: 4 });
  await page.mouse.up();
  await settled();
  check((await spans()) !== near, `${name}: dragging does not move it`);
  await page.mouse.click(x + 5, y + 5, { count: 2 });
  await settled();
  const after = await spans();
  check(after === before, `${name}: a double click does not show all again: ${after} instead of ${before}`);
}

// The chart that has the focus obeys keys: + zooms, a number shows one series alone, 0 shows all.
async function type(page, name) {
  const frame = await page.$(`.chart[data-chart="${name}"]`);
  const settled = () => page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  const look = () =>
    frame.evaluate((one) => ({
      dim: [...one.querySelectorAll("g.role-mark.mark-symbol > path")].filter((mark) => Number(getComputedStyle(mark).opacity) < 0.1).length,
      spans: [...one.querySelectorAll(".role-axis-label text")].map((text) => text.textContent).sort().join(" "),
    }));
  await frame.focus();
  const before = await look();
  for (const key of ["+", "+", "1"]) {
    await page.keyboard.press(key);
    await settled();
  }
  const after = await look();
  check(after.spans !== before.spans, `${name}: the key + does not zoom`);
  check(after.dim > 0, `${name}: the key 1 dims nothing`);
  await page.keyboard.press("0");
  await page.waitForFunction(() => document.documentElement.dataset.charts === "drawn", { timeout: 60000 });
  await settled();
  const again = await look();
  check(again.spans === before.spans && again.dim === 0, `${name}: the key 0 does not show all: ${JSON.stringify(again)}`);
}

// The table of key figures has a column per card with figures, nothing scrolls sideways, and a
// click on a figure sorts. The filter hides devices everywhere.
async function summary(page, where) {
  const names = () => page.$$eval(".keys thead a", (all) => all.map((link) => link.textContent));
  const all = await names();
  check(all.join(" | ") === "H200 #1 | H100 80GB HBM3 | H200 #2 | AMD EPYC", `${where}: the summary has ${all.join(" | ")}`);
  const texts = await page.$eval(".keys", (one) => one.textContent);
  for (const text of ["132 SM", "KiB", "L1, B/unit/cycle", "% of the limit"]) check(texts.includes(text), `${where}: no '${text}' in the summary`);
  const click = () => page.evaluate(() => [...document.querySelectorAll(".keys tbody button")].find((one) => one.textContent === "units").click());
  const units = () => page.$$eval(".keys tbody tr", (rows) => [...rows.find((row) => row.cells[0].textContent === "units").cells].slice(1).map((cell) => parseInt(cell.textContent, 10)));
  await click();
  const down = await units();
  await click();
  const up = await units();
  check(down[0] > down.at(-1) && up.join() === [...down].reverse().join(), `${where}: sorted by units: ${down.join()}, then ${up.join()}`);

  const drawn = () => page.waitForFunction(() => document.documentElement.dataset.charts === "drawn", { timeout: 240000 });
  const legends = () => page.$$eval(".chart .role-legend-label text", (all) => all.filter((text) => text.checkVisibility()).map((text) => text.textContent).filter((text) => text.startsWith("NVIDIA H200 #2, OpenCL")).length);
  check((await legends()) > 0, `${where}: no legend names the H200`);
  const box = (name) => page.evaluate((title) => [...document.querySelectorAll("#filter label")].find((one) => one.textContent.trim() === title).querySelector("input").click(), name);
  await box("NVIDIA H200 #2, OpenCL");
  await drawn();
  check((await names()).length === 3 && (await legends()) === 0, `${where}: a hidden device is still there`);
  const cards = await page.$$eval(".device", (all) => all.filter((card) => !card.hidden).length);
  check(cards === 10, `${where}: ${cards} cards with one device hidden`);
  await box("NVIDIA H200 #2, OpenCL");
  await drawn();
}

// The contents name the part on the screen, open on a click and close when one of them is chosen.
async function contents(page, where) {
  const state = () => page.$eval("#contents", (one) => ({ open: one.open, title: one.querySelector("summary").textContent }));
  check((await state()).title === "Contents: Summary", `${where}: at the top: ${(await state()).title}`);
  await page.click("#contents summary");
  const seen = await page.$$eval("#contents a", (all) => all.filter((link) => link.checkVisibility()).map((link) => link.textContent));
  check(seen.includes("Bandwidth of device memory"), `${where}: the contents are ${seen.join(" | ")}`);
  await page.evaluate(() => [...document.querySelectorAll("#contents a")].find((link) => link.textContent === "Devices").click());
  await page.waitForFunction(() => document.querySelector("#contents summary").textContent === "Contents: Devices", { timeout: 20000 });
  check(!(await state()).open, `${where}: the contents stay open`);
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  const [map, histogram] = await page.$$eval(".beside figure", (all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  check(histogram.left >= map.right && histogram.top === map.top, `${where}: a histogram is not beside its map`);
}

// On A4 paper there are no controls and no long tables, and every chart is complete.
async function print(page) {
  await page.emulateMediaType("print");
  // Charts do not draw themselves again for paper. One that kept its height would have stripes.
  const striped = await page.evaluate(() => {
    document.body.style.width = "718px";
    const is_striped = (svg) => {
      const { width, height } = svg.getBoundingClientRect();
      return height / width > 1.02 * (svg.viewBox.baseVal.height / svg.viewBox.baseVal.width);
    };
    const count = [...document.querySelectorAll(".chart svg.marks")].filter((svg) => svg.checkVisibility() && is_striped(svg)).length;
    document.body.style.width = "";
    return count;
  });
  check(striped === 0, `print: ${striped} charts have blank stripes`);
  await page.setViewport({ width: 718, height: 1000 });
  const seen = await page.evaluate(() => {
    const shown = (one) => one.checkVisibility();
    const all = (selector) => [...document.querySelectorAll(selector)];
    // Whether each word of a cell stands on one line.
    const words = all(".keys td").flatMap((cell) => {
      const text = cell.firstChild;
      return [...(text?.data ?? "").matchAll(/[^ -]+/g)].map(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length === 1;
      });
    });
    const wide = (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
    return {
      controls: all("#bar, .skip, .vega-embed details, #theme, [aria-label='About this report'] details").filter(shown).length,
      words: words.length,
      broken: words.filter((whole) => !whole).length,
      tables: all(".scroll").filter(shown).length,
      pointers: all("a.csv").filter(shown).length,
      charts: all(".chart svg.marks").filter(shown).length,
      cut: all(".chart svg.marks, .keys table").filter(shown).filter(wide).length,
    };
  });
  check(seen.controls === 0, `print: ${seen.controls} controls are on paper`);
  check(seen.tables === 0 && seen.pointers > 0, `print: ${seen.tables} long tables and ${seen.pointers} pointers to their files`);
  check(seen.words > 0 && seen.broken === 0, `print: ${seen.broken} of ${seen.words} words of the summary are broken`);
  check(seen.charts > 0 && seen.cut === 0, `print: ${seen.cut} of ${seen.charts} charts are wider than the paper`);
  const pdf = await page.pdf({ format: "A4", margin: { left: "10mm", right: "10mm", top: "10mm", bottom: "10mm" }, timeout: 240000 });
  check(pdf.length > 50000, `print: a PDF of ${pdf.length} bytes`);
  if (pictures) writeFileSync(join(pictures, "report.pdf"), pdf);
}

// Compares each chart on the screen with its specification in the folder.
async function inspect(page, where, theme) {
  const wide = await page.$$eval(".keys, .keys *", (all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map((one) => one.textContent));
  check(wide.length === 0, `${where}: the summary cuts or scrolls ${wide.slice(0, 3).join(" | ")}`);
  const charts = await page.evaluate(look);
  check(charts.length > 0, `${where}: no charts`);
  for (const chart of charts) {
    const here = `${where}: ${chart.name}`;
    if (chart.missing !== undefined) {
      check(false, `${here} is not drawn: ${chart.missing}`);
      continue;
    }
    const spec = JSON.parse(readFileSync(join(folder, "charts", `${chart.name}.vl.json`), "utf8"));
    const marks = expected(spec);
    for (const [name, count] of Object.entries(marks)) {
      check(chart.counts[name] === count, `${here} has ${chart.counts[name]} ${name} instead of ${count}`);
    }
    check(Object.values(marks).some((count) => count >= chart.marks), `${here} says that it draws ${chart.marks} marks`);
    check(chart.theme === theme, `${here} is ${chart.theme}`);
    check(chart.cut.length === 0, `${here} cuts ${chart.cut.slice(0, 3).join(" | ")}`);
    const has_rows = spec.encoding?.y?.field === "row";
    check(!has_rows || chart.short.length === 0, `${here} has a legend that is cut short: ${chart.short[0]}`);
    check(!has_rows || chart.indent < 40, `${here} has ${chart.indent} px beside its bars on a narrow screen`);
    check(!chart.covered, `${here} has its menu on its title`);
    check(chart.wide <= 1, `${here} is ${chart.wide} px too wide`);
  }
  return charts.length;
}

// The parts of a page with everything open: full tables, names for all regions and controls, links.
async function structure(page, where, width) {
  const parts = await page.evaluate(() => {
    const drawing = [...document.querySelectorAll("ol.levels")].map((list) => [...list.querySelectorAll("b")].map((name) => name.textContent).join());
    const tables = [...document.querySelectorAll("main table")];
    const figures = [...document.querySelectorAll("figure")];
    const focusable = "a, button, input, select, summary, [tabindex]";
    const named = (one) => (one.textContent.trim() || one.getAttribute("aria-label") || "") !== "";
    return {
      drawing,
      devices: document.querySelectorAll("main section.device").length,
      empty: tables.filter((table) => !table.tBodies[0].rows.length || !table.tHead.rows[0].cells.length).length,
      uneven: tables.filter((table) => [...table.tBodies[0].rows].some((row) => row.cells.length !== table.tHead.rows[0].cells.length)).length,
      unnamed: document.querySelectorAll(".scroll:not([aria-label]), main section:not([aria-labelledby]), figure:not([aria-labelledby])").length,
      // Axe calls text outside of landmarks a fault. Vega's tooltip floats above the page.
      outside: [...document.querySelectorAll("body > :not(header, main, nav, [role=region], .skip, noscript, script, template, #vg-tooltip-element)")].map((one) => one.outerHTML.slice(0, 80)),
      silent: figures.filter((figure) => !figure.querySelector("figcaption").textContent || !figure.querySelector("details p")?.textContent).length,
      lost: [...document.querySelectorAll("nav a, a.skip")].filter((link) => !document.getElementById(link.getAttribute("href").slice(1))).length,
      nested: document.querySelectorAll(["a", "button", "summary"].flatMap((outer) => focusable.split(", ").map((inner) => `${outer} ${inner}`)).join(", ")).length,
      speechless: [...document.querySelectorAll("summary, button, a")].filter((one) => one.checkVisibility() && !named(one)).length,
    };
  });
  check(parts.drawing.includes("local memory,L1,L2 near,L2 far,memory"), `${where}: hierarchies ${parts.drawing.join(" | ")}`);
  check(parts.devices === 11, `${where}: ${parts.devices} devices`);
  check(parts.empty === 0 && parts.uneven === 0, `${where}: ${parts.empty} tables are empty, ${parts.uneven} have rows of other lengths`);
  check(parts.unnamed === 0, `${where}: ${parts.unnamed} parts have no name`);
  check(parts.outside.length === 0, `${where}: outside of the page's landmarks stands ${parts.outside.join()}`);
  check(parts.silent === 0, `${where}: ${parts.silent} charts without a title or words`);
  check(parts.lost === 0, `${where}: ${parts.lost} links lead nowhere`);
  check(parts.nested === 0, `${where}: ${parts.nested} controls stand inside others`);
  check(parts.speechless === 0, `${where}: ${parts.speechless} controls have no name`);
  const scroll = await page.evaluate(() => document.documentElement.scrollWidth);
  check(scroll <= width, `${where}: the page is ${scroll} px wide`);
}

// `whole`: opens and inspects everything, not just the first screen.
async function open(browser, theme, width, whole) {
  const where = `${theme}, ${width} px`;
  const { page, address } = await reportPage(browser, folder, where, theme, width);
  await page.goto(address);
  const drawn = () => page.waitForFunction(() => document.documentElement.dataset.charts === "drawn", { timeout: 240000 });
  const picture = async (name, options) => pictures && (await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`), ...options }));
  await drawn();
  await picture("first");
  let count = await inspect(page, where, theme);
  await checkAccess(page, modules, where);
  const open_charts = await page.$$eval(".chart", (all) => all.filter((frame) => frame.checkVisibility() && !frame.dataset.chart.endsWith("-histogram")).length);
  check(open_charts > 0 && open_charts <= 7, `${where}: ${open_charts} charts are not folded`);
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await back();
  check(before === (theme === "dark" ? "rgb(21, 24, 27)" : "rgb(255, 255, 255)"), `${where}: the background is ${before}`);

  const interactive = whole && width > 1000;
  if (interactive) await summary(page, where);
  if (interactive) await contents(page, where);
  if (whole) {
    await page.click("#open");
    await drawn();
    count = await inspect(page, where, theme);
    await structure(page, where, width);
    await checkAccess(page, modules, `${where}, all open`);
    await picture("report", { fullPage: true });
  }
  if (interactive) {
    await page.click("#theme");
    await drawn();
    check((await back()) !== before, `${where}: the button does not change the theme`);
    await inspect(page, where, "dark");
    await handle(page, "atomic-contention-local-chain");
    await type(page, "atomic-contention-local-chain");
    await page.select("#time select", "ns");
    await drawn();
    await inspect(page, where, "dark");
    await print(page);
  }
  await page.close();
  return count;
}

const browser = await launch(modules, chromium);
await open(browser, "light", 400, false);
await open(browser, "dark", 1400, false);
await open(browser, "dark", 400, true);
const count = await open(browser, "light", 1400, true);
await browser.close();
finish(`${count} charts, two themes, two widths: all drawn`);
