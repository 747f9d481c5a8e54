// The board on the wall: what the game is about, the orders with their clocks, and all else that is nowhere
// on the grid.
import type { Scene, Thing } from "../protocol";
import { seenThing } from "./clock";
import { EDGE, food, INK, MUTED } from "./colours";
import { drawRing, Drawing, fitted, FONT, rounded, wrapped } from "./signs";
import { box, paint } from "./solids";
import { Group, Mesh, MeshBasicMaterial, PlaneGeometry } from "./three.js";

const WIDTH = 1024;
const CARD = { width: 328, height: 96, gap: 10 };
const MARGIN = 20;
const COLUMNS = 3;
const MOST_ROWS = 5;
const CAPTION = 44;

/** Words on one card: what has become of a thing, and what is inside it. */
const more = (thing: Thing): string =>
  [...(thing.marks ?? []), ...(thing.inside ?? []).map((inner) => inner.name)].join(", ");

export class Board {
  readonly group = new Group();
  /** What is hit by those who point at the board. */
  readonly face: Mesh<PlaneGeometry, MeshBasicMaterial>;
  /** Its height in cells; it is one wide, and scaled to the kitchen. */
  height = 0.3;
  private readonly frame: Mesh;
  private readonly drawing: Drawing;

  constructor() {
    this.face = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ color: 0xffffff }));
    this.frame = box(1, 1, 1, paint(EDGE, 0.3));
    this.group.add(this.face, this.frame);
    this.group.rotation.x = -0.3; // it leans back, towards those who look down on it
    this.drawing = new Drawing((texture) => {
      this.face.material.map = texture;
      this.face.material.needsUpdate = true;
    });
  }

  /** `below`: a line at its lower end, such as what can be done from here. */
  show(scene: Scene, below: string): void {
    const cards = scene.beside ?? [];
    const pen = this.drawing.pen;
    pen.font = `600 ${CAPTION}px ${FONT}`;
    const caption = wrapped(pen, scene.caption ?? "", WIDTH - 2 * MARGIN, 3);
    const rows = Math.min(MOST_ROWS, Math.ceil(cards.length / COLUMNS));
    const top = MARGIN + caption.length * (CAPTION + 8);
    const height = top + rows * (CARD.height + CARD.gap) + (below ? 44 : 0) + MARGIN / 2;
    const key = JSON.stringify([caption, cards.map(seenThing), below]);
    this.drawing.draw(key, WIDTH, height, () => {
      pen.fillStyle = "#fdfcf9";
      pen.fillRect(0, 0, WIDTH, height);
      write(pen, caption, MARGIN, MARGIN, `600 ${CAPTION}px ${FONT}`, CAPTION + 8, INK);
      const room = rows * COLUMNS;
      for (const [index, thing] of cards.slice(0, room).entries()) {
        const left = cards.length > room && index === room - 1 ? cards.length - room + 1 : 0;
        const x = MARGIN + (index % COLUMNS) * (CARD.width + 1);
        const y = top + Math.floor(index / COLUMNS) * (CARD.height + CARD.gap);
        drawCard(pen, left ? { name: `and ${left} more`, kind: "" } : thing, x, y);
      }
      if (below) write(pen, [fitted(pen, below, WIDTH - 2 * MARGIN)], MARGIN, height - 46, `30px ${FONT}`, 34, MUTED);
    });
    this.height = height / WIDTH;
    this.face.scale.set(1, this.height, 1);
    this.face.position.set(0, this.height / 2, 0.012);
    this.frame.scale.set(1.03, this.height + 0.03, 0.02);
    this.frame.position.set(0, this.height / 2, 0);
  }

  dispose(): void {
    this.face.geometry.dispose();
    this.face.material.dispose();
    this.drawing.dispose();
  }
}

function write(
  pen: CanvasRenderingContext2D, lines: readonly string[], x: number, y: number, font: string, step: number, colour: string,
): void {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = "left";
  pen.textBaseline = "top";
  for (const [index, line] of lines.entries()) pen.fillText(line, x, y + index * step);
}

function drawCard(pen: CanvasRenderingContext2D, thing: Thing, x: number, y: number): void {
  const width = CARD.width - CARD.gap;
  pen.fillStyle = thing.kind ? food(thing.kind) : "#ffffff";
  pen.strokeStyle = EDGE;
  pen.lineWidth = 2;
  rounded(pen, x, y, width, CARD.height, 14);
  pen.fill();
  pen.stroke();
  const clocks = (thing.progress ?? []).slice(0, 1);
  const left = clocks.length ? 90 : 14;
  for (const clock of clocks) drawRing(pen, clock, x + 48, y + CARD.height / 2, 38);
  const rest = more(thing);
  pen.font = `600 28px ${FONT}`;
  const name = wrapped(pen, thing.name, width - left - 8, rest ? 1 : 2);
  write(pen, name, x + left, y + (name.length > 1 || rest ? 16 : 34), `600 28px ${FONT}`, 33, INK);
  if (rest) write(pen, [fitted(pen, rest, width - left - 8)], x + left, y + 52, `26px ${FONT}`, 30, INK);
}
