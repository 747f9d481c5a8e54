// Tables that sort and narrow down, the list of episodes that figures lead to, and parts that are loaded when
// they are looked at. Names in records are a stranger's: they are only ever set as text, never as markup.
"use strict";
const facts = JSON.parse(document.getElementById("facts").textContent);
const byId = (id) => document.getElementById(id);

function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  const { dataset, ...others } = properties;
  Object.assign(element, others);
  Object.assign(element.dataset, dataset ?? {});
  element.append(...children);
  return element;
}

// --- files beside the page: scripts, as a page that was opened from a disk may load nothing else ---------

const waiting = new Map();
globalThis.backburner = {
  receive(name, value) {
    waiting.get(name)?.resolve(value);
  },
};

function load(file) {
  const name = file.split("/").pop().replace(/\.js$/, "");
  if (!waiting.has(name)) {
    const promise = {};
    promise.value = new Promise((resolve, reject) => Object.assign(promise, { resolve, reject }));
    waiting.set(name, promise);
    const script = make("script", { src: file, async: true });
    script.addEventListener("error", () => promise.reject(new Error(`${file} could not be loaded: is it beside the page?`)));
    document.head.append(script);
  }
  return waiting.get(name).value;
}

// --- tables ----------------------------------------------------------------------------------------------

function valueOf(cell) {
  if (!cell) return "";
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  const text = cell.textContent.trim();
  if (["", "–", "unknown", "none"].includes(text)) return "";
  const number = Number(text.replace(/[,%]/g, "").split(/[\s[]/)[0].replace("<", ""));
  return Number.isNaN(number) ? text : number;
}

// Numbers by size, words by letter, and what is not there last, whichever the direction.
function compare(one, other, sign) {
  if (one === "" || other === "") return (one === "") - (other === "");
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  return sign * String(one).localeCompare(String(other), undefined, { numeric: true });
}

function sortable(table, sort) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, index) => {
    const button = make("button", { type: "button" });
    button.append(...[...head.childNodes].filter((node) => !node.classList?.contains("unit")));
    head.prepend(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("left") || index === 0 ? "ascending" : "descending";
      const other = first === "ascending" ? "descending" : "ascending";
      const direction = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", direction);
      sort(index, direction === "ascending" ? 1 : -1);
    });
  });
}

// Rows are sorted within their group; a group's name stays on top.
function sortRows(table, index, sign) {
  for (const body of table.tBodies) {
    const fixed = [...body.rows].filter((row) => row.classList.contains("group"));
    const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
    const keys = new Map(rows.map((row) => [row, valueOf(row.cells[index])]));
    rows.sort((one, other) => compare(keys.get(one), keys.get(other), sign));
    body.append(...fixed, ...rows);
  }
}

const FEW_ROWS = 8;

function filterable(table) {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  if (rows.length <= FEW_ROWS) return;
  const told = make("output", { className: "soft small" });
  const input = make("input", { type: "search", placeholder: "words, all of which a row has" });
  const name = table.closest("[aria-label]")?.getAttribute("aria-label") ?? "the table";
  input.setAttribute("aria-label", `filter rows of ${name}`);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const body of table.tBodies) {
      const group = [...body.rows].find((row) => row.classList.contains("group"));
      const head = group?.textContent.toLowerCase() ?? "";
      let shown = 0;
      for (const row of body.rows) {
        if (row === group) continue;
        const text = `${head} ${row.textContent.toLowerCase()}`;
        row.hidden = !words.every((word) => text.includes(word));
        shown += !row.hidden;
      }
      if (group) group.hidden = !shown;
      left += shown;
    }
    told.textContent = words.length ? `${left} rows` : "";
  });
  const tools = make("div", { className: "tools" }, make("label", {}, "filter ", input), told);
  if (table.querySelector("tr.article")) {
    const box = make("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => table.classList.toggle("ours", !box.checked));
    input.parentElement.after(make("label", {}, box, "the article's rows (in italics)"));
  }
  table.closest(".scroll").before(tools);
}

