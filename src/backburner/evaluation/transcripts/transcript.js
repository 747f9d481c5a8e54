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
  addEventListener("hashchange", () => goTo(location.hash));
})();
