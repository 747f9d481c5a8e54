// The kitchen in three dimensions: the scenes of the drawn one, and the same moves, on a screen or in a headset.
import type { Controls, PressDone, Scene, ShotTold, Turn } from "../protocol";
import { Board } from "./board";
import { choicesAt, renewed, type Target } from "./choices";
import { isWall } from "./furniture";
import { type Hands, Headset, type Mode, modes } from "./headset";
import { keysOf } from "./keys";
import { Kitchen } from "./kitchen";
import { Panel, type Pressed } from "./panel";
import { type Hit, hitBy } from "./pointing";
import { Room } from "./room";
import { Screen } from "./screen";
import { Raycaster, Vector2, Vector3 } from "./three.js";
import { Walking } from "./walking";
import { Frame, NO_PICTURE } from "./frame";

/** What somebody has decided: an option of the turn by its index, or a key or click of the world. */
export type Answer = { option: number } | { press: PressDone };

/** What of a game the view has to know, and does not change. */
export interface About {
  controls: Controls | null;
  verbs: Record<string, string[]>;
  live: boolean;
  hues: ReadonlyMap<string, number>;
}

export interface Space {
  /** Show a scene; before it those on the way there. `seat`: who looks on; its bodies are marked. */
  show(scene: Scene, seat: string, shots?: readonly ShotTold[]): void;
  /** The turn that is asked now; `null`: nothing is. */
  ask(turn: Pick<Turn, "options"> | null): void;
  close(): void;
}

/** Put the view into a container. Where the browser draws nothing in three dimensions, a line says so there. */
export function mount(container: HTMLElement, act: (answer: Answer) => void, about: About): Space {
  const frame = new Frame(container);
  const room = Room.open(frame.canvas);
  if (!room) {
    frame.say(NO_PICTURE);
    frame.canvas.remove();
    return { show: () => {}, ask: () => {}, close: () => frame.close() };
  }
  return new View(frame, room, act, about);
}

const CLICK = { pixels: 8, milliseconds: 600 };
const SHOT = { each: 240, together: 900 };
const IN_HEADSET = { width: 0.46, distance: 0.7 };
const PANEL_PIXELS = 460;

/** What counts of two hands that point at different things. */
const BEFORE = ["row", "target", "panel"] as const;

class View implements Space, Hands {
  private readonly kitchen: Kitchen;
  private readonly board = new Board();
  private readonly panel = new Panel();
  private readonly screen: Screen;
  private readonly headset: Headset;
  private readonly walking: Walking;
  private readonly pointer = new Raycaster();
  private scene: Scene | null = null;
  private coming: { scene: Scene; at: number }[] = [];
  private seat = "";
  private turn: Pick<Turn, "options"> | null = null;
  private opened: Target | null = null;
  private chosen: Target | null = null;
  private hits: Hit[] = [];
  private wanted = 0;
  private down: { x: number; y: number; at: number } | null = null;
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private readonly ends = new AbortController();

  constructor(
    private readonly frame: Frame, private readonly room: Room, private readonly act: (answer: Answer) => void,
    private readonly about: About,
  ) {
    const draw = (): void => this.draw();
    this.kitchen = new Kitchen(about.hues);
    this.walking = new Walking(about.live ? about.controls : null, (press) => act({ press }));
    this.screen = new Screen(frame.canvas, draw);
    this.headset = new Headset(room.renderer, room.stage, room.table, this);
    room.table.add(this.kitchen.group);
    room.table.add(this.board.group);
    room.stage.add(this.screen.camera);
    this.listen();
    frame.sized((width, height) => {
      room.resize(width, height);
      this.screen.resize(width, height);
      this.putPanel();
      draw();
    });
    frame.buttons([
      ["turn left", "M4 6.5A5 5 0 1 1 3.5 10M4 2.5v4h4", () => this.screen.turn(-2, 0)], ["turn right", "M12 6.5A5 5 0 1 0 12.5 10M12 2.5v4H8", () => this.screen.turn(2, 0)],
      ["nearer", "M8 3v10M3 8h10", () => this.screen.approach(2)], ["farther", "M3 8h10", () => this.screen.approach(-2)],
      ["everything in sight", "M2.5 8L8 3l5.5 5M4.5 7v6h7V7", () => this.screen.reset()],
    ]);
    void this.offerSessions();
  }