for (const table of document.querySelectorAll("table.sortable")) {
  sortable(table, (index, sign) => sortRows(table, index, sign));
  filterable(table);
}

// --- parts that are loaded when they are opened, or opened when something leads into them ----------------

function fill(part) {
  const place = part.querySelector(".later");
  load(part.dataset.file).then(
    (markup) => { place.innerHTML = markup; },  // drawn by us, with all names escaped
    (error) => { place.textContent = error.message; },
  );
}

for (const part of document.querySelectorAll("details[data-file]"))
  part.addEventListener("toggle", () => part.open && fill(part), { once: true });

function openAround(element) {
  for (let part = element?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}

let openedToPrint = [];
addEventListener("beforeprint", () => {
  openedToPrint = [...document.querySelectorAll("main details:not([open]):not([data-file])")];
  openedToPrint.forEach((part) => { part.open = true; });
});
addEventListener("afterprint", () => openedToPrint.forEach((part) => { part.open = false; }));

// --- contents: folded on small screens, and where the reader is ------------------------------------------

const contents = document.querySelector("nav details");
if (!matchMedia("(min-width: 1240px)").matches) contents.open = false;
const entries = new Map([...document.querySelectorAll("nav > details > ol > li > a")].map((a) => [a.hash.slice(1), a]));
const seen = new Set();
const spy = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) isIntersecting ? seen.add(target.id) : seen.delete(target.id);
  const current = [...entries.keys()].find((id) => seen.has(id));
  for (const [id, a] of entries) id === current ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
}, { rootMargin: "0px 0px -70% 0px" });
for (const id of entries.keys()) if (byId(id)) spy.observe(byId(id));

// --- the episodes ----------------------------------------------------------------------------------------

const section = byId("episodes");
const AT_ONCE = 100;
const FIELDS = { world: "world", group: "group", scenario: "scenario", agent: "agent", rules: "rules", status: "result", fault: "refused for", counted: "in tables" };
const ENDINGS = { ended: "came to an end", "cut off": "cut off by a limit", failed: "a call failed", stopped: "the agent stopped", capped: "safety cap" };
let episodes = [];
let narrowed = new URLSearchParams();
let order = null;
let shown = AT_ONCE;

function asked() {
  return location.hash.startsWith("#episodes?") ? new URLSearchParams(location.hash.slice(10)) : new URLSearchParams();
}

// A scenario goes by its whole id, by the id without its world, and without its parameters.
const SCENARIO = (episode, value) => {
  const inside = episode.scenario.slice(episode.world.length + 1);
  return [episode.scenario, inside, inside.split("@")[0]].includes(value);
};
const MATCHES = {
  agent: (episode, value) => episode.agent === value || episode.player === value,
  player: (episode, value) => episode.player === value,
  scenario: SCENARIO,
  counted: (episode, value) => episode.counted === (value === "yes"),
  fault: (episode, value) => (value === "any" ? Object.keys(episode.faults).length > 0 : value in episode.faults),
  q: (episode, value) => value.toLowerCase().split(/\s+/).every((word) => episode.text.includes(word)),
};

function matching() {
  const tests = [...new Set(narrowed.keys())]
    .filter((field) => field !== "by")
    .map((field) => {
      const values = narrowed.getAll(field);
      const matches = MATCHES[field] ?? ((episode, value) => episode[field] === value);
      return (episode) => values.some((value) => matches(episode, value));
    });
  return episodes.filter((episode) => tests.every((test) => test(episode)));
}

const number = (value) => (value === undefined || value === null ? "–" : Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(2));

