// A scene in space: the floor, what stands on it, who walks there. One cell is one unit; its middle is the origin.
import type { Body, Cell, Place, Scene, Thing } from "../protocol";
import { BODIES, FLOOR, HANDS, INK } from "./colours";
import type { Target } from "./choices";
import { Figure } from "./figure";
import { furniture, type Furniture, isWall } from "./furniture";
import { headingOf, route, type Stand, Walk } from "./paths";
import { Pile } from "./pile";
import { boxOf, seenOf } from "./labels";
import { Label, type Line, Rings } from "./signs";
import { box, paint } from "./solids";
import { Group, Mesh, MeshBasicMaterial, type Object3D, type PerspectiveCamera, RingGeometry, Vector3 } from "./three.js";

const names = (things: readonly Thing[]): string =>
  things.map((thing) => [thing.name, ...(thing.marks ?? []), ...inside(thing)].join(" ")).join(", ");
const inside = (thing: Thing): string[] => (thing.inside?.length ? [`(${names(thing.inside)})`] : []);

class Standing {
  readonly group = new Group();
  readonly pile = new Pile();
  readonly label = new Label(0.98, [0.5, 0.5], 10);
  private readonly rings = new Rings();
  private readonly made: Furniture;
  private bare = false;

  constructor(readonly kind: string) {
    this.made = furniture(kind);
    this.pile.group.position.y = this.made.top;
    this.group.add(this.made.object, this.pile.group, this.label.sprite, this.rings.sprite);
  }

  show(place: Place): void {
    this.pile.set(place.stack ?? []);
    const under = [...(place.progress ?? []), ...(place.stack ?? []).flatMap((thing) => thing.progress ?? [])];
    const lines: Line[] = [
      { text: place.name, strong: true }, { text: (place.marks ?? []).join(", ") }, { text: names(place.stack ?? []) },
      { text: under.map((each) => `${each.label}${each.paused ? " (paused)" : ""}`).join(", ") },
    ];
    this.bare = this.made.plain && lines.slice(1).every((line) => !line.text);
    this.label.set(lines);
    this.rings.set(under);
    this.rings.sprite.position.y = this.made.top + this.pile.height + 0.3;
  }

  /** The label hangs before the place, as seen from this side; a bare one says its name when it is pointed at. */
  look(from: number, pointed: boolean): void {
    this.label.sprite.position.set(0.52 * Math.sin(from), 0.3, 0.52 * Math.cos(from));
    this.label.wanted = (pointed || !this.bare) && !isWall(this.kind);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.label.dispose();
    this.rings.dispose();
  }
}

interface Somebody {
  figure: Figure;
  kind: string;
  cell: Cell | null;
  stand: Stand;
  walk: Walk | null;
  moved: number;
}

export class Kitchen {
  readonly group = new Group();
  readonly floor = new Group();
  private readonly places = new Map<string, Standing>();
  private readonly bodies = new Map<string, Somebody>();
  private readonly cursor: Mesh;
  private size = "";
  private pointed = "";

  /** `hues`: which of the bodies' colours each has. */
  constructor(private readonly hues: ReadonlyMap<string, number>) {
    this.cursor = new Mesh(new RingGeometry(0.6, 0.68, 4, 1).rotateZ(Math.PI / 4).rotateX(-Math.PI / 2), new MeshBasicMaterial({ color: HANDS }));
    this.cursor.visible = false;
    this.group.add(this.floor, this.cursor);
  }

  /** Show a scene; what has changed moves there from `now` on, or stands there at once (`still`). */
  show(scene: Scene, now: number, still: boolean): void {
    const before = this.piles().map((pile) => ({ pile, at: still ? [] : [...pile.where(this.group)] }));
    this.lay(scene);
    this.putPlaces(scene.places ?? [], scene);
    this.putBodies(scene, now, still);
    if (!still) this.launch(before, now);
  }

  /** Mark the bodies that are commanded from here. */
  own(names: ReadonlySet<string>): void {
    for (const [name, { figure }] of this.bodies) figure.own = names.has(name);
  }

  /** Move on; whether something still moves. `from`: the side that it is seen from, in radians. */
  step(now: number, from: number): boolean {
    let moving = false;
    for (const somebody of this.bodies.values()) {
      const { walk } = somebody;
      if (walk) {
        somebody.stand = walk.at(now);
        if (walk.over(now)) somebody.walk = null;
        else moving = true;
        somebody.figure.stand(somebody.stand);
      }
    }
    for (const [name, place] of this.places) place.look(from, name === this.pointed);
    for (const pile of this.piles()) moving = pile.step(now) || moving;
    return moving;
  }

