// What is under way, as clocks have it: how much of it is left, and which part is done.
import type { Progress, Scene, Thing } from "../protocol";

/** The part of the whole that is done; all of it where there is nothing to do. */
export const shareOf = ({ done, full }: Progress): number => (full > 0 ? Math.min(Math.max(done / full, 0), 1) : 1);

/** What is left, in whole units, the one that has begun as well. */
export const leftOf = ({ done, full }: Progress): number => Math.max(0, Math.ceil(full - done - 1e-6));

/** What is seen of a clock: while this stays the same it need not be drawn again. */
export const seen = (progress: Progress): unknown =>
  [progress.label, leftOf(progress), Math.round(48 * shareOf(progress)), progress.paused ?? false];

/** What is seen of a thing. */
export const seenThing = (thing: Thing): unknown =>
  [thing.name, thing.kind, thing.marks ?? [], (thing.progress ?? []).map(seen), (thing.inside ?? []).map(seenThing)];

/** The scene with everything under way counted in seconds, for ticks of this length. */
export function inSeconds(scene: Scene, tick: number): Scene {
  if (tick === 1) return scene;
  const counted = <T extends { progress?: Progress[] }>(one: T): T =>
    one.progress ? { ...one, progress: one.progress.map((each) => ({ ...each, done: each.done * tick, full: each.full * tick })) } : one;
  const things = (all: readonly Thing[]): Thing[] =>
    all.map((thing) => counted(thing.inside ? { ...thing, inside: things(thing.inside) } : thing));
  return {
    ...scene,
    places: (scene.places ?? []).map((place) => counted({ ...place, stack: things(place.stack ?? []) })),
    bodies: (scene.bodies ?? []).map((body) => counted({ ...body, holding: things(body.holding ?? []) })),
    beside: things(scene.beside ?? []),
  };
}
