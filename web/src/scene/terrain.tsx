// Ground from above: a colour for each kind of block, lighter where it is high, lines where it rises; whoever else was
// about; north and the scale. The same rules as drawing/scene/marks.py.
import { useMemo } from "preact/hooks";
import type { Ground } from "../protocol";
import { block, food } from "../space/colours";
import { shortened } from "../words";
import { type Chart, middle } from "./map_layout";

/** Shades of height, up and down, and how much darker or lighter each of them is. */
const STEPS = 4;
const DEEPEN = 0.09;

/** Of the scale, in columns. */
const LENGTHS = [50, 20, 10, 5, 2, 1];

/** Behind the kind of a block that burns. */
export const LIT = "[lit=true]";

/** The kind without its state. */
export const plainKind = (kind: string): string => kind.split("[")[0]!;

/** (kind, height) of each column, row by row. */
export const columnsOf = (ground: Ground): [string, number][] =>
  ground.runs.flatMap(([count, kind, height]) => Array.from({ length: count }, (): [string, number] => [ground.kinds[kind] ?? "", height]));

/** The height of the most columns; of several the lowest. */
export function usualHeight(ground: Ground): number {
  const found = new Map<number, number>();
  for (const [count, , height] of ground.runs) found.set(height, (found.get(height) ?? 0) + count);
  return [...found].sort(([a, n], [b, m]) => m - n || a - b)[0]?.[0] ?? 0;
}

/** A path for all columns of each value, in units of a column: rectangles as tall as they come. */
export function areas<V extends string | number>(width: number, values: readonly V[]): [V, string][] {
  const paths = new Map<V, string>();
  let open = new Map<string, { first: number; end: number; value: V; row: number }>();
  for (let row = 0; row <= values.length / width; row += 1) {
    const now = new Map<string, { first: number; end: number; value: V; row: number }>();
    const line = values.slice(row * width, (row + 1) * width);
    for (let first = 0; first < line.length;) {
      const value = line[first]!;
      let end = first;
      while (end < line.length && line[end] === value) end += 1;
      const key = `${first} ${end} ${value}`;
      now.set(key, open.get(key) ?? { first, end, value, row });
      first = end;
    }
    for (const [key, { first, end, value, row: top }] of open) {
      if (!now.has(key)) paths.set(value, `${paths.get(value) ?? ""}M${first} ${top}h${end - first}v${row - top}h${first - end}z`);
    }
    open = now;
  }
  return [...paths].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

/** Lines between columns of different height. */
function edges(width: number, columns: readonly [string, number][]): string {
  const height = (at: number): number | null => (columns[at]?.[0] ? columns[at]![1] : null);
  let d = "";
  columns.forEach((_, at) => {
    const [x, y, here] = [at % width, Math.floor(at / width), height(at)];
    const differs = (other: number | null): boolean => here !== null && other !== null && other !== here;
    if (x + 1 < width && differs(height(at + 1))) d += `M${x + 1} ${y}v1`;
    if (differs(height(at + width))) d += `M${x} ${y + 1}h1`;
  });
  return d;
}

/** The ground where it is on the map. */
export function Terrain({ ground, chart }: { ground: Ground; chart: Chart }) {
  const drawn = useMemo(() => {
    const columns = columnsOf(ground);
    const usual = usualHeight(ground);
    const shade = ([kind, height]: [string, number]): number => (kind ? Math.max(-STEPS, Math.min(STEPS, height - usual)) : 0);
    const rises = edges(ground.width, columns);
    return (
      <>
        {areas(ground.width, columns.map(([kind]) => plainKind(kind))).map(([kind, d]) => kind && (
          <path key={kind} class="block" d={d} style={{ "--tone": block(kind) }}><title>{kind}</title></path>
        ))}
        {areas(ground.width, columns.map(shade)).map(([value, d]) => value !== 0 && (
          <path key={`shade ${value}`} d={d} fill={value > 0 ? "white" : "black"} fill-opacity={DEEPEN * Math.abs(value)} pointer-events="none" />
        ))}
        {rises && <path class="rise" d={rises} />}
      </>
    );
  }, [ground]);
  const [x, y] = middle(chart, ground.corner[0] - 0.5, ground.corner[1] - 0.5);
  return <g class="terrain" transform={`translate(${x} ${y}) scale(${chart.cell})`}>{drawn}</g>;
}

/** Who was about on the ground, in pixels of the map. */
export const othersAt = (ground: Ground, chart: Chart) =>
  (ground.others ?? []).flatMap((other) => {
    const [x, y] = [other.at[0] - ground.corner[0], other.at[1] - ground.corner[1]];
    if (x < 0 || y < 0 || x >= ground.width || y >= ground.depth) return [];
    const [left, top] = middle(chart, other.at[0] - 0.5, other.at[1] - 0.5);
    return [{ other, x: left, y: top }];
  });

/** Persons with their names, and what else was about. */
export function Others({ ground, chart }: { ground: Ground; chart: Chart }) {
  const size = chart.half;
  return (
    <>
      {othersAt(ground, chart).map(({ other, x, y }, index) => (
        <g key={index} class={other.name ? "other person" : "other"} transform={`translate(${x} ${y})`}>
          <title>{other.name ? `${other.name} (${other.kind})` : other.kind}</title>
          <path class="mark-shape" d={`M0 ${-size}L${size} 0L0 ${size}L${-size} 0z`} style={other.name ? {} : { "--tone": food(other.kind) }} />
          {other.name && <text class="map-name" x={size + 2} y={chart.name * 0.35} style={{ fontSize: `${chart.name}px` }}>{shortened(other.name, chart.name, 96)}</text>}
        </g>
      ))}
    </>
  );
}

/** Where north is, how long some blocks are, where this was seen. */
export function Strip({ ground, chart }: { ground: Ground; chart: Chart }) {
  const length = LENGTHS.find((one) => one * chart.cell <= chart.width / 3) ?? 1;
  const bar = length * chart.cell;
  return (
    <p class="strip">
      <svg width={14} height={18} viewBox="-2 0 14 18" aria-hidden="true"><path d="M5 15V3M1.5 7.5L5 2.5L8.5 7.5" /></svg>
      <span>north</span>
      <svg width={bar + 2} height={12} viewBox={`-1 0 ${bar + 2} 12`} aria-hidden="true"><path d={`M0 2v7h${bar}v-7`} /></svg>
      <span>{`${length} block${length > 1 ? "s" : ""}`}</span>
      {ground.source && <span class="source">{ground.source}</span>}
    </p>
  );
}
