// Shared by the tests of a report's page: a headless Chromium with the page in it, and a list of
// problems.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const wrong = [];

// Notes `problem` unless the condition holds.
export const check = (right, problem) => {
  if (!right) wrong.push(problem);
};

// Ends the program: prints the problems, or `well`.
export function finish(well) {
  if (wrong.length) {
    console.error([...new Set(wrong)].slice(0, 20).join("\n"));
    process.exit(1);
  }
  console.log(well);
}

// `modules`: the folder that tools/charts/fetch names.
export async function launch(modules, chromium) {
  const puppeteer = await import(pathToFileURL(join(modules, "node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js")));
  return puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
}

// An empty page that notes console messages, errors and requests for which `allowed` does not hold.
async function watchedPage(browser, where, theme, width, allowed) {
  const page = await browser.newPage();
  page.on("console", (message) => check(false, `${where}: the console says: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${where}: ${error.message}`));
  page.on("request", (request) => {
    check(allowed(request.url()) || request.url().startsWith("data:"), `${where}: asks for ${request.url().slice(0, 100)}`);
  });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  return page;
}

// A page for the report in `folder` that asks for nothing else; and the report's address.
export async function reportPage(browser, folder, where, theme, width) {
  const address = pathToFileURL(join(folder, "report.html")).href;
  return { page: await watchedPage(browser, where, theme, width, (url) => url === address), address };
}

// A page for the site in `folder` that asks for nothing outside it; and the site's address.
export async function sitePage(browser, folder, where, theme, width) {
  const address = pathToFileURL(folder).href + "/";
  return { page: await watchedPage(browser, where, theme, width, (url) => url.startsWith(address)), address };
}

// Notes what axe finds on the page with the impact "serious" or "critical": missing names, low
// contrast, wrong roles. `modules`: as for launch().
export async function checkAccess(page, modules, where) {
  await page.evaluate(readFileSync(join(modules, "node_modules/axe-core/axe.min.js"), "utf8"));
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document, { preload: false }));
  check(passes.length > 10, `${where}: axe has looked at ${passes.length} rules only`);
  for (const { id, impact, nodes } of violations.filter((one) => ["serious", "critical"].includes(one.impact)))
    for (const { html, failureSummary } of nodes.slice(0, 3))
      check(false, `${where}: axe, ${id} (${impact}): ${html.slice(0, 200)}: ${failureSummary.replace(/\s+/g, " ").slice(0, 300)}`);
}
