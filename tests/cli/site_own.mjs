// Looks at a site: node site_own.mjs MODULES CHROMIUM FOLDER. Opens the index, the page of its
// first card, and the comparison of its first two; prints problems and exits with 1.
import { check, finish, launch, sitePage } from "./browser.mjs";

const [modules, chromium, folder] = process.argv.slice(2);
const browser = await launch(modules, chromium);
const { page, address } = await sitePage(browser, folder, "the site", "light", 1280);
const fits = async (where) => check(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1), `${where} scrolls sideways`);
await page.goto(address + "index.html");
const cards = await page.$$eval("#cards tbody tr", (rows) => rows.map((row) => ({ page: row.querySelector("a").href, slug: row.querySelector("input").value, filled: row.querySelectorAll("td[data-v]").length })));
check(cards.length > 80 && cards[0].filled > 20, `${cards.length} cards; the first has ${cards[0].filled} figures`);
await fits("the index");
await page.goto(cards[0].page);
await page.waitForFunction(() => document.documentElement.dataset.charts === "drawn", { timeout: 240000 });
check((await page.$$(".chart svg.marks")).length > 5, "the first card has few charts");
await fits("the card");
await page.goto(`${address}compare.html?${cards.slice(0, 2).map(({ slug }) => `card=${slug}`).join("&")}`);
await page.waitForSelector("figure .chart.drawn svg.marks", { timeout: 120000 });
check((await page.$$("#table tbody tr")).length > 20, "the comparison has few figures");
await fits("the comparison");
await browser.close();
finish(`${cards.length} cards, a card and a comparison`);
