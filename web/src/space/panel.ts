// The options of what was pointed at, as lines that can be pointed at themselves, by the mouse, a finger, keys
// or a controller's ray.
import { EDGE, HANDS, INK, MUTED } from "./colours";
import type { Choice } from "./choices";
import { Drawing, fitted, FONT, rounded, wrapped } from "./signs";
import { Group, Mesh, MeshBasicMaterial, PlaneGeometry } from "./three.js";

export type Pressed = { kind: "choice"; choice: Choice } | { kind: "page"; by: number } | { kind: "close" };

interface Row {
  text: string;
  small: string;
  pressed: Pressed;
  off: boolean;
}

const WIDTH = 720;
const ROW = 84;
const TITLE = 76;
const MARGIN = 14;
const PER_PAGE = 6;
const ROUND = 18;

/** One unit wide; scaled and placed by whoever shows it. */
export class Panel {
  readonly group = new Group();
  readonly face: Mesh<PlaneGeometry, MeshBasicMaterial>;
  title = "";
  /** Its height where it is one wide. */
  height = 1;
  private choices: readonly Choice[] = [];
  private page = 0;
  private lit = -1;
  private readonly drawing: Drawing;

  constructor() {
    const material = new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false });
    this.face = new Mesh(new PlaneGeometry(1, 1), material);
    this.face.renderOrder = 30;
    this.group.add(this.face);
    this.group.visible = false;
    this.drawing = new Drawing((texture) => {
      material.map = texture;
      material.needsUpdate = true;
    });
  }

  get open(): boolean {
    return this.group.visible;
  }

  get shown(): readonly Choice[] {
    return this.choices;
  }

  show(title: string, choices: readonly Choice[], keepPage = false): void {
    [this.title, this.choices] = [title, choices];
    if (!keepPage) [this.page, this.lit] = [0, -1];
    this.group.visible = true;
    this.draw();
  }

  hide(): void {
    this.group.visible = false;
    this.lit = -1;
  }

  private get rows(): Row[] {
    const pages = Math.max(1, Math.ceil(this.choices.length / PER_PAGE));
    this.page = Math.min(this.page, pages - 1);
    const rows: Row[] = this.choices.slice(this.page * PER_PAGE, (this.page + 1) * PER_PAGE).map((choice) => ({
      text: choice.option.label, small: choice.option.gloss, pressed: { kind: "choice", choice }, off: choice.index < 0,
    }));
    if (pages > 1) {
      const next = this.page + 1 < pages;
      const text = next ? `more (${this.page + 1} of ${pages})` : `back to the first (${pages} of ${pages})`;
      rows.push({ text, small: "", pressed: { kind: "page", by: next ? 1 : -this.page }, off: false });
    }
    rows.push({ text: "close", small: "", pressed: { kind: "close" }, off: false });
    return rows;
  }

  /** The line at a point of the face (0 to 1, from its lower left corner); -1 for none. */
  rowAt(y: number): number {
    const pixels = (1 - y) * this.height * WIDTH - TITLE;
    const row = Math.floor(pixels / ROW);
    return pixels >= 0 && row < this.rows.length ? row : -1;
  }

  textOf(row: number): string {
    return this.rows[row]?.text ?? "";
  }

  /** Light up a line; whether anything changed. */
  light(row: number): boolean {
    if (row === this.lit) return false;
    this.lit = row;
    this.draw();
    return true;
  }

  /** The next line from the lit one that can be taken, by keys. */
  move(by: number): void {
    const rows = this.rows;
    let next = this.lit < 0 && by < 0 ? rows.length : this.lit;
    for (let tries = 0; tries < rows.length; tries++) {
      next = (next + by + rows.length) % rows.length;
      if (!rows[next]!.off) break;
    }
    this.light(next);
  }

  /** What is pressed with a line; `null` for one that cannot be taken. The pages are turned here. */
  press(row: number): Pressed | null {
    const pressed = this.rows[row];
    if (!pressed || pressed.off) return null;
    if (pressed.pressed.kind === "page") {
      this.page += pressed.pressed.by;
      this.lit = -1;
      this.draw();
    }
    return pressed.pressed;
  }

  pressLit(): Pressed | null {
    return this.press(this.lit);
  }

  dispose(): void {
    this.face.geometry.dispose();
    this.face.material.dispose();
    this.drawing.dispose();
  }

  private draw(): void {
    const rows = this.rows;
    const height = TITLE + rows.length * ROW + MARGIN;
    const key = JSON.stringify([this.title, this.lit, rows.map((row) => [row.text, row.small, row.off])]);
    this.drawing.draw(key, WIDTH, height, (pen) => {
      pen.fillStyle = "#ffffff";
      rounded(pen, 1, 1, WIDTH - 2, height - 2, ROUND);
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = EDGE;
      pen.stroke();
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.font = `600 38px ${FONT}`;
      pen.fillStyle = INK;
      pen.fillText(fitted(pen, this.title, WIDTH - 4 * MARGIN), 2 * MARGIN, TITLE / 2 + 2);
      for (const [index, row] of rows.entries()) drawRow(pen, row, TITLE + index * ROW, index === this.lit);
    });
    this.height = height / WIDTH;
    this.face.scale.set(1, this.height, 1);
  }
}

function drawRow(pen: CanvasRenderingContext2D, row: Row, y: number, lit: boolean): void {
  rounded(pen, MARGIN, y + 3, WIDTH - 2 * MARGIN, ROW - 6, 12);
  pen.fillStyle = lit && !row.off ? HANDS : "#f6f8fa";
  pen.fill();
  const quiet = row.pressed.kind !== "choice" || row.off;
  pen.fillStyle = lit && !row.off ? "#ffffff" : quiet ? MUTED : INK;
  pen.font = `${quiet ? 30 : 33}px ${FONT}`;
  const words = row.off ? `${row.text} (no longer)` : row.text;
  const room = WIDTH - 6 * MARGIN;
  const lines = row.small ? [fitted(pen, words, room)] : wrapped(pen, words, room, 2);
  const middle = y + ROW / 2;
  if (row.small) {
    pen.fillText(lines[0]!, 3 * MARGIN, middle - 15);
    pen.font = `26px ${FONT}`;
    pen.fillText(fitted(pen, row.small, room), 3 * MARGIN, middle + 20);
  } else if (lines.length > 1) {
    pen.font = `28px ${FONT}`;
    for (const [index, line] of lines.entries()) pen.fillText(line, 3 * MARGIN, middle + (index ? 18 : -16));
  } else {
    pen.fillText(lines[0] ?? "", 3 * MARGIN, middle);
  }
}