  // --- what the page says ------------------------------------------------------------------------------

  show(scene: Scene, seat: string, shots: readonly ShotTold[] = []): void {
    this.seat = seat;
    const now = performance.now();
    const each = Math.min(SHOT.each, SHOT.together / (shots.length + 1));
    const before = this.still.matches ? [] : shots.map((shot) => shot.scene);
    this.coming = [...before, scene].map((coming, index) => ({ scene: coming, at: now + index * each }));
    this.advance(now);
    this.draw();
  }

  ask(turn: Pick<Turn, "options"> | null): void {
    this.turn = turn;
    this.tell();
    if (this.opened) {
      const now = this.choices(this.opened);
      if (turn && !now.length && !this.panel.shown.length) this.shut();
      else this.panel.show(this.panel.title, renewed(this.panel.shown, now), true);
    }
    this.draw();
  }

  close(): void {
    this.walking.stop();
    this.ends.abort();
    cancelAnimationFrame(this.wanted);
    this.headset.dispose();
    this.screen.dispose();
    for (const part of [this.kitchen, this.board, this.panel, this.room]) part.dispose();
    this.frame.close();
  }

  // --- pictures ----------------------------------------------------------------------------------------

  private advance(now: number): void {
    while (this.coming.length && this.coming[0]!.at <= now) {
      const { scene } = this.coming.shift()!;
      this.put(scene, now, this.still.matches || this.scene === null);
    }
  }

  private put(scene: Scene, now: number, still: boolean): void {
    const size = (of: Scene | null): string => `${of?.width} ${of?.height}`;
    const resized = size(scene) !== size(this.scene);
    this.scene = scene;
    this.kitchen.show(scene, now, still);
    this.tell();
    this.board.group.scale.setScalar(Math.min(Math.max(1.1 * scene.width, 4), 8));
    this.board.group.position.set(0, 0.7, -scene.height / 2 - 0.3);
    if (this.headset.on && resized) this.headset.fit(scene.width, scene.height);
    if (!this.headset.on) this.screen.frame([this.kitchen.floor, this.board.group]);
  }

  /** Whose bodies are commanded from here, and what can be decided without a place. */
  private tell(): void {
    if (!this.scene) return;
    this.kitchen.own(new Set(this.turn?.options.map((option) => option.body)).add(this.seat));
    const free = this.turn ? this.choices({ kind: "board", name: "" }).length : 0;
    this.board.show(this.scene, free ? `${free} ${free === 1 ? "move needs" : "moves need"} no place: point here` : "");
  }

  private draw(): void {
    if (this.headset.on || this.wanted) return;
    this.wanted = requestAnimationFrame(() => {
      this.wanted = 0;
      if (this.step()) this.draw();
    });
  }

  /** One picture; whether another is needed. */
  private step(): boolean {
    const now = performance.now();
    this.advance(now);
    const moving = this.kitchen.step(now, this.side());
    this.kitchen.part(this.headset.on ? null : this.screen.camera);
    if (this.headset.on) this.headset.step();
    this.room.render(this.screen.camera);
    return moving || this.coming.length > 0;
  }

  /** The side from which the kitchen is seen. */
  private side(): number {
    if (!this.headset.on) return this.screen.azimuth;
    const head = this.room.table.worldToLocal(this.room.head());
    return Math.atan2(head.x, head.z);
  }

  // --- options -----------------------------------------------------------------------------------------

