// Walking by a stick or by arrow keys in a game with a clock: a key of the world goes down and comes up.
import { type Direction, walkingKeys, wayOf } from "./choices";
import type { Controls, PressDone } from "../protocol";

export class Walking {
  private now: Direction | null = null;

  constructor(private readonly controls: Controls | null, private readonly press: (press: PressDone) => void) {}

  /** Whether the world has keys to walk with. */
  get able(): boolean {
    return walkingKeys(this.controls) !== null;
  }

  /** The stick leans this way (-1 to 1; `y` towards oneself), for somebody who sees the kitchen turned by `turn`. */
  lean(x: number, y: number, turn: number): void {
    const keys = walkingKeys(this.controls);
    const way = keys && wayOf(x, y, turn);
    if (!keys || way === this.now) return;
    if (this.now) this.press({ key: keys[this.now], hold: "end" });
    if (way) this.press({ key: keys[way], hold: "start" });
    this.now = way;
  }

  stop(): void {
    this.lean(0, 0, 0);
  }
}
