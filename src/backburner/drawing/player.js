// Plays the film that the page carries. Without this script the page shows its first scene.
const film = JSON.parse(document.getElementById("film").textContent);
const scene = document.querySelector("svg.scene .actors");
const last = film.times.length - 1;
const byId = (id) => document.getElementById(id);
const [slider, play, speed, told] = ["slider", "play", "speed", "told"].map(byId);
const steps = byId("steps");
const rows = [...steps.querySelectorAll("[data-step]")];

scene.replaceChildren();
for (const actor of film.actors) {
  actor.group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  actor.group.classList.add("actor");
  scene.append(actor.group);
}
// Bodies are drawn over everything else.
film.actors.filter((actor) => actor.name.startsWith("body ")).forEach((actor) => scene.append(actor.group));

function pose(actor, frame) {
  const cut = actor.cuts.findLast(([from]) => frame >= from) ?? [0, 0, 0, -1];
  if (cut === actor.cut) return;
  const [, x, y, drawing] = cut;
  if (drawing !== actor.cut?.[3]) actor.group.innerHTML = film.drawings[drawing] ?? "";
  actor.group.style.transform = `translate(${x}px, ${y}px)`;
  actor.cut = cut;
}

// --- the timeline: a line at the time of the frame; a click goes to a time ---------------------------

const chart = document.querySelector("svg.timeline");
const axis = chart?.querySelector(".axis")?.dataset;
const now = document.createElementNS("http://www.w3.org/2000/svg", "path");
if (axis) {
  now.setAttribute("class", "now");
  chart.append(now);
  chart.addEventListener("click", (event) => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
    const time = Number(axis.begin) + (place.x - axis.left) / axis.scale;
    show(Math.max(0, film.times.findLastIndex((each) => time >= each)));
  });
}

function markTime(frame) {
  if (!axis) return;
  const x = Number(axis.left) + (film.times[frame] - axis.begin) * axis.scale;
  now.setAttribute("d", `M${x} 8V${chart.viewBox.baseVal.height - 44}`);
  const box = chart.parentElement;
  if (box.scrollWidth > box.clientWidth) box.scrollLeft = x - box.clientWidth / 2;
}

// --- frames ------------------------------------------------------------------------------------------

let frame = -1;
let timer = 0;

function show(next) {
  frame = Math.min(Math.max(next, 0), last);
  for (const actor of film.actors) pose(actor, frame);
  slider.value = frame;
  told.textContent = `${frame} of ${last} · ${film.times[frame]} ${told.dataset.unit}`;
  for (const row of rows) row.classList.toggle("current", Number(row.dataset.step) === film.steps[frame]);
  const current = rows.find((row) => row.classList.contains("current"));
  if (steps.scrollHeight > steps.clientHeight)
    steps.scrollTop = current ? current.offsetTop - steps.clientHeight / 3 : 0;
  markTime(frame);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "play";
}

function start() {
  if (frame === last) show(0);
  clearInterval(timer);
  timer = setInterval(() => (frame === last ? stop() : show(frame + 1)), 1000 / speed.value);
  play.textContent = "pause";
}

function step(by) {
  stop();
  show(frame + by);
}

play.addEventListener("click", () => (timer ? stop() : start()));
byId("back").addEventListener("click", () => step(-1));
byId("on").addEventListener("click", () => step(1));
slider.addEventListener("input", () => step(slider.valueAsNumber - frame));
speed.addEventListener("change", () => (timer ? start() : undefined));
rows.forEach((row) => row.addEventListener("click", () => step(film.steps.lastIndexOf(Number(row.dataset.step)) - frame)));

const keys = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => step(-last),
  End: () => step(last),
  " ": () => play.click(),
};
document.addEventListener("keydown", (event) => {
  const own = event.target.closest?.("input, select, button, summary, a");
  if (own || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});

slider.max = last;
byId("controls").hidden = false;
show(0);
