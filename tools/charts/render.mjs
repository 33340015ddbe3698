// Draws Vega-Lite specifications: node render.mjs MODULES SCALE FOLDER. Called by
// tools/render-charts.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, scale, folder] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const load = (name, file) => import(pathToFileURL(join(modules, "node_modules", name, file)));
const vega = await load("vega", "build/vega.module.js");
const lite = await load("vega-lite", "build/index.js");
const { Resvg } = require("@resvg/resvg-js");

const suffix = ".vl.json";
const width = 760;  // for charts as wide as their page
const find = (path) =>
  readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    return statSync(file).isDirectory() ? find(file) : name.endsWith(suffix) ? [file] : [];
  });

const files = find(folder).sort();
if (!files.length) {
  console.error(`tools/render-charts: no ${suffix} in ${folder}`);
  process.exit(1);
}
for (const file of files) {
  try {
    const spec = JSON.parse(readFileSync(file, "utf8"));
    if (spec.width === "container") spec.width = width;
    const compiled = lite.compile(spec, { logger: vega.logger(vega.Error) }).spec;
    const view = new vega.View(vega.parse(compiled), { renderer: "none", logLevel: vega.Error });
    const svg = await view.toSVG();
    view.finalize();
    const name = file.slice(0, -suffix.length);
    writeFileSync(`${name}.svg`, svg);
    const drawing = new Resvg(svg, { fitTo: { mode: "zoom", value: Number(scale) }, font: { defaultFontFamily: "DejaVu Sans" } });
    writeFileSync(`${name}.png`, drawing.render().asPng());
  } catch (error) {
    console.error(`tools/render-charts: ${file}: ${error.message}`);
    process.exit(1);
  }
}
console.log(`${files.length} charts drawn in ${folder}`);
