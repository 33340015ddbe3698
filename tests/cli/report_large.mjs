// Opens a large report: node report_large.mjs MODULES CHROMIUM FOLDER. Called by report_large.sh;
// prints problems and exits with 1.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { check, finish, launch, reportPage } from "./browser.mjs";

const [modules, chromium, folder] = process.argv.slice(2);
const kMostSeconds = 60;  // on a machine busy with other tests

const browser = await launch(modules, chromium);
const { page, address } = await reportPage(browser, folder, "large report", "light", 1400);
const started = performance.now();
const seconds = () => (performance.now() - started) / 1000;
await page.goto(address, { waitUntil: "domcontentloaded", timeout: 1000 * kMostSeconds });
await page
  .waitForFunction(() => document.querySelector(".chart svg.marks g.role-mark > *") !== null, { timeout: 1000 * Math.max(1, kMostSeconds - seconds()) })
  .catch(() => check(false, `no chart is drawn within ${kMostSeconds} s`));
const first = seconds();
const links = await page.$$eval("nav a", (all) => all.map((link) => ({ to: link.getAttribute("href"), known: document.getElementById(link.getAttribute("href").slice(1)) !== null })));
check(links.length > 10, `${links.length} links in the navigation`);
check(links.every((link) => link.known), `links that lead nowhere: ${links.filter((link) => !link.known).map((link) => link.to).join(", ")}`);
const tables = await page.$$eval("main .scroll table", (all) => all.filter((table) => !table.closest(".findings")).map((table) => ({ rows: table.tBodies[0].rows.length, text: table.parentElement.parentElement.lastElementChild.textContent })));
check(tables.length > 200, `${tables.length} tables`);
for (const { rows, text } of tables) {
  const [, shown, points, file] = text.match(/^(\d+) of (\d+) rows.*; all: (tables\/\S+\.csv), as text: tables\/\S+\.md$/) ?? [];
  check(Number(shown) === rows && rows <= Number(points), `a table of ${rows} rows says: ${text}`);
  check(rows === Number(points) || text.includes(`(the first ${rows})`) || text.includes("other configurations"), `a table leaves out rows and says: ${text}`);
  check(existsSync(join(folder, file ?? "none")), `no file: ${text}`);
}
await browser.close();
finish(`in Chromium: the first chart after ${first.toFixed(1)} s, ${links.length} links in the navigation`);