  private choices(target: Target): ReturnType<typeof choicesAt> {
    if (!this.turn || !this.scene) return [];
    return choicesAt(target, this.turn.options, this.scene, this.about.controls, this.about.verbs);
  }

  private open(target: Target): void {
    const choices = this.choices(target);
    const name = target.kind === "board" ? "moves that need no place" : target.name;
    this.opened = target;
    this.panel.show(choices.length ? name : `${name}: nothing to decide here now`, choices);
    this.putPanel(target);
    this.draw();
  }

  private shut(): void {
    this.panel.hide();
    this.opened = null;
    this.draw();
  }

  private take(pressed: Pressed | null): void {
    if (pressed?.kind === "close") this.shut();
    if (pressed?.kind === "choice") {
      this.shut();
      this.act({ option: pressed.choice.index });
    }
    this.putPanel();
    this.draw();
  }

  /** On a screen the panel is before the camera, in a headset between the eyes and what was pointed at. */
  private putPanel(target: Target | null = null): void {
    if (!this.panel.open) return;
    if (!this.headset.on) {
      const high = 2 * Math.tan((this.screen.camera.fov * Math.PI) / 360);
      const wide = high * this.screen.camera.aspect;
      const width = Math.min(0.94 * wide, (high * PANEL_PIXELS) / this.room.height, (0.94 * high) / this.panel.height);
      this.screen.camera.add(this.panel.group);
      this.panel.group.scale.setScalar(width);
      this.panel.group.position.set(0, 0, -1);
      this.panel.group.rotation.set(0, 0, 0);
    } else if (target) {
      const head = this.room.head();
      const local = (target.kind !== "board" && this.kitchen.whereIs(target)) || this.board.group.position.clone();
      const there = this.room.table.localToWorld(local.add(new Vector3(0, 0.8, 0)));
      const away = Math.min(IN_HEADSET.distance, there.distanceTo(head));
      this.room.stage.add(this.panel.group);
      this.panel.group.scale.setScalar(IN_HEADSET.width);
      this.panel.group.position.copy(head).addScaledVector(there.sub(head).normalize(), away);
      this.panel.group.lookAt(head);
    }
    this.panel.group.updateWorldMatrix(true, true); // it can be pointed at before the next picture
  }

  private mark(hit: Hit): void {
    const changed = this.kitchen.point(hit?.kind === "target" ? hit.target : this.chosen);
    const lit = this.panel.open && (hit?.kind === "row" || hit?.kind === "panel") && this.panel.light(hit.kind === "row" ? hit.row : -1);
    this.frame.pointed(this.named(hit));
    if (changed || lit) this.draw();
  }

  private named(hit: Hit): string {
    if (hit?.kind === "row") return this.panel.textOf(hit.row);
    return hit?.kind === "target" ? hit.target.name || hit.target.kind : "";
  }

  private pressAt(hit: Hit): void {
    if (hit?.kind === "row") this.take(this.panel.press(hit.row));
    else if (hit?.kind === "target") this.open(hit.target);
    else if (hit === null && this.panel.open) this.shut();
  }

  /** What a click does in the drawn kitchen. */
  private clickAt(hit: Hit): void {
    if (hit?.kind === "target" && hit.target.kind === "place") this.act({ press: { place: hit.target.name, button: "left" } });
  }

  // --- hands in a headset ------------------------------------------------------------------------------

  private hit(ray: Raycaster): Hit {
    return hitBy(ray, this.panel, this.board, this.kitchen);
  }

  point(ray: Raycaster, hand: number): Hit {
    this.hits[hand] = this.hit(ray);
    this.mark(BEFORE.map((kind) => this.hits.find((each) => each?.kind === kind)).find((each) => each) ?? null);
    return this.hits[hand]!;
  }

  select(ray: Raycaster): void {
    this.pressAt(this.hit(ray));
  }

  squeeze(ray: Raycaster): void {
    this.clickAt(this.hit(ray));
  }

  get walks(): boolean {
    return this.walking.able;
  }

