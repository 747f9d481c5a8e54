// A wide scene as a map: marks with names, the ground where it was seen, and in cards what bodies hold and what lies
// in places. Whatever moves keeps its element, so that it is seen to move.
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Body, Ground, Place, Scene } from "../protocol";
import { block, food, isBlock } from "../space/colours";
import { Head, isWall, placePicture } from "./appearance";
import { BodyCard, PlaceCard } from "./cards";
import { bodyTold, placeTold } from "./layout";
import {
  type Chart, chartOf, type Extent, extentOf, groundOf, type Label, marksOf, namesAt, nearest, type Spot, TOUCH,
} from "./map_layout";
import { useHues } from "./hues";
import { Drawing } from "./pictures";
import { type Pointed, usePicking, useWidth } from "./picking";
import { LIT, Others, othersAt, plainKind, Strip, Terrain } from "./terrain";

/** A mark of places on which something burns. */
const FIRE = "burning";

interface MapProps {
  scene: Scene;
  /** Names of the bodies that are one's own. */
  own: ReadonlySet<string>;
  /** Names about which something can be done now. */
  active?: ReadonlySet<string>;
  picked?: string;
  onPick?: (at: Pointed) => void;
  /** Arrow keys walk in the world and not from mark to mark. */
  walks?: boolean;
}

