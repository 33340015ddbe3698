// Opens a report whose records contain markup: node report_strings.mjs MODULES CHROMIUM FOLDER.
// Called by report_page.sh; prints problems and exits with 1.
import { check, finish, launch, reportPage } from "./browser.mjs";

const [modules, chromium, folder] = process.argv.slice(2);

const browser = await launch(modules, chromium);
const { page, address } = await reportPage(browser, folder, "strings", "light", 1400);
page.on("dialog", async (dialog) => {
  check(false, `a string of the records runs: ${dialog.message()}`);
  await dialog.dismiss();
});
await page.goto(address);
await page.waitForFunction(() => document.documentElement.dataset.charts === "drawn", { timeout: 240000 });
const seen = await page.evaluate(() => ({
  scripts: document.scripts.length,
  images: document.querySelectorAll("main img").length,
  handlers: [...document.querySelectorAll("main *")].filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on"))).length,
  headings: document.querySelectorAll("main h3").length,
  texts: document.querySelector("main").textContent.split("<img src=x onerror=alert(2)>").length - 1,
}));
check(seen.scripts === 5, `${seen.scripts} scripts`);
check(seen.images === 0 && seen.handlers === 0, `${seen.images} images and ${seen.handlers} handlers made of strings`);
check(seen.headings > 0 && seen.texts > seen.headings, `${seen.texts} texts show the string`);
await browser.close();
finish(`strings of records: ${seen.texts} times text`);