  walk(x: number, y: number): void {
    this.walking.lean(x, y, this.side());
  }

  private async offerSessions(): Promise<void> {
    const offer = async (): Promise<void> => this.frame.sessions(await modes(), (mode) => this.begin(mode));
    (navigator as { xr?: XRSystem }).xr?.addEventListener("devicechange", () => void offer(), { signal: this.ends.signal });
    await offer();
  }

  private async begin(mode: Mode): Promise<void> {
    if (this.headset.on) return this.headset.end();
    try {
      this.shut();
      await this.headset.begin(mode, this.scene?.width ?? 4, this.scene?.height ?? 4);
    } catch (error) {
      this.frame.say(`No session: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    this.room.furnish(mode === "immersive-vr");
    this.room.renderer.setAnimationLoop(() => this.step());
    this.frame.inSession(mode);
  }

  ended(): void {
    this.walking.stop();
    this.shut();
    this.hits = [];
    this.room.renderer.setAnimationLoop(null);
    this.room.furnish(false);
    this.frame.inSession(null);
    this.frame.measure(); // the page may have changed meanwhile
    this.draw();
  }

  // --- mouse, fingers and keys -------------------------------------------------------------------------

  private listen(): void {
    const { canvas } = this.frame;
    const { signal } = this.ends;
    canvas.addEventListener("pointerdown", (event) => {
      this.down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
    }, { signal });
    canvas.addEventListener("pointerup", (event) => {
      const { down } = this;
      this.down = null;
      if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK.pixels) return;
      if (event.timeStamp - down.at > CLICK.milliseconds) return;
      const hit = this.hit(this.through(event));
      if (event.shiftKey) this.clickAt(hit);
      else this.pressAt(hit);
    }, { signal });
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" || event.buttons) return;
      const hit = this.hit(this.through(event));
      canvas.classList.toggle("space-pointed", hit !== null && hit.kind !== "panel");
      this.mark(hit);
    }, { signal });
    canvas.addEventListener("blur", () => this.walking.stop(), { signal });
    for (const kind of ["keydown", "keyup"] as const) canvas.addEventListener(kind, (event) => this.key(event), { signal });
  }

  private through(event: PointerEvent): Raycaster {
    const box = this.frame.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.x) / box.width) * 2 - 1, 1 - ((event.clientY - box.y) / box.height) * 2);
    this.pointer.setFromCamera(at, this.screen.camera);
    return this.pointer;
  }

  private key(event: KeyboardEvent): void {
    const does = keysOf(event, {
      open: this.panel.open, walks: this.walking.able,
      row: (by) => this.panel.move(by),
      take: () => this.take(this.panel.pressLit()),
      shut: () => this.shut(),
      next: (by) => this.choose(by),
      enter: () => this.chosen && this.open(this.chosen),
      turn: (right, up) => this.screen.turn(right, up),
      approach: (steps) => this.screen.approach(steps),
      reset: () => this.screen.reset(),
      lean: (x, y) => this.walking.lean(x, y, this.side()),
    });
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === "keydown") does();
    this.draw();
  }

  /** The next place or body, row by row, or the board: for those who point by keys. */
  private choose(by: number): void {
    if (!this.scene) return;
    const all: Target[] = [
      ...(this.scene.places ?? []).filter((place) => !isWall(place.kind)).sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0])
        .map((place): Target => ({ kind: "place", name: place.name })),
      ...(this.scene.bodies ?? []).map((body): Target => ({ kind: "body", name: body.name })),
      { kind: "board", name: "" },
    ];
    const at = all.findIndex((each) => each.kind === this.chosen?.kind && each.name === this.chosen.name);
    this.chosen = all[(at < 0 && by < 0 ? all.length - 1 : at + by + all.length) % all.length]!;
    this.kitchen.point(this.chosen);
    this.frame.say(this.chosen.kind === "board" ? "the board" : this.chosen.name);
  }
}
