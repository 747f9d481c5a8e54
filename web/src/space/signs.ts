// Words and clocks in space: small canvases that always turn towards the viewer.
import type { Progress } from "../protocol";
import { leftOf, seen, shareOf } from "./clock";
import { ALONE, EDGE, INK, WAIT } from "./colours";
import { CanvasTexture, Sprite, SpriteMaterial, SRGBColorSpace } from "./three.js";

export interface Line {
  text: string;
  strong?: boolean;
}

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

/** Pixels of a canvas for each cell's width. */
export const SHARP = 256;

/** A canvas that is drawn again when what it shows has changed, and the texture of it. */
export class Drawing {
  readonly canvas = document.createElement("canvas");
  readonly pen: CanvasRenderingContext2D;
  texture: CanvasTexture | null = null;
  private key = "";

  constructor(private readonly took: (texture: CanvasTexture) => void) {
    this.pen = this.canvas.getContext("2d")!;
  }

  /** Draw on a canvas of this size, unless it shows `key` already; whether it was drawn. */
  draw(key: string, width: number, height: number, draw: (pen: CanvasRenderingContext2D) => void): boolean {
    if (key === this.key) return false;
    this.key = key;
    const [w, h] = [Math.max(2, Math.ceil(width)), Math.max(2, Math.ceil(height))];
    if (this.texture === null || this.canvas.width !== w || this.canvas.height !== h) {
      this.texture?.dispose(); // a texture keeps the size that it was made with
      [this.canvas.width, this.canvas.height] = [w, h];
      this.texture = new CanvasTexture(this.canvas);
      this.texture.colorSpace = SRGBColorSpace;
      this.took(this.texture);
    }
    this.pen.clearRect(0, 0, w, h);
    draw(this.pen);
    this.texture.needsUpdate = true;
    return true;
  }

  dispose(): void {
    this.texture?.dispose();
  }
}

/** The words that fit in a width, the rest as an ellipsis. */
export function fitted(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}

/** What of a text stays on one line. */
const parts = (text: string): string[] => text.replace(/\s+/g, " ").trim().split(/(?<=[ _·])/);

/** Text in lines of a width, broken at spaces and underscores; what is more than `most` lines is left out. */
export function wrapped(pen: CanvasRenderingContext2D, text: string, width: number, most: number): string[] {
  const words = parts(text);
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line && pen.measureText(line + word.trimEnd()).width > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  if (line) lines.push(line.trimEnd());
  const kept = lines.slice(0, most);
  if (lines.length > most) kept[most - 1] = `${kept[most - 1]!}…`;
  return kept.map((each) => fitted(pen, each, width));
}

export function rounded(pen: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, radius: number): void {
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
}

function upright(order: number): Sprite {
  const sprite = new Sprite(new SpriteMaterial({ transparent: true, depthTest: false, depthWrite: false }));
  sprite.renderOrder = order;
  sprite.visible = false;
  sprite.raycast = () => {}; // words are looked through
  return sprite;
}

const PAD = 10;
const STRONG = 40;
const SMALL = 34;
const SMALLEST = 24;
const ROW = 43;

/** Small enough for the longest word of the line, within reason; the pen has it then. */
function fontOf(pen: CanvasRenderingContext2D, line: Line, room: number): string {
  const font = (size: number): string => `${line.strong ? "600 " : ""}${size}px ${FONT}`;
  const size = line.strong ? STRONG : SMALL;
  pen.font = font(size);
  const longest = Math.max(...parts(line.text).map((part) => pen.measureText(part).width));
  return (pen.font = font(Math.max(SMALLEST, Math.floor(size * Math.min(1, room / longest)))));
}

/** Lines of text on a light ground, as wide as they need to be. `centre`: which part of it is at its place. */
export class Label {
  readonly sprite: Sprite;
  private asked = false;
  private readonly drawing: Drawing;

  constructor(private readonly widest: number, centre: readonly [number, number] = [0.5, 0.5], order = 10) {
    this.sprite = upright(order);
    this.sprite.center.set(...centre);
    this.drawing = new Drawing((texture) => {
      this.sprite.material.map = texture;
      this.sprite.material.needsUpdate = true;
    });
  }

