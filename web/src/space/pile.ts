// Things one above the other, and their flight from where they were a moment ago.
import type { Thing } from "../protocol";
import { solidOf } from "./things";
import { Group, Vector3 } from "./three.js";

const FLIGHT = 320;
const HIGHEST = 1.1;

interface Item {
  name: string;
  object: Group;
  rest: Vector3;
}

interface Flight {
  item: Item;
  from: Vector3;
  start: number;
}

export class Pile {
  readonly group = new Group();
  /** How high the pile is. */
  height = 0;
  private items: Item[] = [];
  private flights: Flight[] = [];
  private key = "[]";

  /** `most`: how wide a thing may be, as a part of its usual width. */
  set(things: readonly Thing[], most = 1): boolean {
    const key = JSON.stringify([things.map(looks), most]);
    if (key === this.key) return false;
    this.key = key;
    this.group.clear();
    this.flights = [];
    const solids = things.map((thing) => solidOf(thing));
    const whole = solids.reduce((sum, solid) => sum + solid.height, 0) * most;
    const pressed = whole > HIGHEST ? HIGHEST / whole : 1;
    this.height = 0;
    this.items = solids.map((solid, index) => {
      const object = new Group().add(solid.object);
      object.scale.setScalar(most);
      const rest = new Vector3(0, this.height, 0);
      object.position.copy(rest);
      this.height += solid.height * most * pressed;
      return { name: things[index]!.name, object, rest };
    });
    for (const { object } of this.items) this.group.add(object);
    return true;
  }

  /** Where each thing is now, in the space of `over`. */
  *where(over: Group): Generator<readonly [string, Vector3]> {
    for (const { name, object } of this.items) yield [name, over.worldToLocal(object.getWorldPosition(new Vector3()))];
  }

  /** Things that come from elsewhere fly here from `origins` (in the space of `over`), each of which is used once. */
  fly(origins: Map<string, Vector3[]>, over: Group, now: number): void {
    for (const item of this.items) {
      const from = origins.get(item.name)?.shift();
      if (from) this.flights.push({ item, from: this.group.worldToLocal(over.localToWorld(from.clone())), start: now });
    }
  }

  /** Whether something still moves. */
  step(now: number): boolean {
    this.flights = this.flights.filter(({ item, from, start }) => {
      const share = Math.min(1, (now - start) / FLIGHT);
      item.object.position.lerpVectors(from, item.rest, share * share * (3 - 2 * share));
      item.object.position.y += 0.25 * Math.sin(Math.PI * share);
      return share < 1;
    });
    return this.flights.length > 0;
  }
}

/** What of a thing decides how it looks: not how far something has come with it. */
const looks = (thing: Thing): unknown => [thing.name, thing.kind, thing.marks ?? [], (thing.inside ?? []).map(looks)];
