// Cards beside a map: what a body holds and says, what lies in a place and goes on there.
import type { ComponentChildren, JSX } from "preact";
import { Breakable } from "../parts/breakable";
import type { Body, Place, Progress, Thing } from "../protocol";
import { food } from "../space/colours";
import { Glyph, Head } from "./appearance";
import { bodyTold, counted, placeTold, told } from "./layout";

type OnClick = ((event: MouseEvent) => void) | undefined;

export function BodyCard({ body, hue, own, onClick }: { body: Body; hue: number; own: boolean; onClick: OnClick }) {
  const held = body.holding ?? [];
  const head = <Head facing={body.facing ?? [0, 0]} r={12} hue={hue} own={own} kind={body.kind} />;
  return (
    <Card words={bodyTold(body, own)} onClick={onClick}>
      {body.says && <span class="card-says">{body.says}</span>}
      <Top sign={head} name={body.name} marks={body.marks} />
      <Bars of={body.progress} />
      {held.length > 0 && <span class="card-mark">holds</span>}
      <Things things={held} />
    </Card>
  );
}

export function PlaceCard({ place, sign, onClick }: { place: Place; sign: JSX.Element; onClick: OnClick }) {
  return (
    <Card words={placeTold(place)} onClick={onClick}>
      <Top sign={sign} name={place.name} marks={place.marks} />
      <Bars of={place.progress} />
      <Things things={place.stack ?? []} />
    </Card>
  );
}

function Card({ words, onClick, children }: { words: string; onClick: OnClick; children: ComponentChildren }) {
  if (!onClick) return <div class="map-card">{children}</div>;
  return <button type="button" class="map-card" onClick={onClick}><Named words={words}>{children}</Named></button>;
}

/** What is seen, and the same in one sentence for who cannot see it. */
export function Named({ words, children }: { words: string; children: ComponentChildren }) {
  return <><span class="unseen">{words}</span><span class="seen" aria-hidden="true">{children}</span></>;
}

function Top({ sign, name, marks }: { sign: JSX.Element; name: string; marks: string[] | undefined }) {
  return (
    <span class="card-top">
      <svg class="scene" width="24" height="24" viewBox="-17 -17 34 34" aria-hidden="true">{sign}</svg>
      <b><Breakable text={name} /></b>
      {marks && marks.length > 0 && <span class="card-mark">{marks.join(", ")}</span>}
    </span>
  );
}

function Bars({ of }: { of: Progress[] | undefined }) {
  return (
    <>
      {(of ?? []).map((one) => {
        const share = one.full > 0 ? Math.min(1, Math.max(0, one.done / one.full)) : 1;
        return (
          <span key={one.label} class={one.paused ? "card-bar paused" : "card-bar"} title={counted(one.label, one.done, one.full, one.paused)}>
            <i style={{ transform: `scaleX(${share})` }} />
            <span>{`${one.label} ${one.done}/${one.full}${one.paused ? " paused" : ""}`}</span>
          </span>
        );
      })}
    </>
  );
}

function Things({ things }: { things: readonly Thing[] }) {
  return <>{things.map((thing) => <Chip key={thing.name} thing={thing} />)}</>;
}

function Chip({ thing }: { thing: Thing }) {
  return (
    <span class="card-chip" style={{ "--tone": food(thing.kind) }} title={told(thing)}>
      <span class="card-thing">
        <svg width="20" height="20" viewBox="-10 -10 20 20" aria-hidden="true"><Glyph kind={thing.kind} marks={thing.marks} size={20} /></svg>
        <span><Breakable text={thing.name} /></span>
        {thing.marks && thing.marks.length > 0 && <em>{thing.marks.join(", ")}</em>}
      </span>
      <Bars of={thing.progress} />
      <Things things={thing.inside ?? []} />
    </span>
  );
}
