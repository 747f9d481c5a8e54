// What is under way, as clocks have it: how much of it is left, and which part is done.
import type { Progress, Thing } from "../protocol";

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