// A column: its title, what it is sorted by, and what stands in it if that is not the same.
function columnsFor(found) {
  const worlds = [...new Set(found.map((episode) => episode.world))];
  const several = (field) => new Set(found.map((episode) => episode[field])).size > 1;
  const columns = [
    { title: "scenario", of: (e) => e.scenario, cell: (e) => linkTo(e, "", several("world") ? e.scenario : e.scenario.slice(e.world.length + 1)) },
    { title: "name", of: (e) => e.title, left: true },
    { title: "replay", about: "the episode played back", of: (e) => e.record, cell: (e) => linkTo(e, "#replay", "▶ play"), left: true },
    { title: "seed", of: (e) => e.seed },
    { title: "agent", of: (e) => e.agent, left: true },
  ];
  if (several("rules")) columns.push({ title: "rules", of: (e) => e.rules, left: true });
  columns.push({ title: "result", of: (e) => `${e.status}: ${e.reason}`, cell: result, left: true });
  const metrics = worlds.length === 1 ? facts.worlds[worlds[0]].metrics : [];
  for (const { key, title, better } of metrics)
    columns.push({ title: key + ({ higher: " ↑", lower: " ↓" }[better] ?? ""), about: title, key, better, of: (e) => e.figures[key] ?? "", cell: (e) => number(e.figures[key]) });
  if (!metrics.length)
    columns.push({ title: "main metric", of: (e) => e.figures[facts.worlds[e.world].main] ?? "", cell: (e) => `${facts.worlds[e.world].main} ${number(e.figures[facts.worlds[e.world].main])}` });
  columns.push({ title: "decisions", of: (e) => e.decisions, cell: (e) => number(e.decisions) });
  columns.push({ title: "refused", of: (e) => e.refused, cell: (e) => number(e.refused), about: "decisions of which something was refused" });
  if (found.some((e) => e.calls)) {
    columns.push({ title: "calls", of: (e) => e.calls, cell: (e) => number(e.calls) });
    columns.push({ title: "tokens", of: (e) => e.tokens ?? "", cell: (e) => number(e.tokens) });
    columns.push({ title: "seconds", of: (e) => e.seconds, cell: (e) => number(e.seconds) });
  }
  if (found.some((e) => e.money !== null)) columns.push({ title: facts.currency, of: (e) => e.money ?? "", cell: (e) => (e.money === null ? "–" : e.money.toPrecision(3)) });
  return columns;
}

function linkTo(episode, anchor, text) {
  return episode.page ? make("a", { href: `${section.dataset.files}/${episode.page}${anchor}` }, text) : text;
}

function result(episode) {
  const bad = episode.status === "ended" ? "" : `${ENDINGS[episode.status] ?? episode.status}: `;
  return make("span", { className: bad && "bad", title: episode.counted ? "" : "no table is over this episode" }, bad + episode.reason + (episode.counted ? "" : " (not in tables)"));
}

function show() {
  let found = matching();
  const columns = columnsFor(found.length ? found : episodes);
  const by = narrowed.get("by");
  if (!order && by) {
    const at = columns.findIndex((column) => column.key === by);
    if (at >= 0) order = { title: columns[at].title, sign: columns[at].better === "lower" ? -1 : 1 };  // the worst first
  }
  const sorted = columns.find((column) => column.title === order?.title);
  if (sorted) found = found.toSorted((one, other) => compare(sorted.of(one), sorted.of(other), order.sign));
  byId("found").textContent = `${found.length.toLocaleString("en")} of ${episodes.length.toLocaleString("en")} episodes` + (sorted ? `, by ${sorted.title.replace(/ [↑↓]/, "")}` : "");
  byId("list").replaceChildren(tableOf(columns, found.slice(0, shown), by));
  byId("more").hidden = found.length <= shown;
  byId("more").textContent = `show ${Math.min(10 * AT_ONCE, found.length - shown)} more`;
  for (const select of byId("narrow").querySelectorAll("select")) {
    const value = narrowed.getAll(select.name).join(" or ");
    if (value && ![...select.options].some((option) => option.value === value)) select.append(new Option(value, value));
    select.value = value;
  }
  byId("narrow").elements.q.value = narrowed.get("q") ?? "";
}

