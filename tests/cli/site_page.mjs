// Opens a site: node site_page.mjs MODULES CHROMIUM FOLDER BROKEN [PICTURES]. Called by
// site_page.sh; prints problems and exits with 1.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, checkAccess, finish, launch, sitePage } from "./browser.mjs";

const [modules, chromium, folder, broken, pictures] = process.argv.slice(2);
const browser = await launch(modules, chromium);

const rows = (page) => page.$$eval("#cards tbody tr", (all) => all.filter((row) => !row.hidden).map((row) => row.querySelector("a").textContent));
const picture = (page, name) => pictures && page.screenshot({ path: join(pictures, `site-${name}.png`) });

// Pages without names of controls, tables without titles or texts wider than the screen.
const faults = () => {
  const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth + 1 ? ["the page scrolls sideways"] : [];
  const nameless = [...document.querySelectorAll("input, select, button, a[href]")].filter(
    (one) => one.checkVisibility() && !one.textContent.trim() && !one.ariaLabel && !one.closest("label") && !one.labels?.length
  );
  const tables = [...document.querySelectorAll("table")].filter((table) => table.rows.length && !table.querySelector("th[scope=col]"));
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return [...wide, ...nameless.map((one) => `no name: ${one.outerHTML.slice(0, 80)}`), ...tables.map(() => "a table without titles"), ...ids.filter((id, i) => ids.indexOf(id) !== i)];
};

async function index(theme, width) {
  const where = `index, ${theme}, ${width}`;
  const { page, address } = await sitePage(browser, folder, where, theme, width);
  await page.goto(address + "index.html");
  for (const fault of await page.evaluate(faults)) check(false, `${where}: ${fault}`);
  await checkAccess(page, modules, where);
  await picture(page, `index-${width}`);
  const all = await rows(page);
  check(all.length > 7, `${where}: the cards are ${all.join(" | ")}`);

  const column = await page.$$eval("#cards thead th", (heads) => heads.findIndex((head) => head.textContent.startsWith("memory read")));
  const sort = () => page.$$eval("#cards thead button", (buttons, at) => buttons[at].click(), column);
  const values = () => page.$$eval("#cards tbody tr", (lines, at) => lines.map((line) => Number(line.cells[at].dataset.v)).filter((value) => !Number.isNaN(value)), column);
  await sort();
  const down = await values();
  await sort();
  const up = await values();
  check(down.length > 1 && down[0] > down.at(-1) && up.join() === [...down].reverse().join(), `${where}: sorted by memory read: ${down.join()}, then ${up.join()}`);

  await page.select("[data-filter=source]", "published");
  const published = await rows(page);
  check(published.length > 0 && published.length < all.length && published.every((title) => title.includes("2019")), `${where}: published cards are ${published.join(" | ")}`);
  await page.select("[data-filter=source]", "measured");
  await page.select("[data-filter=apis]", "Vulkan");
  check((await rows(page)).length === 2, `${where}: cards with Vulkan are ${await rows(page)}`);
  await page.select("[data-filter=apis]", "");
  await page.select("[data-filter=vendor]", "NVIDIA");
  check((await rows(page)).length === 2, `${where}: measured NVIDIA cards are ${await rows(page)}`);

  const button = () => page.$eval("[type=submit]", (one) => one.disabled);
  check(await button(), `${where}: no card can be compared`);
  await page.$$eval("#cards tbody tr:not([hidden]) input", (boxes) => boxes.forEach((box) => box.click()));
  check(!(await button()), `${where}: two cards cannot be compared`);
  await Promise.all([page.waitForNavigation(), page.click("[type=submit]")]);
  check(page.url().startsWith(address + "compare.html?card="), `${where}: compares at ${page.url()}`);
  await compare(page, `compare, ${theme}, ${width}`);
  await page.close();
}

// The comparison of the two measured cards.
async function compare(page, where) {
  await page.waitForSelector("figure .chart.drawn svg.marks", { timeout: 60000 });
  for (const fault of await page.evaluate(faults)) check(false, `${where}: ${fault}`);
  await checkAccess(page, modules, where);
  const seen = await page.evaluate(() => ({
    titles: [...document.querySelectorAll("#table thead th")].map((head) => head.textContent),
    lines: [...document.querySelectorAll("#table tbody tr")].map((line) => [...line.cells].map((cell) => cell.textContent)),
    legend: [...document.querySelector("svg.marks").querySelectorAll(".role-legend-label text")].map((text) => text.textContent),
    colors: new Set([...document.querySelectorAll("svg.marks .mark-line path")].map((path) => path.getAttribute("stroke"))).size,
    problem: document.getElementById("problem").textContent,
    marks: [...document.querySelectorAll("figure .chart")].map((frame) => frame.dataset.chart),
  }));
  check(seen.titles.join() === "figure,NVIDIA H100 80GB HBM3,NVIDIA H200", `${where}: the columns are ${seen.titles}`);
  const read = seen.lines.find(([label]) => label.startsWith("memory read, "));
  check(read?.[2].includes("*") && read[1] && !read[1].includes("*"), `${where}: memory read is ${read}`);
  check(seen.lines.some(([label]) => label === "through Vulkan"), `${where}: no line of Vulkan`);
  check(seen.legend.includes("NVIDIA H200") && seen.legend.includes("NVIDIA H100 80GB HBM3"), `${where}: the legend is ${seen.legend}`);
  check(seen.colors === 2, `${where}: lines of ${seen.colors} colours`);
  check(seen.problem === "" && seen.marks.length > 0, `${where}: ${seen.problem}; charts ${seen.marks}`);
  await picture(page, where.replace(/[^a-z0-9]+/g, "-"));
  const slugs = await page.$$eval(".choice input", (boxes) => boxes.map((box) => box.value));
  check(slugs.length > 6, `${where}: ${slugs.length} cards to choose from`);
  await page.goto(page.url().replace(/\?.*/, "?") + slugs.map((slug) => `card=${slug}`).join("&"));
  const many = await page.evaluate(() => ({ problem: document.getElementById("problem").textContent, columns: document.querySelectorAll("#table thead th").length }));
  check(many.problem === `These are the first 6 of ${slugs.length} cards.` && many.columns === 7, `${where}: all cards give '${many.problem}' and ${many.columns} columns`);
  await page.goto(page.url().replace(/&.*/, ""));
  const { problem, open } = await page.evaluate(() => ({ problem: document.getElementById("problem").textContent, open: document.getElementById("choice").open }));
  check(problem === "Choose two to six cards." && open, `${where}: one card gives '${problem}'`);
}

