// A scene in which nobody walks about, as cards: what has become of each thing and since when, what goes on with it and
// until when, and what may wait no longer. A click on a thing asks what can be done with it.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Breakable } from "../parts/breakable";
import { Named } from "./cards";
import type { Event, Place, Progress, Scene, Thing } from "../protocol";
import { moment, span, spoken } from "../words";
import { bodyTold, placeTold, told } from "./layout";
import type { Pointed } from "./picking";
import { Drawing, picture } from "./pictures";

interface BoardProps {
  scene: Scene;
  own: ReadonlySet<string>;
  /** The time of the scene, in the world's unit. */
  now: number;
  /** What has happened since the last one. */
  events: readonly Event[];
  unit: string;
  /** What something can be done with now. */
  active: ReadonlySet<string>;
  picked: string;
  onPick?: (at: Pointed) => void;
}

/** A mark of what is over. */
const DONE = "done";
/** With more than so many things a card is a list, as wide as two. */
const FEW = 4;

export function CardBoard({ scene, own, now, events, unit, active, picked, onPick }: BoardProps) {
  const since = useSince(scene, now, events);
  const holder = useRef<HTMLDivElement>(null);
  const pick = (name: string) => (event: MouseEvent): void => {
    const [here, all] = [(event.currentTarget as Element).getBoundingClientRect(), holder.current!.getBoundingClientRect()];
    onPick?.({ kind: "place", name, x: here.left - all.left + here.width / 2, y: here.top - all.top, height: here.height * 1.7 });
  };
  const on = (name: string) => ({
    can: active.has(name), picked: picked === name, ...(onPick ? { onClick: pick(name) } : {}),
  });
  const busy = (scene.bodies ?? []).filter((body) => body.progress?.length || body.says);
  return (
    <div class="cards-board" ref={holder}>
      {busy.map((body) => (
        <div key={body.name} class="thing-card attention" title={bodyTold(body, own.has(body.name))}>
          <b>{own.has(body.name) ? "You" : spoken(body.name)}</b>
          <Bars of={body.progress} now={now} unit={unit} />
          {body.says && <span class="card-says">{body.says}</span>}
        </div>
      ))}
      {(scene.places ?? []).map((place) => {
        const stack = place.stack ?? [];
        return (
          <div key={place.name} class={`thing-card${stack.length > FEW ? " long" : ""}${place.progress?.length ? " runs" : ""}`}>
            <Part words={placeTold(place)} {...on(place.name)}>
              <Picture kind={place.kind} marks={place.marks} />
              <b><Breakable text={spoken(place.name)} /></b>
              <Marks of={place} {...since(place.name)} unit={unit} />
            </Part>
            <Bars of={place.progress} now={now} unit={unit} />
            {stack.length > 0 && <ul>{stack.map((thing) => <Row key={thing.name} thing={thing} within={place.name} now={now} unit={unit} {...on(thing.name)} />)}</ul>}
          </div>
        );
      })}
    </div>
  );
}

interface PartProps {
  words: string;
  can: boolean;
  picked: boolean;
  onClick?: (event: MouseEvent) => void;
  children: ComponentChildren;
}

/** What can be pointed at; who only looks on has nothing to point at. */
function Part({ words, can, picked, onClick, children }: PartProps) {
  const look = `card-part${can ? " can" : ""}${picked ? " picked" : ""}`;
  if (!onClick) return <div class={look}>{children}</div>;
  return <button type="button" class={look} onClick={onClick}><Named words={words}>{children}</Named></button>;
}