function tableOf(columns, found, by) {
  const head = make("tr");
  for (const { title, about, left, key } of columns) {
    const cell = make("th", { scope: "col", title: about ?? "", className: [left && "left", key && key === by && "by"].filter(Boolean).join(" ") }, title);
    if (title === order?.title) cell.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
    head.append(cell);
  }
  const body = make("tbody");
  for (const episode of found) {
    const row = body.insertRow();
    columns.forEach(({ of, cell, left, key }, at) => {
      const place = at ? row.insertCell() : row.appendChild(make("th", { scope: "row" }));
      place.className = [left && "left", key && key === by && "by"].filter(Boolean).join(" ");
      place.append(cell ? cell(episode) : of(episode));
    });
  }
  const table = make("table", {}, make("thead", {}, head), body);
  sortable(table, (index, sign) => {
    order = { title: columns[index].title, sign };
    show();
    byId("list").querySelectorAll("thead button")[index].focus();
  });
  return table;
}

function controls() {
  const form = byId("narrow");
  if (form.elements.length) return;
  for (const [field, words] of Object.entries(FIELDS)) {
    const values = field === "fault" ? episodes.flatMap((e) => Object.keys(e.faults)) : field === "counted" ? ["yes", "no"] : episodes.map((e) => e[field]);
    const select = make("select", { name: field }, new Option("all", ""));
    if (field === "fault") select.append(new Option("anything", "any"));
    for (const value of [...new Set(values)].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })))
      select.append(new Option(field === "status" ? (ENDINGS[value] ?? value) : value, value));
    form.append(make("label", {}, words, select));
  }
  form.append(make("label", {}, "words", make("input", { type: "search", name: "q" })));
  const all = make("button", { type: "reset" }, "all episodes");
  form.append(all);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); narrow(new URLSearchParams()); });
  form.addEventListener("input", () => {
    const chosen = [...new FormData(form)].filter(([, value]) => value);
    const by = narrowed.get("by");
    narrow(new URLSearchParams(by ? [...chosen, ["by", by]] : chosen));
  });
  form.hidden = false;
}

// What is chosen stands in the address, so that it can be kept and sent; a step back leads to the figure.
function narrow(chosen) {
  narrowed = chosen;
  shown = AT_ONCE;
  history.replaceState(null, "", `#episodes${chosen.size ? `?${chosen}` : ""}`);
  show();
}

async function lookAtEpisodes() {
  if (!section.dataset.file) return false;
  try {
    const { fields, rows } = await load(section.dataset.file);
    if (!episodes.length)
      episodes = rows.map((row) => {
        const episode = Object.fromEntries(fields.map((field, index) => [field, row[index]]));
        episode.refused = Object.values(episode.faults).reduce((sum, each) => sum + each, 0);
        episode.text = [episode.scenario, episode.title, episode.agent, episode.group, episode.rules, episode.status, episode.reason, episode.record].join(" ").toLowerCase();
        return episode;
      });
    controls();
    show();
    return true;
  } catch (error) {
    byId("found").textContent = error.message;
    return false;
  }
}

async function follow() {
  if (location.hash.startsWith("#episodes")) {
    narrowed = asked();
    order = null;
    shown = AT_ONCE;
    await lookAtEpisodes();
    section.scrollIntoView();
    section.focus({ preventScroll: true });
  } else if (location.hash.length > 1) {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    openAround(target);
    target?.scrollIntoView();
  }
}

byId("more")?.addEventListener("click", () => { shown += 10 * AT_ONCE; show(); });
new IntersectionObserver((changes, observer) => {
  if (!changes.some((change) => change.isIntersecting)) return;
  observer.disconnect();
  if (!episodes.length && !location.hash.startsWith("#episodes")) lookAtEpisodes();
}, { rootMargin: "400px" }).observe(section);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const visible = document.querySelector("#narrow:not([hidden]) input[type=search]");
  if (!visible) return;
  event.preventDefault();
  visible.focus();
});
addEventListener("hashchange", follow);
follow();