  /** Hide labels that would stand on others, as this camera sees them; `null`: all are seen. */
  part(camera: PerspectiveCamera | null): void {
    this.group.updateWorldMatrix(true, true);
    camera?.updateWorldMatrix(true, false);
    const labels = [
      ...[...this.bodies.values()].map(({ figure }) => ({ label: figure.name, rank: 1 })),
      ...[...this.places].map(([name, { label }]) => ({ label, rank: name === this.pointed ? 0 : 2 })),
    ].filter(({ label }) => label.wanted);
    const seen = camera && new Set(seenOf(labels.map(({ label, rank }) => ({ label, ...boxOf(label.sprite, camera, rank) }))).map(({ label }) => label));
    for (const { label } of labels) label.sprite.visible = seen === null || seen.has(label);
  }

  /** Everything that can be pointed at, with what it is. */
  *targets(): Generator<readonly [Object3D, Target]> {
    for (const [name, place] of this.places) if (!isWall(place.kind)) yield [place.group, { kind: "place", name }];
    for (const [name, { figure }] of this.bodies) yield [figure.group, { kind: "body", name }];
  }

  /** Mark what is pointed at; whether that changed. */
  point(target: Target | null): boolean {
    const name = target && target.kind !== "board" ? `${target.kind} ${target.name}` : "";
    const group = target?.kind === "place" ? this.places.get(target.name)?.group : target && this.bodies.get(target.name)?.figure.group;
    this.cursor.visible = Boolean(group);
    if (group) this.cursor.position.set(group.position.x, 0.02, group.position.z);
    const changed = name !== (this.pointed && `place ${this.pointed}`);
    this.pointed = target?.kind === "place" ? target.name : "";
    return changed;
  }

  /** The middle of something in the space of the group, for panels and those who look for it by keys. */
  whereIs(target: Target): Vector3 | null {
    const group = target.kind === "place" ? this.places.get(target.name)?.group : this.bodies.get(target.name)?.figure.group;
    return group ? group.position.clone().setY(0.6) : null;
  }

  dispose(): void {
    for (const place of this.places.values()) place.dispose();
    for (const { figure } of this.bodies.values()) figure.dispose();
    this.cursor.geometry.dispose();
  }

  private piles(): Pile[] {
    return [...[...this.places.values()].map((place) => place.pile), ...[...this.bodies.values()].map(({ figure }) => figure.held)];
  }

  /** What was there and is here now flies from there to here. */
  private launch(before: { pile: Pile; at: (readonly [string, Vector3])[] }[], now: number): void {
    this.group.updateMatrixWorld(true);
    const after = new Map(this.piles().map((pile) => [pile, [...pile.where(this.group)].map(([name]) => name)]));
    const gone = new Map<string, Vector3[]>();
    const fresh = new Map<Pile, Set<string>>();
    for (const { pile, at } of before) {
      const here = [...(after.get(pile) ?? [])];
      for (const [name, place] of at) {
        const index = here.indexOf(name);
        if (index >= 0) here.splice(index, 1);
        else gone.set(name, [...(gone.get(name) ?? []), place]);
      }
      fresh.set(pile, new Set(here));
    }
    for (const [pile, here] of fresh) {
      const origins = new Map([...gone].filter(([name]) => here.has(name)));
      if (origins.size) pile.fly(origins, this.group, now);
    }
  }

  private lay(scene: Scene): void {
    const size = `${scene.width} ${scene.height}`;
    if (size === this.size) return;
    this.size = size;
    this.floor.clear();
    for (let y = 0; y < scene.height; y++) {
      for (let x = 0; x < scene.width; x++) {
        const [a, b] = middle([x, y], scene);
        this.floor.add(box(1, 0.06, 1, paint(FLOOR[(x + y) % 2]!, 0.1 + 0.07 * ((x + y) % 2)), [a, -0.06, b]));
      }
    }
    this.floor.add(box(scene.width + 0.2, 0.06, scene.height + 0.2, paint(INK, 0), [0, -0.13, 0]));
  }

