// The view on a screen: a camera that goes around the kitchen by mouse, fingers, keys and buttons.
import { Box3, type Object3D, OrbitControls, PerspectiveCamera, Spherical, Vector3 } from "./three.js";

const NEAREST = 1.5;
const LOWEST = 0.47 * Math.PI;
const STEP = Math.PI / 12;
const START = { azimuth: 0, polar: 0.25 * Math.PI };

export class Screen {
  readonly camera = new PerspectiveCamera(30, 1, 0.05, 300);
  private readonly orbit: OrbitControls;
  private corners: readonly Vector3[] = [];
  private moved = false;

  /** `changed` is called whenever the camera has moved. */
  constructor(element: HTMLElement, private readonly changed: () => void) {
    this.orbit = new OrbitControls(this.camera, element);
    this.orbit.minDistance = NEAREST;
    this.orbit.maxPolarAngle = LOWEST;
    this.orbit.enableDamping = false;
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener("change", changed);
    this.orbit.addEventListener("start", () => (this.moved = true));
  }

  /** The side from which the kitchen is seen, in radians: 0 in front, counterclockwise from above. */
  get azimuth(): number {
    return this.orbit.getAzimuthalAngle();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    if (!this.moved) this.reset();
  }

  /** Keep all of these in sight, unless somebody has chosen what to look at. */
  frame(objects: readonly Object3D[]): void {
    const boxes = objects.map((object) => new Box3().setFromObject(object)).filter((box) => !box.isEmpty());
    const corners = boxes.flatMap(cornersOf);
    if (corners.length === this.corners.length && corners.every((corner, i) => corner.distanceTo(this.corners[i]!) < 0.3)) return;
    this.corners = corners;
    if (!this.moved) this.reset();
  }

  reset(): void {
    this.moved = false;
    this.place(START.azimuth, START.polar);
  }

  /** Around by steps to the right and upwards. */
  turn(right: number, up: number): void {
    this.moved = true;
    const to = new Spherical().setFromVector3(this.camera.position.clone().sub(this.orbit.target));
    to.theta += right * STEP;
    to.phi = Math.min(LOWEST, Math.max(0.05, to.phi - up * STEP));
    this.camera.position.setFromSpherical(to).add(this.orbit.target);
    this.orbit.update();
    this.changed();
  }

  /** Nearer by steps. */
  approach(steps: number): void {
    this.moved = true;
    const away = this.camera.position.clone().sub(this.orbit.target);
    away.setLength(Math.max(NEAREST, away.length() * 0.85 ** steps));
    this.camera.position.copy(this.orbit.target).add(away);
    this.orbit.update();
    this.changed();
  }

  dispose(): void {
    this.orbit.dispose();
  }

  /** Look from this side, from so far away that every corner is just in sight, as large as can be. */
  private place(azimuth: number, polar: number): void {
    if (!this.corners.length) return;
    const middle = new Box3().setFromPoints([...this.corners]).getCenter(new Vector3());
    const way = new Vector3().setFromSpherical(new Spherical(1, polar, azimuth));
    this.camera.position.copy(middle).add(way);
    this.camera.lookAt(middle);
    const looks = this.camera.quaternion;
    const seen = this.corners.map((corner) => corner.clone().sub(middle).applyQuaternion(looks.clone().invert()));
    const up = Math.tan((this.camera.fov * Math.PI) / 360) * 0.96;
    const [high, aside] = [range(seen, "y", up), range(seen, "x", up * this.camera.aspect)];
    const shift = new Vector3(aside.middle, high.middle, 0).applyQuaternion(looks);
    this.orbit.target.copy(middle).add(shift);
    this.camera.position.copy(this.orbit.target).addScaledVector(way, Math.max(NEAREST, high.away, aside.away));
    this.orbit.update();
    this.changed();
  }
}

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

/** Where along an axis the camera has to be, and how far away, to see all points under an angle whose tangent
 * is `slope` to either side. */
function range(points: readonly Vector3[], axis: "x" | "y", slope: number): { middle: number; away: number } {
  const high = Math.max(...points.map((point) => point[axis] + point.z * slope));
  const low = Math.max(...points.map((point) => -point[axis] + point.z * slope));
  return { middle: (high - low) / 2, away: (high + low) / 2 / slope };
}
