// Simple solids and their colours, each made once and used by all: a scene has few kinds and many things.
import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, Color, ConeGeometry, CylinderGeometry, Group, IcosahedronGeometry,
  LatheGeometry, Mesh, MeshLambertMaterial, Object3D, SphereGeometry, TorusGeometry, Vector2,
} from "./three.js";

export type Point = readonly [number, number, number];

const shapes = new Map<string, BufferGeometry>();
const paints = new Map<string, MeshLambertMaterial>();

function shape(name: string, sizes: readonly number[], make: () => BufferGeometry): BufferGeometry {
  const key = `${name} ${sizes.join(" ")}`;
  let found = shapes.get(key);
  if (!found) shapes.set(key, (found = make()));
  return found;
}

/** A dull paint; `dark` from 0 to 1 takes light from it. */
export function paint(colour: string, dark = 0): MeshLambertMaterial {
  const key = `${colour} ${dark}`;
  let found = paints.get(key);
  if (!found) {
    found = new MeshLambertMaterial({ color: new Color(colour).multiplyScalar(1 - dark), flatShading: true });
    paints.set(key, found);
  }
  return found;
}

const forward = new Map<MeshLambertMaterial, MeshLambertMaterial>();

/** Have this drawn after what has a lower `order`, as words have that would otherwise cover it. */
export function bringForward(object: Object3D, order: number): void {
  object.traverse((each) => {
    if (!(each instanceof Mesh) || !(each.material instanceof MeshLambertMaterial) || each.renderOrder === order) return;
    let paintOver = forward.get(each.material);
    if (!paintOver) {
      paintOver = each.material.clone();
      paintOver.transparent = true; // what is opaque is drawn before all that is not, whatever its order
      forward.set(each.material, paintOver);
    }
    each.material = paintOver;
    each.renderOrder = order;
  });
}

const solid = (geometry: BufferGeometry, colour: MeshLambertMaterial, at: Point): Mesh => {
  const mesh = new Mesh(geometry, colour);
  mesh.position.set(...at);
  return mesh;
};

// Sizes are in cells. Every `at` is the middle of the solid's lower side.

export function box(width: number, height: number, depth: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0]): Mesh {
  const made = shape("box", [width, height, depth], () => new BoxGeometry(width, height, depth));
  return solid(made, colour, [at[0], at[1] + height / 2, at[2]]);
}

export function drum(
  below: number, above: number, height: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0], sides = 18,
): Mesh {
  const made = shape("drum", [below, above, height, sides], () => new CylinderGeometry(above, below, height, sides));
  return solid(made, colour, [at[0], at[1] + height / 2, at[2]]);
}

export function cone(radius: number, height: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0], sides = 10): Mesh {
  const made = shape("cone", [radius, height, sides], () => new ConeGeometry(radius, height, sides));
  return solid(made, colour, [at[0], at[1] + height / 2, at[2]]);
}

/** A ball that is `flat` times as high as wide. */
export function ball(radius: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0], flat = 1): Mesh {
  const made = shape("ball", [radius], () => new SphereGeometry(radius, 14, 10));
  const mesh = solid(made, colour, [at[0], at[1] + radius * flat, at[2]]);
  mesh.scale.y = flat;
  return mesh;
}

/** A rough lump, like a head of lettuce. */
export function lump(radius: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0], flat = 1): Mesh {
  const made = shape("lump", [radius], () => new IcosahedronGeometry(radius, 1));
  const mesh = solid(made, colour, [at[0], at[1] + radius * flat, at[2]]);
  mesh.scale.y = flat;
  return mesh;
}

/** The upper half of a ball. */
export function dome(radius: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0], flat = 1): Mesh {
  const made = shape("dome", [radius], () => new SphereGeometry(radius, 16, 8, 0, 2 * Math.PI, 0, Math.PI / 2));
  const mesh = solid(made, colour, at);
  mesh.scale.y = flat;
  return mesh;
}

/** A vessel, open above: `profile` are (radius, height) along its wall, from the outside over the rim inwards. */
export function vessel(profile: readonly (readonly [number, number])[], colour: MeshLambertMaterial, at: Point = [0, 0, 0]): Mesh {
  const made = shape("vessel", profile.flat(), () => new LatheGeometry(profile.map(([r, h]) => new Vector2(r, h)), 20));
  return solid(made, colour, at);
}

/** A ring that lies flat. */
export function hoop(radius: number, thick: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0]): Mesh {
  const made = shape("hoop", [radius, thick], () => new TorusGeometry(radius, thick, 6, 24).rotateX(Math.PI / 2));
  return solid(made, colour, at);
}

/** A bar with round ends that stands upright. */
export function bar(radius: number, length: number, colour: MeshLambertMaterial, at: Point = [0, 0, 0]): Mesh {
  const made = shape("bar", [radius, length], () => new CapsuleGeometry(radius, length, 4, 10));
  return solid(made, colour, [at[0], at[1] + radius + length / 2, at[2]]);
}

export function joined(...parts: Object3D[]): Group {
  const group = new Group();
  group.add(...parts);
  return group;
}

export function turnedBy<T extends Object3D>(object: T, x: number, y: number, z: number): T {
  object.rotation.set(x, y, z);
  return object;
}
