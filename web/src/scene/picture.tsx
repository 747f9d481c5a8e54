// A scene as a drawing: everything keeps its element from scene to scene, so that what moves is seen to move.
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { alike } from "../choices";
import type { Body, Place, Progress, Scene, Thing } from "../protocol";
import { food } from "../space/colours";
import { shortened, widthOf, wrapped } from "../words";
import { Glyph, Head, isWall, placePicture, toneOf } from "./appearance";
import {
  BAR, bodyTold, counted, elsewhere, headHeight, isAlone, MARK, MOST_LAYERS, PAD, pileHeight, placeTold, type Sizes, spots,
  type Stage, stageOf, thingHeight, told,
} from "./layout";
import { useHues } from "./hues";
import { Drawing } from "./pictures";
import { type Point, type Pointed, usePicking, useWidth } from "./picking";

interface PictureProps {
  scene: Scene;
  /** Names of the bodies that are one's own. */
  own: ReadonlySet<string>;
  /** Names about which something can be done now. */
  active?: ReadonlySet<string>;
  /** Short names of places, as they can be typed. */
  labels?: Readonly<Record<string, string>>;
  picked?: string;
  onPick?: (at: Pointed) => void;
  /** Places that somebody is told to look at. */
  asked?: ReadonlySet<string>;
  /** Arrow keys walk in the world and not from thing to thing. */
  walks?: boolean;
}

