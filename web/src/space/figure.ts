// Somebody who acts: a cook with a hat or a robot, who looks where it faces and holds things before it.
import type { Body } from "../protocol";
import { HANDS, INK } from "./colours";
import type { Stand } from "./paths";
import { Pile } from "./pile";
import { Label, type Line, Rings } from "./signs";
import { ball, bar, box, bringForward, drum, dome, joined, paint } from "./solids";
import { CircleGeometry, Group, Mesh, MeshBasicMaterial, RingGeometry } from "./three.js";

const SHOULDER = 0.52;
const HEAD = 0.86;

/** Who stands before a place is seen before its label. */
const BEFORE_LABELS = 15;

const shade = new CircleGeometry(0.3, 20).rotateX(-Math.PI / 2);
const hoop = new RingGeometry(0.34, 0.42, 28).rotateX(-Math.PI / 2);
const dim = new MeshBasicMaterial({ color: INK, transparent: true, opacity: 0.18, depthWrite: false });
const mine = new MeshBasicMaterial({ color: HANDS });

function cook(colour: string): Group {
  const skin = paint("#f5dcc0");
  return joined(
    bar(0.21, 0.3, paint(colour, 0.12)), box(0.26, 0.34, 0.02, paint("#ffffff"), [0, 0.16, 0.205]),
    ball(0.16, skin, [0, 0.7, 0]), dome(0.03, paint("#d8a988"), [0, HEAD - 0.02, 0.155]),
    ...[-1, 1].map((side) => ball(0.022, paint(INK), [0.06 * side, HEAD + 0.01, 0.14])),
    drum(0.13, 0.13, 0.1, paint("#ffffff"), [0, 0.98, 0]), dome(0.17, paint("#ffffff"), [0, 1.08, 0], 0.6),
  );
}

function robot(colour: string): Group {
  return joined(
    drum(0.22, 0.19, 0.14, paint(INK), [0, 0, 0]), box(0.4, 0.46, 0.32, paint(colour, 0.12), [0, 0.14, 0]),
    box(0.2, 0.12, 0.01, paint("#f1f3f5"), [0, 0.36, 0.162]), drum(0.06, 0.06, 0.08, paint(INK), [0, 0.6, 0]),
    box(0.34, 0.26, 0.28, paint("#f1f3f5", 0.06), [0, 0.68, 0]),
    ...[-1, 1].map((side) => ball(0.04, paint(HANDS), [0.08 * side, HEAD - 0.07, 0.13])),
    bar(0.015, 0.1, paint(INK), [0, 0.94, 0]), ball(0.035, paint(colour), [0, 1.06, 0]),
  );
}

const arms = (colour: string): Group =>
  joined(...[-1, 1].map((side) => {
    const arm = bar(0.05, 0.2, paint(colour, 0.25), [0.23 * side, 0, 0]);
    arm.rotation.x = Math.PI / 2.4;
    arm.position.set(0.23 * side, SHOULDER - 0.04, 0.14);
    return arm;
  }));

export class Figure {
  readonly group = new Group();
  /** What turns with it; words do not. */
  private readonly trunk = new Group();
  readonly held = new Pile();
  readonly name = new Label(1.5, [0.5, 0], 20);
  private readonly words = new Label(2.2, [0.5, 0], 22);
  private readonly rings = new Rings();
  private readonly mark: Mesh;

  constructor(kind: string, colour: string) {
    const mechanical = /robot|agent|bot/.test(kind.toLowerCase());
    this.trunk.add(mechanical ? robot(colour) : cook(colour), arms(colour), this.held.group);
    bringForward(this.trunk, BEFORE_LABELS);
    this.held.group.position.set(0, SHOULDER - 0.06, 0.33);
    this.mark = new Mesh(hoop, mine);
    this.mark.position.y = 0.012;
    this.mark.visible = false;
    const shadow = new Mesh(shade, dim);
    shadow.position.y = 0.008;
    this.group.add(this.trunk, shadow, this.mark, this.name.sprite, this.words.sprite, this.rings.sprite);
  }

  /** Whether it is commanded from here. */
  set own(own: boolean) {
    this.mark.visible = own;
  }

  show(body: Body): void {
    const holding = body.holding ?? [];
    if (this.held.set(holding)) bringForward(this.held.group, BEFORE_LABELS);
    const lines: Line[] = [
      { text: body.name, strong: true }, { text: (body.marks ?? []).join(", ") },
      { text: holding.length ? `holds ${holding.map((thing) => [thing.name, ...(thing.marks ?? [])].join(", ")).join("; ")}` : "" },
    ];
    this.name.set(lines, "rgba(233,241,247,0.92)");
    this.words.set([{ text: body.says ?? "" }], "rgba(255,253,235,0.97)");
    this.rings.set(body.progress ?? []);
    const top = Math.max(1.2, SHOULDER + this.held.height);
    this.name.sprite.position.y = top + 0.04;
    const above = top + 0.08 + this.name.sprite.scale.y;
    this.rings.sprite.position.y = above + 0.2;
    this.words.sprite.position.y = above + (this.rings.sprite.visible ? 0.42 : 0.04);
  }

  stand({ x, y, heading }: Stand): void {
    this.group.position.set(x, 0, y);
    this.trunk.rotation.y = heading;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const sign of [this.name, this.words, this.rings]) sign.dispose();
  }
}