  private putPlaces(places: readonly Place[], scene: Scene): void {
    const there = new Set(places.map((place) => place.name));
    for (const [name, standing] of this.places) {
      if (there.has(name)) continue;
      standing.dispose();
      this.places.delete(name);
    }
    for (const place of places) {
      let standing = this.places.get(place.name);
      if (standing && standing.kind !== place.kind) {
        standing.dispose();
        standing = undefined;
      }
      if (!standing) {
        standing = new Standing(place.kind);
        this.places.set(place.name, standing);
        this.group.add(standing.group);
      }
      const [x, y] = middle(place.at, scene);
      standing.group.position.set(x, 0, y);
      standing.show(place);
    }
  }

  private putBodies(scene: Scene, now: number, still: boolean): void {
    const bodies = scene.bodies ?? [];
    const there = new Set(bodies.map((body) => body.name));
    for (const [name, somebody] of this.bodies) {
      if (there.has(name)) continue;
      somebody.figure.dispose();
      this.bodies.delete(name);
    }
    const stands = standsOf(bodies, scene);
    for (const [index, body] of bodies.entries()) {
      const somebody = this.somebody(body, index, stands.get(body.name)!, now);
      somebody.figure.show(body);
      send(somebody, body, stands.get(body.name)!, scene, now, still);
    }
  }

  private somebody(body: Body, index: number, stand: Stand, now: number): Somebody {
    const known = this.bodies.get(body.name);
    if (known && known.kind === body.kind) return known;
    known?.figure.dispose();
    const figure = new Figure(body.kind, BODIES[(this.hues.get(body.name) ?? index) % BODIES.length]!);
    const made: Somebody = { figure, kind: body.kind, cell: body.at, stand, walk: null, moved: now };
    figure.stand(stand);
    this.bodies.set(body.name, made);
    this.group.add(figure.group);
    return made;
  }
}

/** The middle of a cell. */
export const middle = (cell: Cell, scene: Scene): [number, number] =>
  [cell[0] - (scene.width - 1) / 2, cell[1] - (scene.height - 1) / 2];

/** Where each body stands: several on one cell stand close together, those without a cell of their own before
 * the kitchen. */
export function standsOf(bodies: readonly Body[], scene: Scene): Map<string, Stand> {
  const taken = new Set((scene.places ?? []).map((place) => String(place.at)));
  const groups = new Map<string, Body[]>();
  for (const body of bodies) {
    const key = body.at && !taken.has(String(body.at)) ? String(body.at) : "";
    groups.set(key, [...(groups.get(key) ?? []), body]);
  }
  const stands = new Map<string, Stand>();
  for (const [key, group] of groups) {
    for (const [index, body] of group.entries()) {
      const aside = index - (group.length - 1) / 2;
      const [x, y] = key ? middle(body.at!, scene) : [0, scene.height / 2 + 0.7];
      const [dx, dy] = body.facing ?? [0, 0];
      const apart = key ? Math.min(0.5, 0.9 / group.length) : 0.9;
      const back = key && group.length > 1 ? 0.06 * (index % 2) : 0;
      stands.set(body.name, { x: x + apart * aside, y: y + back, heading: dx || dy ? headingOf(dx, dy) : 0 });
    }
  }
  return stands;
}

const SLOWEST = { first: 150, perCell: 130 };
const QUICKEST = 120;

/** Have somebody walk to a stand; as quickly as they have been moving, so that steps join into one walk. */
function send(somebody: Somebody, body: Body, stand: Stand, scene: Scene, now: number, still: boolean): void {
  const before = somebody.walk ? somebody.walk.at(Infinity) : somebody.stand;
  const same = before.x === stand.x && before.y === stand.y && before.heading === stand.heading;
  if (same && !still) return;
  const cells = somebody.cell && body.at ? route(somebody.cell, body.at, scene) : [];
  const way = cells.slice(1, -1).map((cell) => middle(cell, scene));
  const between = somebody.walk ? [[before.x, before.y] as [number, number], ...way] : way;
  const slowest = SLOWEST.first + SLOWEST.perCell * Math.max(0, cells.length - 1);
  const duration = still ? 0 : Math.min(Math.max(now - somebody.moved, QUICKEST), slowest);
  somebody.walk = new Walk(somebody.stand, [...between, [stand.x, stand.y]], stand, now, duration);
  somebody.cell = body.at;
  somebody.moved = now;
}