/** The scene in the width of its container. */
export function Picture(props: PictureProps) {
  const { scene, own, active, onPick } = props;
  const holder = useRef<HTMLDivElement>(null);
  const room = useWidth(holder);
  const stage = useStage(scene, room);
  const places = useMemo(() => scene.places ?? [], [scene]);
  const where = useMemo(() => spots(scene, stage), [scene, stage]);
  const hues = useHues(scene.bodies?.map((body) => body.name));
  const points = usePoints(places, scene.bodies ?? [], where, stage);
  const { move, pick } = usePicking(holder, points, props.walks ?? false, onPick);
  const lost = elsewhere(scene);

  return (
    <div class={`picture ${stage.density}`} ref={holder}>
      {room > 0 && (
        <svg
          class="scene" width={stage.width} height={stage.height} viewBox={`0 0 ${stage.width} ${stage.height}`}
          role="group" aria-label="The kitchen" onKeyDown={move}
        >
          <Ground stage={stage} />
          {places.map((place) => {
            const [x, y] = corner(place, stage);
            const wall = isWall(place.kind);
            return (
              <g
                key={`place ${place.name}`} data-key={`place ${place.name}`}
                class={`place${wall ? " wall" : ""}${active?.has(place.name) ? " active" : ""}${props.picked === place.name ? " picked" : ""}${props.asked?.has(place.name) ? " asked" : ""}`}
                style={{ transform: `translate(${x}px, ${y}px)` }}
                aria-hidden={wall ? true : undefined}
                {...(wall ? {} : pick("place", place.name))}
              >
                <title>{placeTold(place)}</title>
                <g aria-hidden="true"><PlaceDrawn place={place} stage={stage} label={props.labels?.[place.name] ?? ""} /></g>
              </g>
            );
          })}
          {(scene.bodies ?? []).map((body) => {
            const spot = where.get(body.name);
            if (!spot) return null;
            return (
              <g
                key={`body ${body.name}`} data-key={`body ${body.name}`} class={`body${props.picked === body.name ? " picked" : ""}`}
                style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }}
                {...pick("body", body.name)}
              >
                <title>{bodyTold(body, own.has(body.name))}</title>
                <g aria-hidden="true"><BodyDrawn body={body} at={stage} width={spot.width} hue={hues.get(body.name) ?? 0} own={own.has(body.name)} /></g>
              </g>
            );
          })}
          <g class="bubbles" aria-hidden="true">
            {(scene.bodies ?? []).map((body) => {
              const spot = where.get(body.name);
              return spot && body.says ? <Bubble key={body.name} words={body.says} spot={spot} stage={stage} /> : null;
            })}
          </g>
        </svg>
      )}
      {stage.density === "small" && <Key scene={scene} hues={hues} own={own} />}
      {lost.length > 0 && (
        <ul class="elsewhere">
          {lost.map((body) => (
            <li key={body.name}>
              <svg width="26" height="26" viewBox="-17 -17 34 34" aria-hidden="true">
                <Head facing={body.facing ?? [0, 0]} r={12} hue={hues.get(body.name) ?? 0} own={own.has(body.name)} kind={body.kind} />
              </svg>
              {bodyTold(body, own.has(body.name))}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const corner = (place: Place, stage: Stage): [number, number] => [place.at[0] * stage.cell, stage.tops[place.at[1]] ?? 0];

// --- measures -----------------------------------------------------------------------------------------

/** Rows grow and do not shrink again while the same grid is shown at the same width. */
function useStage(scene: Scene, room: number): Stage {
  const kept = useRef<{ key: string; rows: number[] }>({ key: "", rows: [] });
  return useMemo(() => {
    const key = `${scene.width} ${scene.height} ${room}`;
    const stage = stageOf(scene, room, kept.current.key === key ? kept.current.rows : []);
    kept.current = { key, rows: stage.rows };
    return stage;
  }, [scene, room]);
}

function usePoints(
  places: readonly Place[], bodies: readonly Body[], where: ReadonlyMap<string, { x: number; y: number }>, stage: Stage,
): Point[] {
  return useMemo(() => [
    ...places.filter((place) => !isWall(place.kind)).map((place) => {
      const [x, y] = corner(place, stage);
      return { key: `place ${place.name}`, x: x + stage.cell / 2, y: y + (stage.rows[place.at[1]] ?? 0) / 2 };
    }),
    ...bodies.flatMap((body) => {
      const spot = where.get(body.name);
      return spot ? [{ key: `body ${body.name}`, x: spot.x, y: spot.y }] : [];
    }),
  ], [places, bodies, where, stage]);
}

// --- pieces -------------------------------------------------------------------------------------------

function Ground({ stage }: { stage: Stage }) {
  const tiles: JSX.Element[] = [];
  stage.rows.forEach((height, row) => {
    for (let column = 0; column < stage.columns; column += 1) {
      tiles.push(
        <rect
          key={`${column} ${row}`} class={(column + row) % 2 ? "tile odd" : "tile"} x={column * stage.cell} y={stage.tops[row]}
          width={stage.cell} height={height}
        />,
      );
    }
  });
  return <g class="ground" aria-hidden="true">{tiles}</g>;
}

/** What gives off steam while something goes on in it. */
const HOT = /pot|pan|wok|oven|stove|burner|fryer|steamer|furnace/i;

const LEAST_LETTERS = 7.5;

/** A counter with its front, on which its name stands; what it is, and on that what lies there. */
function PlaceDrawn({ place, stage, label }: { place: Place; stage: Stage; label: string }) {
  const { cell, density, lip } = stage;
  const height = stage.rows[place.at[1]] ?? cell;
  const tone = toneOf(place.kind);
  const small = density === "small";
  const block = (
    <>
      <rect class={`front ${tone}`} x={1} y={2} width={cell - 2} height={height - 3} rx={small ? 4 : 7} />
      <rect class={`top ${tone}`} x={1} y={1} width={cell - 2} height={height - lip - 2} rx={small ? 4 : 7} />
    </>
  );
  if (isWall(place.kind)) return block;
  const stack = place.stack ?? [];
  const bars = place.progress ?? [];
  const alone = isAlone(stack);
  const top = small ? 1 : PAD - 2 + headHeight(place, stage);
  const pile = small ? 0 : pileHeight(stack, stage);
  const bottom = height - lip - 2 - (alone ? (small ? 0 : MARK) : pile);
  const size = Math.min(cell * (small ? 0.86 : 0.66), bottom - top - 2);
  const [x, y] = [cell / 2, (top + bottom) / 2];
  const of = placePicture(place);
  const cooks = HOT.test(place.kind) && [...bars, ...stack.flatMap((thing) => thing.progress ?? [])].some((one) => !one.paused);
  const shown = small ? stack.slice(-3) : alone ? stack : [];
  const each = of ? Math.min(stage.big, size * 0.72) : Math.min(stage.big * 1.2, size);
  const letters = Math.max(LEAST_LETTERS, Math.min(stage.name, ((cell - PAD) * stage.name) / widthOf(place.name, stage.name * 1.12)));
  return (
    <>
      {block}
      {of && size > 12 && <g transform={`translate(${x} ${y})`}><Drawing of={of} size={size} /></g>}
      {shown.map((thing, index) => (
        <g key={thing.name} transform={`translate(${x + (index - (shown.length - 1) / 2) * each * 0.6} ${y + (of ? size * 0.1 : 0)})`}>
          <Lone thing={thing} size={shown.length > 1 ? each * 0.8 : each} />
        </g>
      ))}
      {cooks && <g transform={`translate(${x} ${y - size * 0.34})`}><Steam size={Math.max(16, size * 0.7)} /></g>}
      {!small && (
        <>
          <text class="name middle" x={cell / 2} y={height - 2 - (lip - stage.name * 0.72) / 2} style={{ fontSize: `${letters}px` }}>
            {shortened(place.name, letters * 1.12, cell - PAD)}
          </text>
          {top > PAD && <text class="mark" x={PAD} y={PAD + MARK - 3}>{shortened((place.marks ?? []).join(", "), 9, cell - 2 * PAD)}</text>}
          {alone && <text class="mark middle" x={cell / 2} y={height - lip - 4.5}>{shortened(stack.map(named).join(", "), 9, cell - PAD)}</text>}
          {label && <text class="letter" x={cell - PAD} y={PAD + 9} text-anchor="end">{label}</text>}
          {!alone && <Pile things={stack} at={stage} x={PAD} bottom={height - lip - 4} width={cell - 2 * PAD} />}
        </>
      )}
      {bars.map((progress, index) => (
        <g key={progress.label} transform={`translate(${cell - stage.ring - 2 - index * (2 * stage.ring + 1)} ${stage.ring + 2})`}>
          <Ring progress={progress} r={stage.ring} />
        </g>
      ))}
    </>
  );
}

const named = (thing: Thing): string => [thing.name, ...(thing.marks ?? [])].join(" ");

/** A thing by itself. */
function Lone({ thing, size }: { thing: Thing; size: number }) {
  const inside = (thing.inside ?? []).slice(-3);
  return (
    <g class="thing">
      <title>{told(thing)}</title>
      <Glyph kind={thing.kind} marks={thing.marks} size={size} />
      {inside.map((one, index) => (
        <g key={one.name} transform={`translate(${(index - (inside.length - 1) / 2) * size * 0.3} ${-size * 0.12})`}>
          <Glyph kind={one.kind} marks={one.marks} size={size * 0.5} />
        </g>
      ))}
    </g>
  );
}

function Steam({ size }: { size: number }) {
  return <g class="steam"><Drawing of="steam" size={size} /></g>;
}

/** How far something has come, as a ring with what is left. */
function Ring({ progress, r }: { progress: Progress; r: number }) {
  const share = progressShare(progress) ?? 0;
  const [inner, left] = [r - 2, Math.max(0, progress.full - progress.done)];
  const round = 2 * Math.PI * inner;
  return (
    <g class={`ring-of${progress.paused ? " paused" : ""}${/burn/i.test(progress.label) ? " burns" : ""}`}>
      <title>{counted(progress.label, progress.done, progress.full, progress.paused)}</title>
      <circle class="ring-ground" r={r} />
      <circle class="ring-done" r={inner} transform="rotate(-90)" stroke-dasharray={`${round * share} ${round}`} />
      {r > 6 && <text class="middle" y={3}>{Number.isInteger(left) ? left : left.toFixed(1)}</text>}
    </g>
  );
}

/** Layers, the lowest thing lowest. */
function Pile({ things, at, x, bottom, width }: { things: readonly Thing[]; at: Sizes; x: number; bottom: number; width: number }) {
  let y = bottom;
  const hidden = things.length - MOST_LAYERS;
  return (
    <>
      {things.slice(-MOST_LAYERS).map((thing) => {
        const height = thingHeight(thing, at);
        y -= height + 1;
        return (
          <g key={thing.name} transform={`translate(${x} ${y})`}>
            <Chip thing={thing} at={at} width={width} height={height} />
          </g>
        );
      })}
      {hidden > 0 && <text class="mark" x={x + width} y={bottom - 3} text-anchor="end">{`${hidden} more below`}</text>}
    </>
  );
}

function Chip({ thing, at, width, height }: { thing: Thing; at: Sizes; width: number; height: number }) {
  const roomy = at.density === "roomy";
  const letters = roomy ? 10.5 : 9;
  const lead = at.chip + 3;
  let y = at.chip;
  const rows: JSX.Element[] = [];
  if (thing.marks?.length) {
    rows.push(<text key="marks" class="mark" x={5} y={y + MARK - 4}>{shortened(thing.marks.join(", "), 9, width - 8)}</text>);
    y += MARK;
  }
  for (const progress of thing.progress ?? []) {
    rows.push(<Bar key={`bar ${progress.label}`} progress={progress} x={4} y={y - 1} width={width - 8} />);
    y += BAR;
  }
  for (const inner of (thing.inside ?? []).slice(0, MOST_LAYERS)) {
    const inside = thingHeight(inner, at);
    rows.push(<g key={inner.name} transform={`translate(4 ${y})`}><Chip thing={inner} at={at} width={width - 8} height={inside} /></g>);
    y += inside + 1;
  }
  return (
    <g class="thing" data-thing={thing.name}>
      <title>{told(thing)}</title>
      <rect class="chip" width={width} height={height} rx={Math.min(7, at.chip / 2)} style={{ "--tone": food(thing.kind) }} />
      <g transform={`translate(${lead / 2 + 0.5} ${at.chip / 2})`}><Glyph kind={thing.kind} marks={thing.marks} size={at.chip - 1} /></g>
      <text class="chip-name" x={lead} y={at.chip / 2 + letters * 0.35} style={{ fontSize: `${letters}px` }}>
        {shortened(thing.name, letters, width - lead - 3)}
      </text>
      {rows}
    </g>
  );
}

/** What the signs mean where cells are too small for names: who is who, which places there are, what lies about. */
function Key({ scene, hues, own }: { scene: Scene; hues: ReadonlyMap<string, number>; own: ReadonlySet<string> }) {
  const places = alike((scene.places ?? []).filter((place) => !isWall(place.kind)), (place) => place.kind);
  const bodies = scene.bodies ?? [];
  const held = [...(scene.places ?? []).flatMap((place) => place.stack ?? []), ...bodies.flatMap((body) => body.holding ?? [])];
  const things = alike(held, (thing) => thing.kind);
  return (
    <ul class="key" aria-hidden="true">
      {bodies.map((body) => (
        <Entry key={`body ${body.name}`} words={own.has(body.name) ? `${body.name} (you)` : body.name}>
          <Head facing={body.facing ?? [0, 0]} r={16} hue={hues.get(body.name) ?? 0} own={false} kind={body.kind} />
        </Entry>
      ))}
      {[...places].filter(([, all]) => placePicture(all[0]!)).map(([kind, all]) => (
        <Entry key={`place ${kind}`} words={all.map((place) => place.name).join(", ")}>
          <Drawing of={placePicture(all[0]!)} size={38} />
        </Entry>
      ))}
      {[...things].map(([kind, all]) => (
        <Entry key={`thing ${kind}`} words={all[0]!.name.replace(/[ _-]?\d+$/, "")}><Lone thing={{ name: kind, kind }} size={38} /></Entry>
      ))}
    </ul>
  );
}

function Entry({ words, children }: { words: string; children: ComponentChildren }) {
  return (
    <li>
      <svg class="scene" width="18" height="18" viewBox="-20 -20 40 40">{children}</svg>
      {words}
    </li>
  );
}

const progressShare = (progress: Progress | undefined): number | null =>
  progress ? Math.min(1, Math.max(0, progress.full > 0 ? progress.done / progress.full : 1)) : null;

function Bar({ progress, x, y, width }: { progress: Progress; x: number; y: number; width: number }) {
  const words = counted(progress.label, progress.done, progress.full, progress.paused);
  return (
    <g class={progress.paused ? "bar paused" : "bar"} transform={`translate(${x} ${y})`}>
      <title>{words}</title>
      <rect class="bar-ground" width={width} height={BAR - 2} rx={4} />
      <rect class="bar-done" width={width} height={BAR - 2} rx={4} style={{ transform: `scaleX(${progressShare(progress) ?? 0})` }} />
      <text class="bar-words" x={width / 2} y={BAR - 4.2}>
        {shortened(`${progress.label} ${progress.done}/${progress.full}`, 8.5, width - 4)}
      </text>
    </g>
  );
}

function BodyDrawn({ body, at, width, hue, own }: { body: Body; at: Stage; width: number; hue: number; own: boolean }) {
  const holding = body.holding ?? [];
  const small = at.density === "small";
  const carried = small ? holding.slice(0, 2) : isAlone(holding) ? holding : [];
  const side = (body.facing?.[0] ?? 0) < 0 ? -1 : 1;
  const head = (
    <>
      <Head facing={body.facing ?? [0, 0]} r={at.head} hue={hue} own={own} kind={body.kind} />
      {carried.map((thing, index) => (
        <g key={thing.name} class="held" transform={`translate(${side * at.head * (0.85 - index * 0.7)} ${at.head * 0.5})`}>
          <Lone thing={thing} size={at.head * 1.15} />
        </g>
      ))}
    </>
  );
  if (small) return head;
  let y = 1.2 * at.head + at.name + 3;
  const rows: JSX.Element[] = [
    <text key="name" class="body-name" y={y} style={{ fontSize: `${at.name}px` }}>{shortened(body.name, at.name * 1.15, width)}</text>,
  ];
  y += 3;
  for (const line of [...(carried.length ? [carried.map(named).join(", ")] : []), ...(body.marks?.length ? [body.marks.join(", ")] : [])]) {
    rows.push(<text key={line} class="mark middle" y={y + MARK - 3}>{shortened(line, 9, width)}</text>);
    y += MARK;
  }
  for (const progress of body.progress ?? []) {
    rows.push(<Bar key={`bar ${progress.label}`} progress={progress} x={-width / 2} y={y + 1} width={width} />);
    y += BAR;
  }
  const pile = carried.length ? 0 : pileHeight(holding, at);
  return (
    <>
      {head}
      {rows}
      {pile > 0 && <Pile things={holding} at={at} x={-width / 2} bottom={y + pile + 1} width={width} />}
    </>
  );
}

/** What somebody says, on three lines at most; the rest stands in the talk. */
function Bubble({ words, spot, stage }: { words: string; spot: { x: number; y: number }; stage: Stage }) {
  const width = Math.min(168, Math.max(96, stage.width * 0.4));
  const lines = wrapped(words, 10.5, width - 14, 3);
  const height = lines.length * 13 + 8;
  const x = Math.min(Math.max(spot.x, width / 2 + 2), Math.max(width / 2 + 2, stage.width - width / 2 - 2));
  const above = spot.y - stage.head - height - 9;
  const below = above < 0;
  const y = below ? spot.y + stage.head + 9 : above;
  const tail = spot.x - x;
  return (
    <g class="bubble" style={{ transform: `translate(${x}px, ${y}px)` }}>
      <rect x={-width / 2} width={width} height={height} rx={8} />
      <path d={below ? `M${tail - 5} 0.5l5 -6l5 6z` : `M${tail - 5} ${height - 0.5}l5 6l5 -6z`} />
      {lines.map((line, index) => <text key={index} x={-width / 2 + 7} y={15 + index * 13}>{line}</text>)}
    </g>
  );
}
