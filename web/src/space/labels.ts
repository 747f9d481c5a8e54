// Labels stand on no other: where two would, the one of higher rank is seen, and of two of the same the nearer one.
import type { PerspectiveCamera } from "./three.js";
import { type Sprite, Vector3 } from "./three.js";

/** Where a label is seen: its middle and its size on the picture, how far away it is, and its rank (0 is the highest). */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  depth: number;
  rank: number;
}

/** Labels may touch by so much of their size. */
const TOUCH = 0.06;

const meet = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (0.5 - TOUCH / 2) * (a.width + b.width) && Math.abs(a.y - b.y) < (0.5 - TOUCH / 2) * (a.height + b.height);

/** Those that are seen. */
export function seenOf<Of extends Box>(boxes: readonly Of[]): Of[] {
  const seen: Of[] = [];
  for (const box of [...boxes].sort((a, b) => a.rank - b.rank || a.depth - b.depth)) if (!seen.some((other) => meet(box, other))) seen.push(box);
  return seen;
}

const at = new Vector3();

/** Where a camera sees a sprite that faces it. */
export function boxOf(sprite: Sprite, camera: PerspectiveCamera, rank: number): Box {
  const view = sprite.getWorldPosition(at).applyMatrix4(camera.matrixWorldInverse);
  const near = 1 / (Math.max(1e-3, -view.z) * Math.tan((camera.fov * Math.PI) / 360));
  const [width, height] = [(sprite.scale.x * near) / camera.aspect, sprite.scale.y * near];
  return {
    x: (view.x * near) / camera.aspect + (0.5 - sprite.center.x) * width, y: view.y * near + (0.5 - sprite.center.y) * height,
    width, height, depth: -view.z, rank,
  };
}
