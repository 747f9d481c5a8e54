/// <reference types="webxr" />
// A session in a headset: the kitchen stands before one like a model on a table, rays point at it.
import { WAIT } from "./colours";
import type { Hit } from "./pointing";
import {
  BufferGeometry, CircleGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, type Object3D, Raycaster,
  Vector3, type WebGLRenderer,
} from "./three.js";

export type Mode = "immersive-vr" | "immersive-ar";

const TABLE = { height: 0.72, nearest: 0.5, width: 1.5, largest: 0.3 };
const SNAP = Math.PI / 6;
const DEAD = 0.5;

/** What the view does when a hand points, presses or leans its stick. */
export interface Hands {
  /** What this ray hits; it is marked. */
  point(ray: Raycaster, hand: number): Hit;
  select(ray: Raycaster): void;
  squeeze(ray: Raycaster): void;
  walk(x: number, y: number): void;
  readonly walks: boolean;
  ended(): void;
}

/** Which kinds of session this browser has a device for. */
export async function modes(): Promise<Mode[]> {
  const system = (navigator as { xr?: XRSystem }).xr;
  if (!system) return [];
  const asked = (["immersive-vr", "immersive-ar"] as const).map(async (mode) =>
    (await system.isSessionSupported(mode).catch(() => false)) ? mode : null,
  );
  return (await Promise.all(asked)).filter((mode): mode is Mode => mode !== null);
}

interface Hand {
  ray: Group;
  line: Line;
  dot: Mesh;
  source: XRInputSource | null;
  /** Its stick has turned the kitchen and has not come back since. */
  snapped: boolean;
}

/** The kitchen's size and place on a table of its own, for somebody who stands or sits at the origin. */
export function placed(width: number, depth: number, floor: boolean): { scale: number; y: number; z: number } {
  const scale = Math.min(TABLE.largest, TABLE.width / Math.max(width, depth, 1));
  return { scale, y: floor ? TABLE.height : TABLE.height - 1.35, z: -(TABLE.nearest + (depth * scale) / 2) };
}

export class Headset {
  private readonly hands: Hand[];
  private readonly raycaster = new Raycaster();
  private session: XRSession | null = null;
  private floor = true;

  constructor(
    private readonly renderer: WebGLRenderer, private readonly stage: Object3D, private readonly table: Object3D,
    private readonly does: Hands,
  ) {
    this.hands = [0, 1].map((index) => this.hand(index));
  }

  get on(): boolean {
    return this.session !== null;
  }

  /** The mode of the session. */
  mode: Mode = "immersive-vr";

  /** Begin a session; raises what the browser says if it does not. `width`, `depth`: of the kitchen, in cells. */
  async begin(mode: Mode, width: number, depth: number): Promise<void> {
    const system = (navigator as { xr?: XRSystem }).xr;
    if (!system || this.session) return;
    const session = await system.requestSession(mode, { optionalFeatures: ["local-floor", "hand-tracking"] });
    this.floor = await session.requestReferenceSpace("local-floor").then(() => true, () => false);
    this.renderer.xr.setReferenceSpaceType(this.floor ? "local-floor" : "local");
    session.addEventListener("end", () => this.ended());
    this.session = session;
    this.mode = mode;
    await this.renderer.xr.setSession(session);
    this.stage.add(...this.hands.map((hand) => hand.ray));
    this.fit(width, depth);
  }

  /** Put the kitchen on its table anew, as for a scene of another size. */
  fit(width: number, depth: number): void {
    const { scale, y, z } = placed(width, depth, this.floor);
    this.table.scale.setScalar(scale);
    this.table.position.set(0, y, z);
  }

  async end(): Promise<void> {
    await this.session?.end();
  }

  /** Rays and sticks, once for each frame. */
  step(): void {
    let [x, y] = [0, 0];
    for (const [index, hand] of this.hands.entries()) {
      if (!hand.source) continue;
      const hit = this.does.point(this.aim(hand), index);
      const length = hit?.distance ?? 2;
      hand.line.scale.z = length;
      hand.dot.visible = hit !== null;
      hand.dot.position.z = -length;
      const axes = hand.source.gamepad?.axes ?? [];
      const [right, down] = axes.length >= 4 ? [axes[2]!, axes[3]!] : [axes[0] ?? 0, axes[1] ?? 0];
      if (this.does.walks && hand.source.handedness !== "right") [x, y] = [right, down];
      else this.lean(hand, right, down);
    }
    if (this.does.walks) this.does.walk(x, y);
  }

  dispose(): void {
    void this.end();
    for (const { line, dot } of this.hands) {
      line.geometry.dispose();
      dot.geometry.dispose();
    }
  }

  /** The stick that does not walk turns the kitchen by steps, and makes it larger or smaller. */
  private lean(hand: Hand, right: number, down: number): void {
    const [across, along] = [Math.abs(right) > DEAD, Math.abs(down) > DEAD];
    if (across && !hand.snapped) this.table.rotateY(right > 0 ? SNAP : -SNAP);
    else if (along && !across) this.table.scale.multiplyScalar(down < 0 ? 1.01 : 0.99).clampScalar(0.05, 1);
    if (across) hand.snapped = true;
    else if (Math.abs(right) < DEAD / 2) hand.snapped = false;
  }

  private aim(hand: Hand): Raycaster {
    hand.ray.updateMatrixWorld(true);
    const from = new Vector3().setFromMatrixPosition(hand.ray.matrixWorld);
    const to = new Vector3(0, 0, -1).transformDirection(hand.ray.matrixWorld);
    this.raycaster.set(from, to);
    return this.raycaster;
  }

  private hand(index: number): Hand {
    const ray = this.renderer.xr.getController(index);
    const geometry = new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]);
    const line = new Line(geometry, new LineBasicMaterial({ color: WAIT, transparent: true, opacity: 0.8 }));
    const dot = new Mesh(new CircleGeometry(0.008, 16), new MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true }));
    dot.renderOrder = 40;
    ray.add(line, dot);
    const hand: Hand = { ray, line, dot, source: null, snapped: false };
    ray.addEventListener("connected", (event) => {
      hand.source = event.data;
      ray.visible = event.data.targetRayMode !== "transient-pointer"; // that one looks, and has nothing to draw
    });
    ray.addEventListener("disconnected", () => (hand.source = null));
    ray.addEventListener("select", () => this.does.select(this.aim(hand)));
    ray.addEventListener("squeeze", () => this.does.squeeze(this.aim(hand)));
    return hand;
  }

  private ended(): void {
    this.session = null;
    for (const hand of this.hands) {
      hand.source = null;
      hand.ray.removeFromParent();
    }
    this.table.position.set(0, 0, 0);
    this.table.rotation.set(0, 0, 0);
    this.table.scale.setScalar(1);
    this.does.ended();
  }
}