/** The scene in the width of its container. */
export function MapPicture({ scene, own, active, picked, onPick, walks }: MapProps) {
  const holder = useRef<HTMLDivElement>(null);
  const chart = useChart(scene, useWidth(holder));
  const ground = useGround(scene);
  const marks = useMemo(() => marksOf(scene, chart), [scene, chart]);
  const names = useNames(marks, ground, chart);
  const hues = useHues(scene.bodies?.map((body) => body.name));
  const points = useMemo(() => marks.filter((mark) => !isWall(mark.of.kind)), [marks]);
  const { move, pick, told } = usePicking(holder, points, walks ?? false, onPick);
  /** Where what is pointed at is close to others, the nearest is meant. */
  const meant = (event: MouseEvent): string | undefined => {
    if (!(event.target instanceof Element) || !event.target.classList.contains("hit")) return undefined;
    const all = holder.current!.querySelector("svg.scene")!.getBoundingClientRect();
    return nearest(points, event.clientX - all.left, event.clientY - all.top)?.key;
  };
  const drawn = (mark: Spot, kind: Pointed["kind"], words: string, extra: string, sign: JSX.Element): JSX.Element => {
    const wall = kind === "place" && isWall(mark.of.kind);
    const { name } = mark.of;
    return (
      <g
        key={mark.key} data-key={mark.key} class={`${kind}${wall ? " wall" : ""}${picked === name ? " picked" : ""}${extra}`}
        style={{ transform: `translate(${mark.x}px, ${mark.y}px)` }}
        aria-hidden={wall ? true : undefined}
        {...(wall ? {} : pick(kind, name, meant))}
      >
        <title>{words}</title>
        {!wall && <circle class="hit" r={Math.max(TOUCH, chart.half)} />}
        <g aria-hidden="true">
          {sign}
          <Name label={names.get(mark.key)} mark={mark} size={chart.name} bold={kind === "body"} />
        </g>
      </g>
    );
  };
  const card = (kind: Pointed["kind"], name: string) =>
    onPick ? (event: MouseEvent) => told(kind, name, event.currentTarget as Element) : undefined;

  const places = scene.places ?? [];
  const bodies = scene.bodies ?? [];
  return (
    <div class="picture map" ref={holder} style={chart.beside ? { gridTemplateColumns: `${chart.width}px minmax(0, 22rem)` } : {}}>
      {chart.room > 0 && (
        <>
          <div class="map-sheet" style={{ width: `${chart.width}px` }}>
            <svg
              class="scene" width={chart.width} height={chart.height} viewBox={`0 0 ${chart.width} ${chart.height}`}
              role="group" aria-label="The map" onKeyDown={move}
            >
              <Sheet chart={chart} />
              <g aria-hidden="true">{ground && <Terrain ground={ground} chart={chart} />}</g>
              <Grid chart={chart} />
              <g aria-hidden="true">{ground && <Others ground={ground} chart={chart} />}</g>
              {marks.map((mark) => {
                if (mark.key.startsWith("place ")) {
                  const place = mark.of as Place;
                  return drawn(mark, "place", placeTold(place), active?.has(place.name) ? " active" : "", <Sign place={place} half={chart.half} />);
                }
                const body = mark.of as Body;
                const head = <Head facing={body.facing ?? [0, 0]} r={1.3 * chart.half} hue={hues.get(body.name) ?? 0} own={own.has(body.name)} kind={body.kind} />;
                return drawn(mark, "body", bodyTold(body, own.has(body.name)), "", head);
              })}
            </svg>
            {ground && <Strip ground={ground} chart={chart} />}
          </div>
          <div class="map-cards">
            {bodies.map((body) => (
              <BodyCard key={`body ${body.name}`} body={body} hue={hues.get(body.name) ?? 0} own={own.has(body.name)} onClick={card("body", body.name)} />
            ))}
            {places.filter((place) => place.stack?.length || place.progress?.length).map((place) => (
              <PlaceCard key={`place ${place.name}`} place={place} sign={<Sign place={place} half={9} />} onClick={card("place", place.name)} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

// --- what is kept from scene to scene -------------------------------------------------------------------

/** Measures with room for all that has been shown, so that what stands stays where it is. */
function useChart(scene: Scene, room: number): Chart & { room: number } {
  const kept = useRef<Extent | null>(null);
  const extent = extentOf(scene, kept.current);
  const same = kept.current !== null && Object.entries(extent).every(([side, at]) => kept.current![side as keyof Extent] === at);
  if (!same) kept.current = extent;
  const shown = kept.current!;
  return useMemo(() => ({ ...chartOf(shown, room), room }), [shown, room]);
}

/** The ground of the scene, or the one that was seen last. */
function useGround(scene: Scene): Ground | null {
  const kept = useRef<Ground | null>(null);
  kept.current = groundOf(scene) ?? kept.current;
  return kept.current;
}

/** Names stay on the side of their marks where they stood, as long as there is room. */
function useNames(marks: readonly Spot[], ground: Ground | null, chart: Chart): Map<string, Label> {
  const kept = useRef<{ chart: Chart; names: Map<string, Label> } | null>(null);
  return useMemo(() => {
    const before = kept.current?.chart === chart ? kept.current.names : undefined;
    const names = namesAt(marks, ground ? othersAt(ground, chart) : [], chart, before);
    kept.current = { chart, names };
    return names;
  }, [marks, ground, chart]);
}

// --- pieces ---------------------------------------------------------------------------------------------

function Sheet({ chart }: { chart: Chart }) {
  return <rect class="tile" width={chart.width} height={chart.height} aria-hidden="true" />;
}

function Grid({ chart }: { chart: Chart }) {
  const upright = Array.from({ length: chart.columns - 1 }, (_, at) => `M${(at + 1) * chart.cell} 0v${chart.height}`);
  const level = Array.from({ length: chart.lines - 1 }, (_, at) => `M0 ${(at + 1) * chart.cell}h${chart.width}`);
  return (
    <g aria-hidden="true" class="grid">
      <path d={[...upright, ...level].join("")} />
      <rect width={chart.width} height={chart.height} />
    </g>
  );
}

function Name({ label, mark, size, bold }: { label: Label | undefined; mark: Spot; size: number; bold: boolean }) {
  if (!label) return null;
  return (
    <text
      class={bold ? "map-name map-body" : "map-name"} x={(label.left + label.right) / 2 - mark.x} y={label.bottom - 0.18 * size - mark.y}
      style={{ fontSize: `${size}px` }}
    >{label.words}</text>
  );
}

/** The picture of what stands there; blocks without one are square, all else is round. */
function Sign({ place, half }: { place: Place; half: number }) {
  const kind = plainKind(place.kind);
  if (isWall(kind)) return <rect class="mark-shape" x={-half} y={-half} width={2 * half} height={2 * half} />;
  const burns = (place.marks ?? []).includes(FIRE) || place.kind.endsWith(LIT);
  const of = placePicture({ kind: burns ? `lit ${kind}` : kind, name: place.name });
  if (of) return <><circle class="mark-shape pale" r={half * 1.35} /><Drawing of={of} size={half * 2.4} /></>;
  if (!isBlock(kind)) return <circle class="mark-shape" r={half} style={{ "--tone": food(kind) }} />;
  return <rect class="mark-shape" x={-half} y={-half} width={2 * half} height={2 * half} rx={1.5} style={{ "--tone": block(kind) }} />;
}
