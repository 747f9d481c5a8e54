// What bodies, places and things look like around (0, 0): their pictures, and what stands where a kind has none.
import { wordOf } from "../space/colours";
import { hueClass } from "./hues";
import { Drawing, picture } from "./pictures";

type Tone = "counter" | "wood" | "steel";

const TONES: Readonly<Record<string, Tone>> = {
  stove: "steel", burner: "steel", board: "wood", fryer: "steel", sink: "steel", oven: "steel", microwave: "steel",
  steamer: "steel", fridge: "steel", blender: "steel", mixer: "steel", table: "wood", servingtable: "counter",
};

/** Of which of the palette's materials the top of such a place is; the longest word that its kind contains counts. */
export const toneOf = (kind: string): Tone => TONES[wordOf(kind, Object.keys(TONES)) ?? ""] ?? "counter";

/** The picture of a place, by its kind or else its name; empty if there is none. Animals stand about as places do. */
export const placePicture = (place: { kind: string; name: string }): string => picture(place.kind, [], true) || picture(place.name, [], true);

/** Whether a place is there only to stand in the way. */
export const isWall = (kind: string): boolean => /\bwall/.test(kind);

interface HeadProps {
  facing: [number, number];
  r: number;
  hue: number;
  own: boolean;
  kind?: string;
}

/** Somebody, of about radius `r`, who looks where they face: down to whoever looks on. */
export function Head({ facing, r, hue, own, kind = "" }: HeadProps) {
  const [x, y] = [Math.sign(facing[0]), Math.sign(facing[1])];
  const way = x !== 0 ? "side" : y < 0 ? "back" : "front";
  return (
    <g class={`head${hueClass(hue)}`}>
      <ellipse cy={0.92 * r} rx={1.15 * r} ry={0.42 * r} class={own ? "skin own" : "skin"} />
      <Drawing of={kind === "person" ? "person" : `${/robot/.test(kind) ? "robot" : "cook"} ${way}`} size={2.3 * r} mirrored={x < 0} />
    </g>
  );
}

/** What a thing looks like, `size` pixels wide; a disc with its first letter where there is no picture. */
export function Glyph({ kind, marks = [], size }: { kind: string; marks?: readonly string[] | undefined; size: number }) {
  const of = picture(kind, marks);
  if (of) return <Drawing of={of} size={size} />;
  return (
    <g class="glyph" transform={`scale(${size / 12})`}>
      <circle r={5} />
      <text y={2.4}>{[...kind][0]?.toUpperCase() ?? ""}</text>
    </g>
  );
}