function Row({ thing, within, now, unit, ...part }: { thing: Thing; within: string; now: number; unit: string } & Omit<PartProps, "words" | "children">) {
  const over = thing.marks?.includes(DONE) ?? false;
  const lead = `${within} `;
  const short = thing.name.startsWith(lead) ? thing.name.slice(lead.length) : spoken(thing.name); // `Cobbler 3` under `Cobbler`
  const runs = thing.progress?.some((one) => !one.paused && !one.runs_out) ?? false;
  return (
    <li class={`${over ? "over" : ""}${runs ? "runs" : ""}`}>
      <Part words={`${told(thing)}${thing.traits?.length ? `: ${thing.traits.join(", ")}` : ""}`} {...part}>
        <i aria-hidden="true">{over ? "✓" : runs ? "▸" : ""}</i>
        <span class="row-name">{short}</span>
        {thing.traits && thing.traits.length > 0 && <span class="row-text">{thing.traits[0]}{thing.traits.length > 1 && <small>{thing.traits.slice(1).join(" · ")}</small>}</span>}
        {!over && <Marks of={thing} unit={unit} />}
      </Part>
      <Bars of={thing.progress} now={now} unit={unit} />
    </li>
  );
}

/** What it looks like, where there is a picture. */
function Picture({ kind, marks = [] }: { kind: string; marks?: readonly string[] | undefined }) {
  const of = picture(kind, marks);
  return of ? <svg class="scene" width="28" height="28" viewBox="-14 -14 28 28" aria-hidden="true"><Drawing of={of} size={26} /></svg> : null;
}

/** What has become of something, and since when, if this page saw it. */
function Marks({ of, from, was, unit }: { of: Place | Thing; from?: number; was?: string; unit: string }) {
  const marks = of.marks ?? [];
  if (!marks.length) return null;
  return (
    <span class="marks">
      {marks.map((mark) => <em key={mark}>{mark}</em>)}
      {from !== undefined && <small>{was ? `was ${was} until ${moment(from, unit)}` : `since ${moment(from, unit)}`}</small>}
    </span>
  );
}

/** What goes on: from when until when on the world's clock, and what is left of it. */
function Bars({ of, now, unit }: { of: readonly Progress[] | undefined; now: number; unit: string }) {
  return (
    <>
      {(of ?? []).map((one) => {
        const left = Math.max(0, one.full - one.done);
        const share = one.full > 0 ? Math.min(1, Math.max(0, one.done / one.full)) : 1;
        const look = one.paused ? " paused" : one.runs_out ? (share > 0.6 ? " short" : " waits") : "";
        const words = one.paused
          ? `${span(one.done, unit)} of ${span(one.full, unit)}`
          : `${one.runs_out ? "within" : "until " + moment(now + left, unit) + ","} ${span(left, unit)}${one.runs_out ? "" : " left"}`;
        return (
          <span key={one.label} class={`time-bar${look}`}>
            <span>{spoken(one.label)}</span> <b>{words}</b>
            <i><i style={{ transform: `scaleX(${one.runs_out ? 1 - share : share})` }} /></i>
          </span>
        );
      })}
    </>
  );
}

interface Since {
  marks: readonly string[];
  from?: number;
  was?: string;
}

/** When this page saw the marks of each place change, and from what; who looks back sees none. Counts have none. */
function useSince(scene: Scene, now: number, events: readonly Event[]): (name: string) => Pick<Since, "from" | "was"> {
  const kept = useRef({ at: now, of: new Map<string, Since>() });
  if (now < kept.current.at) kept.current = { at: now, of: new Map() };
  kept.current.at = now;
  const { of } = kept.current;
  for (const { name, marks = [], stack = [] } of scene.places ?? []) {
    const before = of.get(name);
    if (before && !stack.length && before.marks.join() !== marks.join()) {
      const ended = events.filter((event) => event.lane === name && event.what === "end").at(-1);
      of.set(name, { marks, from: ended?.time ?? now, was: before.marks.filter((mark) => !marks.includes(mark)).join(", ") });
    } else if (!before) of.set(name, { marks });
  }
  return (name) => {
    const { from, was } = of.get(name) ?? {};
    return { ...(from === undefined ? {} : { from }), ...(was === undefined ? {} : { was }) };
  };
}