  /** Whether it has something to say; it may be hidden all the same. */
  get wanted(): boolean {
    return this.asked;
  }

  set wanted(wanted: boolean) {
    if (wanted !== this.asked) this.sprite.visible = wanted;
    this.asked = wanted;
  }

  set(lines: readonly Line[], ground = "rgba(255,255,255,0.86)"): void {
    const shown = lines.filter((line) => line.text);
    this.wanted = shown.length > 0;
    if (!shown.length) return;
    const pen = this.drawing.pen;
    const room = this.widest * SHARP - 2 * PAD;
    const rows = shown.flatMap((line) => {
      const font = fontOf(pen, line, room);
      return wrapped(pen, line.text, room, 2).map((text) => ({ text, font, width: pen.measureText(text).width }));
    });
    const width = Math.max(...rows.map((row) => row.width)) + 2 * PAD;
    const height = rows.length * ROW + PAD;
    this.drawing.draw(JSON.stringify([rows, ground]), width, height, () => {
      pen.fillStyle = ground;
      rounded(pen, 0, 0, width, height, 14);
      pen.fill();
      pen.fillStyle = INK;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      for (const [index, row] of rows.entries()) {
        pen.font = row.font;
        pen.fillText(row.text, width / 2, (PAD + ROW) / 2 + index * ROW);
      }
    });
    this.sprite.scale.set(width / SHARP, height / SHARP, 1);
  }

  dispose(): void {
    this.sprite.removeFromParent();
    this.sprite.material.dispose();
    this.drawing.dispose();
  }
}

/** A ring that fills clockwise as something comes to its end, with what is left in it; grey with two bars while it
 * is paused. */
export function drawRing(pen: CanvasRenderingContext2D, progress: Progress, x: number, y: number, radius: number): void {
  const share = shareOf(progress);
  const thick = radius * 0.3;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = "rgba(255,255,255,0.92)";
  pen.fill();
  pen.lineWidth = thick;
  pen.strokeStyle = "#e1e6eb";
  pen.beginPath();
  pen.arc(x, y, radius - thick / 2, 0, 2 * Math.PI);
  pen.stroke();
  pen.strokeStyle = progress.paused ? WAIT : ALONE[0];
  pen.beginPath();
  pen.arc(x, y, radius - thick / 2, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * share);
  pen.stroke();
  pen.lineWidth = 2;
  pen.strokeStyle = EDGE;
  pen.beginPath();
  pen.arc(x, y, radius - 1, 0, 2 * Math.PI);
  pen.stroke();
  pen.fillStyle = INK;
  if (progress.paused) {
    for (const side of [-1, 1]) pen.fillRect(x + side * radius * 0.18 - radius * 0.07, y - radius * 0.28, radius * 0.14, radius * 0.56);
    return;
  }
  pen.font = `600 ${Math.round(radius * 0.52)}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(String(leftOf(progress)), x, y + radius * 0.03, radius * 1.2);
}

const RADIUS = 46;

/** The rings of all that is under way at one place, side by side. */
export class Rings {
  readonly sprite = upright(21);
  private readonly drawing = new Drawing((texture) => {
    this.sprite.material.map = texture;
    this.sprite.material.needsUpdate = true;
  });

  set(progress: readonly Progress[]): void {
    const shown = progress.slice(0, 4);
    this.sprite.visible = shown.length > 0;
    if (!shown.length) return;
    const [width, height] = [shown.length * (2 * RADIUS + 8), 2 * RADIUS + 4];
    const key = JSON.stringify(shown.map(seen));
    this.drawing.draw(key, width, height, (pen) => {
      for (const [index, each] of shown.entries()) drawRing(pen, each, RADIUS + 4 + index * (2 * RADIUS + 8), RADIUS + 2, RADIUS);
    });
    this.sprite.scale.set(width / SHARP, height / SHARP, 1);
  }

  dispose(): void {
    this.sprite.removeFromParent();
    this.sprite.material.dispose();
    this.drawing.dispose();
  }
}
