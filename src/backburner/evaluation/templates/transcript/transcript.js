// Plays the episode that the page carries. Without this script the page shows its first scene and all steps.
"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).json();
  }

  const data = await unpacked(byId("data").textContent);
  const film = data.film;
  const last = film.times.length - 1;
  const [slider, play, speed, told, steps] = ["slider", "play", "speed", "told", "steps"].map(byId);
  const rows = [...steps.querySelectorAll("[data-step]")].filter((row) => row.classList.contains("step"));
  const rowOf = new Map(rows.map((row) => [Number(row.dataset.step), row]));
  const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);

  // --- what was sent: conversations that grow, each message stored once -------------------------------

  let conversations;

  // By step and seat, the calls with their whole conversations and with the one before of the same seat.
  function asked() {
    if (conversations) return conversations;
    conversations = new Map();
    const before = {};
    for (const [step, seats] of Object.entries(data.sent.calls)) {
      for (const [seat, calls] of Object.entries(seats)) {
        const whole = calls.map(([message, kept, others, answer]) => {
          const former = before[seat] ?? [];
          before[seat] = [...former.slice(0, kept), ...others];
          return { message, kept, all: before[seat], former, answer };
        });
        conversations.set(`${step} ${seat}`, whole);
      }
    }
    return conversations;
  }

  const hidden =
    /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb]/g;
  const number = (sign) => sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const visible = (text) => text.replace(/\r\n/g, "\n").replace(hidden, (sign) => `⟨${number(sign)}⟩`);
  const linesOf = (place) => data.sent.messages[place][1].split("\n");

  // A message; its lines that were sent before in another message are pale.
  function sentMessage(place, known) {
    const [role, , cut] = data.sent.messages[place];
    const box = make("div", undefined, `message ${role}`);
    const pre = make("pre");
    let pale = false;
    for (const line of linesOf(place)) {
      if (line.trim()) pale = known.has(line);
      const last = pre.lastChild;
      const kind = pale ? "known" : "new";
      if (last?.className === kind) last.append(`${visible(line)}\n`);
      else pre.append(make("span", `${visible(line)}\n`, kind));
    }
    box.append(make("h4", role), pre);
    if (cut) box.append(make("p", `… ${cut} more characters`, "cut"));
    return box;
  }

  function copyButton(all) {
    const copy = make("button", "copy");
    copy.type = "button";
    copy.addEventListener("click", async () => {
      const texts = all.map((place) => data.sent.messages[place].slice(0, 2).join(":\n"));
      await navigator.clipboard?.writeText(texts.join("\n\n"));
      copy.textContent = "copied";
    });
    return copy;
  }

  // Details whose inside is made when they are opened.
  function folded(words, inside) {
    const details = make("details");
    details.append(make("summary", words));
    details.addEventListener("toggle", () => details.childElementCount === 1 && details.append(...inside()));
    return details;
  }

  function sentCall({ message, kept, all, former, answer }, at, count) {
    const box = make("div", undefined, "call");
    const head = make("p", `call ${at} of ${count}: ${message || "the world's own question"} `, "soft");
    head.append(copyButton(all));
    box.append(head);
    const nothing = new Set();
    if (kept) {
      const words = `${kept} message${kept > 1 ? "s" : ""} as in the call before`;
      box.append(folded(words, () => all.slice(0, kept).map((place) => sentMessage(place, nothing))));
    }
    const known = new Set(former.flatMap(linesOf));
    box.append(...all.slice(kept).map((place) => sentMessage(place, known)));
    if (answer === null) box.append(make("p", "no answer came", "bad"));
    else if (count > 1) box.append(folded("answer", () => [make("pre", visible(answer))]));
    return box;
  }

  for (const details of document.querySelectorAll("details.sent")) {
    details.addEventListener("toggle", () => {
      const box = details.querySelector("div");
      if (!details.open || box.childElementCount) return;
      const { of: step, seat } = details.dataset;
      const calls = asked().get(`${step} ${seat}`);
      if (calls) box.append(...calls.map((call, at) => sentCall(call, at + 1, calls.length)));
      else box.append(make("pre", visible(data.told[step]?.[seat] ?? "")));
    });
  }

  // --- the scene ------------------------------------------------------------------------------------

  const scene = document.querySelector("svg.scene .actors");
  scene?.replaceChildren();
  for (const actor of scene ? film.actors : []) {
    actor.group = svg("g");
    actor.group.classList.add("actor");
    scene.append(actor.group);
  }
  // Bodies are drawn over everything else.
  for (const actor of film.actors) if (scene && actor.name.startsWith("body ")) scene.append(actor.group);

  function pose(actor, frame) {
    const cut = actor.cuts.findLast(([from]) => frame >= from) ?? [0, 0, 0, -1];
    if (cut === actor.cut) return;
    const [, x, y, drawing] = cut;
    if (drawing !== actor.cut?.[3]) actor.group.innerHTML = film.drawings[drawing] ?? "";
    actor.group.style.transform = `translate(${x}px, ${y}px)`;
    actor.cut = cut;
  }

  // --- timelines: a line at the time of the frame; a click goes to a time -----------------------------

  const charts = [...document.querySelectorAll("svg.timeline")].flatMap((chart) => {
    const axis = chart.querySelector("[data-scale]")?.dataset;
    if (!axis) return [];
    const now = svg("path");
    now.setAttribute("class", "now");
    chart.append(now);
    chart.addEventListener("click", (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
      const time = Number(axis.begin) + (place.x - axis.left) / axis.scale;
      stop();
      show(Math.max(0, film.times.findLastIndex((each) => time >= each)));
    });
    return [{ chart, axis, now }];
  });

  function markTime(time) {
    for (const { chart, axis, now } of charts) {
      const x = Number(axis.left) + (time - axis.begin) * axis.scale;
      now.setAttribute("d", `M${x} 0V${chart.viewBox.baseVal.height}`);
      const box = chart.closest(".times");
      if (box && box.scrollWidth > box.clientWidth) box.scrollLeft = x - box.clientWidth / 2;
    }
  }

  // --- frames -----------------------------------------------------------------------------------------

  let frame = -1;
  let timer = 0;
  let current;

  function show(next) {
    frame = Math.min(Math.max(next, 0), last);
    if (scene) for (const actor of film.actors) pose(actor, frame);
    slider.value = frame;
    const step = film.steps[frame];
    const where = step < 0 ? "before the first step" : `step ${step} of ${film.steps[last]}`;
    told.textContent = `${where} · ${film.times[frame]} ${told.dataset.unit}`;
    current?.classList.remove("current");
    current = rowOf.get(step);
    current?.classList.add("current");
    markTime(film.times[frame]);
  }

  function reveal() {
    const beside = matchMedia("(min-width: 1100px)").matches;
    if (current && (beside || !scene)) current.scrollIntoView({ block: "nearest" });
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "play";
  }

  function start() {
    if (frame === last) show(0);
    clearInterval(timer);
    timer = setInterval(() => {
      if (frame === last) return stop();
      show(frame + 1);
      reveal();
    }, 1000 / speed.value);
    play.textContent = "pause";
  }

  function move(by) {
    stop();
    show(frame + by);
    reveal();
  }

  play.addEventListener("click", () => (timer ? stop() : start()));
  byId("back").addEventListener("click", () => move(-1));
  byId("on").addEventListener("click", () => move(1));
  slider.addEventListener("input", () => move(slider.valueAsNumber - frame));
  speed.addEventListener("change", () => (timer ? start() : undefined));
  for (const row of rows) {
    row.addEventListener("click", (event) => {
      if (event.target.closest("details, a, button, pre") || String(getSelection())) return;
      stop();
      show(film.steps.lastIndexOf(Number(row.dataset.step)));
    });
  }

  const keys = {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    Home: () => move(-last),
    End: () => move(last),
    " ": () => play.click(),
  };
  document.addEventListener("keydown", (event) => {
    const own = event.target.closest?.("input, select, button, summary, a");
    if (own || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });

  function goTo(hash) {
    const wanted = /^#step-(\d+)$/.exec(hash);
    if (wanted) show(Math.max(0, film.steps.lastIndexOf(Number(wanted[1]))));
    return Boolean(wanted);
  }

  slider.max = last;
  byId("controls").hidden = false;
  if (!goTo(location.hash)) show(0);
  if (location.hash === "#replay") start();
  addEventListener("hashchange", () => goTo(location.hash));
})();
