// Builds the pages into src/backburner/serve/assets, the same bytes from the same sources on every machine.
//
//   node build.mjs                 what is committed
//   node build.mjs --out FOLDER    the same elsewhere, to compare
//   node build.mjs --tests         the unit tests into .tests, for `node --test`
//
// built.json holds a digest of the sources and one of each file that was made, so that a test without Node can
// tell whether they belong together.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ASSETS = join(HERE, "..", "src", "backburner", "serve", "assets");

// What stands in the assets' folder: name to source. Pages load the ones in LATE only when they need them.
const ENTRIES = { theme: "src/theme.ts", client: "src/client.tsx", style: "src/style/client.css" };
const LATE = { three: "src/space/three.ts", space: "src/space/space.ts" };
const SOURCES = ["src", "build.mjs", "package.json", "tsconfig.json"];

const COMMON = {
  absWorkingDir: HERE, bundle: true, charset: "utf8", format: "esm", jsx: "automatic", jsxImportSource: "preact",
  legalComments: "none", logLevel: "warning", metafile: true, minify: true, target: "es2022", write: false,
};

async function filesIn(path) {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  const found = await Promise.all(entries.map((entry) => filesIn(join(path, entry.name))));
  return found.flat();
}

const digest = (content) => createHash("sha256").update(content).digest("hex");

// One digest of all sources: of a line "digest  path" for each, in the order of the paths' bytes.
async function sourcesDigest() {
  const files = (await Promise.all(SOURCES.map((name) => filesIn(join(HERE, name))))).flat();
  const named = files.map((file) => [relative(HERE, file).split(sep).join("/"), file]);
  named.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const lines = await Promise.all(named.map(async ([path, file]) => `${digest(await readFile(file))}  ${path}\n`));
  return digest(lines.join(""));
}

// The licence of every npm package that is in a bundle.
async function licences(inputs) {
  const found = [...inputs].map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean);
  const texts = [];
  for (const name of [...new Set(found)].sort()) {
    const folder = join(HERE, "node_modules", name);
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    const text = file ? await readFile(join(folder, file), "utf8") : "";
    texts.push(`${name} ${about.version} (${about.license})\n\n${text.trim()}\n`);
  }
  return `What the pages are made with besides Backburner's own code.\n\n${texts.join(`\n${"-".repeat(78)}\n\n`)}`;
}

async function pages(out) {
  const made = new Map();
  const inputs = new Set();
  const add = async (entryPoints, external) => {
    const built = await build({ ...COMMON, entryPoints, external, outdir: out });
    for (const file of built.outputFiles) made.set(relative(out, file.path), file.contents);
    for (const path of Object.keys(built.metafile.inputs)) inputs.add(path);
  };
  await add(ENTRIES, []);
  for (const [name, source] of Object.entries(LATE)) {
    if (existsSync(join(HERE, source))) await add({ [name]: source }, ["./three.js"]);
  }
  made.set("index.html", await readFile(join(HERE, "src", "index.html")));
  made.set("LICENSES.txt", Buffer.from(await licences(inputs)));
  const files = Object.fromEntries([...made].sort().map(([name, content]) => [name, digest(content)]));
  made.set("built.json", Buffer.from(JSON.stringify({ sources: await sourcesDigest(), files }, null, 2) + "\n"));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const [name, content] of made) await writeFile(join(out, name), content);
}

async function tests() {
  const out = join(HERE, ".tests");
  await rm(out, { recursive: true, force: true });
  const entryPoints = (await readdir(join(HERE, "test"))).filter((name) => /\.test\.tsx?$/.test(name));
  await build({
    ...COMMON, entryPoints: entryPoints.map((name) => join("test", name)), outdir: out, outExtension: { ".js": ".mjs" },
    minify: false, platform: "node", write: true,
  });
}

const wanted = process.argv.indexOf("--out");
if (process.argv.includes("--tests")) await tests();
else await pages(wanted < 0 ? ASSETS : process.argv[wanted + 1]);
