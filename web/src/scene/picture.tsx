// A scene as a drawing: everything keeps its element from scene to scene, so that what moves is seen to move.
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { alike } from "../choices";
import type { Body, Place, Progress, Scene, Thing } from "../protocol";
import { food } from "../space/colours";
import { broken, shortened, wrapped } from "../words";
import { Glyph, Head, isWall, shapeOf } from "./appearance";
import {
  BAR, bodyTold, counted, elsewhere, MARK, MOST_LAYERS, PAD, pileHeight, placeTold, type Sizes, spots,
  type Stage, stageOf, thingHeight, told,
} from "./layout";
import { type Point, type Pointed, useHues, usePicking, useWidth } from "./picking";

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
  const hues = useHues(scene);
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
                class={`place${wall ? " wall" : ""}${active?.has(place.name) ? " active" : ""}${props.picked === place.name ? " picked" : ""}`}
                style={{ transform: `translate(${x}px, ${y}px)` }}
                aria-label={wall ? undefined : placeTold(place)} aria-hidden={wall ? true : undefined}
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
                style={{ transform: `translate(${spot.x}px, ${spot.y}px)` }} aria-label={bodyTold(body, own.has(body.name))}
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
                <Head facing={body.facing ?? [0, 0]} r={12} hue={hues.get(body.name) ?? 0} own={own.has(body.name)} />
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

function PlaceDrawn({ place, stage, label }: { place: Place; stage: Stage; label: string }) {
  const { cell, density } = stage;
  const height = stage.rows[place.at[1]] ?? cell;
  const room = cell - 2 * PAD;
  const shape = shapeOf(place.kind);
  const stack = place.stack ?? [];
  const bars = place.progress ?? [];
  const pile = pileHeight(stack, stage);
  if (density === "small") {
    const share = progressShare(bars[0]);
    return (
      <>
        <rect class={`top ${shape.tone}`} x={1} y={1} width={cell - 2} height={height - 2} rx={4} />
        <g class="sign" transform={`translate(${cell / 2} ${height / 2}) scale(${cell / 52})`}>{shape.sign}</g>
        {stack.slice(-3).map((thing, index) => (
          <g key={thing.name} transform={`translate(${cell / 2 + (index - (Math.min(3, stack.length) - 1) / 2) * stage.chip * 0.55} ${height / 2})`}>
            <Dot thing={thing} size={stage.chip} />
          </g>
        ))}
        {share !== null && <rect class="bar-done" x={3} y={height - 7} width={(cell - 6) * share} height={4} rx={2} />}
      </>
    );
  }
  const names = broken(place.name, stage.name * 1.15, room - (label ? 14 : 0));
  let y = PAD + stage.name * 0.8;
  const top: JSX.Element[] = names.map((line, index) => (
    <text key={`name ${index}`} class="name" x={PAD} y={y + index * (stage.name + 1)} style={{ fontSize: `${stage.name}px` }}>{line}</text>
  ));
  y += names.length * (stage.name + 1) - stage.name * 0.8;
  if (place.marks?.length) {
    top.push(<text key="marks" class="mark" x={PAD} y={y + MARK - 2}>{shortened(place.marks.join(", "), 9, room)}</text>);
    y += MARK;
  }
  for (const progress of bars) {
    top.push(<Bar key={`bar ${progress.label}`} progress={progress} x={PAD} y={y + 1} width={room} />);
    y += BAR;
  }
  const free = height - PAD - pile - y;
  const scale = Math.min(1.15, cell / 84, Math.max(0, free) / 34);
  return (
    <>
      <rect class={`top ${shape.tone}`} x={1.5} y={1.5} width={cell - 3} height={height - 3} rx={8} />
      {scale > 0.45 && <g class="sign" transform={`translate(${cell / 2} ${y + free / 2 + 1}) scale(${scale})`}>{shape.sign}</g>}
      {top}
      {label && <text class="letter" x={cell - PAD} y={PAD + 9} text-anchor="end">{label}</text>}
      <Pile things={stack} at={stage} x={PAD} bottom={height - PAD} width={room} />
    </>
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
  const lead = roomy ? 19 : 13;
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
      <g transform={`translate(${lead / 2 + 0.5} ${at.chip / 2}) scale(${roomy ? 1 : 0.72})`}><Glyph kind={thing.kind} /></g>
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
          <Head facing={body.facing ?? [0, 0]} r={13} hue={hues.get(body.name) ?? 0} own={false} />
        </Entry>
      ))}
      {[...places].map(([kind, all]) => (
        <Entry key={`place ${kind}`} words={all.map((place) => place.name).join(", ")}>
          <g class="sign">{shapeOf(kind).sign}</g>
        </Entry>
      ))}
      {[...things].map(([kind, all]) => (
        <Entry key={`thing ${kind}`} words={all[0]!.name.replace(/[ _-]?\d+$/, "")}><Dot thing={{ name: kind, kind }} size={26} /></Entry>
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

/** A thing where there is no room for words. */
function Dot({ thing, size }: { thing: Thing; size: number }) {
  return (
    <g class="thing">
      <title>{told(thing)}</title>
      <circle class="chip" r={size / 2} style={{ "--tone": food(thing.kind) }} />
      <g transform={`scale(${size / 15})`}><Glyph kind={thing.kind} /></g>
    </g>
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
  const head = <Head facing={body.facing ?? [0, 0]} r={at.head} hue={hue} own={own} />;
  if (at.density === "small") {
    return (
      <>
        {head}
        {holding.slice(0, 2).map((thing, index) => (
          <g key={thing.name} transform={`translate(${at.head * 0.75 - index * 8} ${at.head * 0.75})`}><Dot thing={thing} size={at.chip} /></g>
        ))}
      </>
    );
  }
  let y = at.head + at.name + 4;
  const rows: JSX.Element[] = [
    <text key="name" class="body-name" y={y} style={{ fontSize: `${at.name}px` }}>{shortened(body.name, at.name * 1.15, width)}</text>,
  ];
  y += 3;
  if (body.marks?.length) {
    rows.push(<text key="marks" class="mark middle" y={y + MARK - 3}>{shortened(body.marks.join(", "), 9, width)}</text>);
    y += MARK;
  }
  for (const progress of body.progress ?? []) {
    rows.push(<Bar key={`bar ${progress.label}`} progress={progress} x={-width / 2} y={y + 1} width={width} />);
    y += BAR;
  }
  const pile = pileHeight(holding, at);
  return (
    <>
      {head}
      {rows}
      <Pile things={holding} at={at} x={-width / 2} bottom={y + pile + 1} width={width} />
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
