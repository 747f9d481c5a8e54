// What a ray hits: a line of the open panel, a body, a place, the board.
import type { Board } from "./board";
import type { Target } from "./choices";
import type { Kitchen } from "./kitchen";
import type { Panel } from "./panel";
import { type Object3D, Raycaster } from "./three.js";

export type Hit =
  | { kind: "row"; row: number; distance: number }
  | { kind: "panel"; distance: number }
  | { kind: "target"; target: Target; distance: number }
  | null;

/** The nearest thing on the ray; an open panel is before everything else. */
export function hitBy(ray: Raycaster, panel: Panel, board: Board, kitchen: Kitchen): Hit {
  if (panel.open) {
    const [on] = ray.intersectObject(panel.face, false);
    if (on) {
      const row = panel.rowAt(on.uv?.y ?? 0);
      return row < 0 ? { kind: "panel", distance: on.distance } : { kind: "row", row, distance: on.distance };
    }
  }
  let nearest: { target: Target; distance: number } | null = null;
  const consider = (object: Object3D, target: Target): void => {
    const [first] = ray.intersectObject(object, true);
    if (first && first.distance < (nearest?.distance ?? Infinity)) nearest = { target, distance: first.distance };
  };
  for (const [object, target] of kitchen.targets()) consider(object, target);
  consider(board.face, { kind: "board", name: "" });
  return nearest && { kind: "target", ...(nearest as { target: Target; distance: number }) };
}