// The page of a card draws its report.
async function card(theme, width) {
  const where = `card, ${theme}, ${width}`;
  const { page, address } = await sitePage(browser, folder, where, theme, width);
  await page.goto(address + "index.html");
  const target = await page.$$eval("#cards a", (links) => links.find((link) => link.textContent === "NVIDIA H200").href);
  await page.goto(target);
  await page.waitForFunction(() => document.documentElement.dataset.charts === "drawn", { timeout: 120000 });
  for (const fault of await page.evaluate(faults)) check(false, `${where}: ${fault}`);
  await checkAccess(page, modules, where);
  const seen = await page.evaluate(() => ({
    drawn: document.querySelectorAll(".chart svg.marks").length,
    links: [...document.querySelectorAll("main a[href$='.csv.gz']")].map((link) => link.href),
    listed: [...document.querySelectorAll("section a[href$='.csv.gz']")].map((link) => link.href),
    texts: document.querySelectorAll("a.md").length,
  }));
  check(seen.drawn > 2, `${where}: ${seen.drawn} charts`);
  check(seen.links.length > 2 && seen.links.every((link) => seen.listed.includes(link)), `${where}: tables ${seen.links}`);
  check(seen.texts === 0, `${where}: names tables that a site does not have`);
  await picture(page, `card-${width}`);
  await page.close();
}

// Pages whose data cannot be read say so in one sentence, and keep what needs no data. `broken`: a
// copy of the site in which the data of the H200 are damaged and those of the H100 are missing.
async function broken_data() {
  // `old`: as a browser without the function that unpacks.
  const open = async (folder, name, old) => {
    const page = await browser.newPage();
    page.on("pageerror", (error) => check(false, `broken data, ${name}: ${error.message}`));
    if (old) await page.evaluateOnNewDocument(() => delete globalThis.DecompressionStream);
    await page.goto(`${pathToFileURL(folder).href}/${name}`);
    return page;
  };
  const addresses = await open(folder, "index.html");
  const link = (title) => addresses.$$eval("#cards a", (links, wanted) => links.find((link) => link.textContent === wanted).getAttribute("href"), title);
  const [h100, h200] = [await link("NVIDIA H100 80GB HBM3"), await link("NVIDIA H200")];
  await addresses.close();
  for (const [where, name, old, words] of [
    [broken, h200, false, "cannot be unpacked"],
    [broken, h100, false, "data.js is not there"],
    [folder, h200, true, "no DecompressionStream"],
  ]) {
    const page = await open(where, name, old);
    await page.waitForSelector("[role=alert]", { timeout: 60000 });
    const seen = await page.evaluate(() => ({
      text: document.querySelector("main").textContent,
      charts: document.documentElement.dataset.charts,
      kept: document.querySelectorAll("#key tbody tr, [aria-labelledby=h-key] tbody tr").length,
    }));
    check(seen.text.includes(words) && seen.charts === "failed" && seen.kept > 5, `broken data: ${name} says '${seen.text}', ${seen.kept} figures`);
    await checkAccess(page, modules, `broken data, ${name}`);
    await page.close();
  }
  const slug = (name) => name.split("/").at(-2);
  const page = await open(broken, `compare.html?card=${slug(h100)}&card=${slug(h200)}`);
  await page.waitForFunction(() => document.querySelectorAll("#problem p").length === 2, { timeout: 60000 });
  const lines = await page.$$eval("#problem p", (all) => all.map((line) => line.textContent));
  const table = await page.$$eval("#table tbody tr", (all) => all.length);
  check(lines[0].startsWith("NVIDIA H100 80GB HBM3: ") && lines[1].startsWith("NVIDIA H200: ") && table > 5, `broken data: the comparison says ${lines}, ${table} figures`);
  await page.close();
}

await index("light", 1280);
await index("dark", 400);
await card("light", 1280);
await broken_data();
await browser.close();
finish("index, comparison and card: sorted, filtered, compared, drawn; broken data named");
