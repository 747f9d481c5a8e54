// The kitchen: the scene with what lies between, a menu at what is pointed at, and the same in three dimensions.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { about, type Choice, labelOf, sensible, thingOf } from "../choices";
import type { Known } from "../plan";
import type { Controls, Frame, Scene, Turn, Welcome } from "../protocol";
import { bodyTold, namesOf, placeTold } from "../scene/layout";
import { CardBoard } from "../scene/board";
import { MapPicture } from "../scene/map";
import type { Pointed } from "../scene/picking";
import { Picture } from "../scene/picture";

export const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

const SHOT_MS = 260;
const LONGEST_FILM_MS = 1400;

/** The scene to show now: those within the last step one after the other, then how it stands; at once where there are
 * none. */
export function useFilm(frame: Frame | null): Scene | null {
  const [film, setFilm] = useState<{ of: Frame; scene: Scene | null } | null>(null);
  const last = useRef<Scene | null>(null);
  const plays = useMemo(() => frame !== null && frame.shots.length > 0 && !still() && !document.hidden, [frame]);
  useEffect(() => {
    if (!frame || !plays) return;
    const each = Math.min(SHOT_MS, LONGEST_FILM_MS / frame.shots.length);
    const scenes = [...frame.shots.map((shot) => shot.scene), frame.scene];
    const timers = scenes.map((scene, index) => setTimeout(() => setFilm({ of: frame, scene }), index * each));
    return () => timers.forEach(clearTimeout);
  }, [frame, plays]);
  last.current = (plays ? (film?.of === frame ? film?.scene : last.current) : null) ?? frame?.scene ?? null;
  return last.current;
}

interface KitchenProps {
  frame: Frame;
  welcome: Welcome;
  /** What is asked, or was asked last; `null` for who only looks on. */
  turn: Turn | null;
  open: boolean;
  own: ReadonlySet<string>;
  body: string;
  walks: boolean;
  /** The scene is drawn as a map. */
  wide: boolean;
  known: Known;
  /** Places to look at. */
  asked?: ReadonlySet<string>;
  /** Why the last move was not possible. */
  why: string;
  choose: (choice: Choice) => void;
}

export function Kitchen({ frame, welcome, turn, open, own, body, walks, wide, known, asked, why, choose }: KitchenProps) {
  const scene = useFilm(frame) ?? frame.scene;
  const [picked, setPicked] = useState<Pointed | null>(null);
  const { live, controls, verbs } = welcome;
  const choices = turn && (open || live) ? known.choices : NONE;
  const active = useMemo(() => new Set(choices.flatMap(({ option, grey }) => (grey ? [] : [...option.things.flat(), thingOf(option)]))), [choices]);
  const close = (): void => setPicked(null);
  useEffect(close, [live ? 0 : turn?.number]); // by the clock it stays, and so do its lines
  if (!scene) return null;
  const point = (at: Pointed): void => {
    const one = live && !at.full ? sensible(concerning(at, null, choices, body, controls, verbs), body) : null;
    if (!one) return setPicked(at);
    close();
    choose(one);
  };
  const Drawn = wide ? MapPicture : Picture;
  return (
    <div class={welcome.live ? "kitchen live" : "kitchen"}>
      {scene.cards ? (
        <CardBoard
          scene={scene} own={own} now={frame.time} events={frame.events} unit={welcome.time_unit} active={active} picked={picked?.name ?? ""}
          {...(turn ? { onPick: point } : {})}
        />
      ) : (
        <Drawn
          scene={scene} own={own} active={active} picked={picked?.name ?? ""} walks={walks}
          {...(turn ? { onPick: point } : {})} {...(asked && !wide ? { asked } : {})}
        />
      )}
      {picked && turn && (
        <Menu
          key={live ? picked.name : ""} at={picked} scene={scene} choices={choices} body={body} controls={controls} verbs={verbs} own={own} live={live} why={live ? why : ""}
          onClose={close}
          choose={(choice) => {
            choose(choice);
            if (!choice.grey) close();
          }}
        />
      )}
    </div>
  );
}

const NONE: readonly Choice[] = [];

interface MenuProps {
  at: Pointed;
  scene: Scene;
  choices: readonly Choice[];
  body: string;
  controls: Controls | null;
  verbs: Readonly<Record<string, string[]>>;
  own: ReadonlySet<string>;
  live: boolean;
  why: string;
  choose: (choice: Choice) => void;
  onClose: () => void;
}

/** What can be done with what is pointed at (and with what is there, where a scene tells that); what a click would do in
 * this world comes first. */
export function concerning(
  at: Pointed, scene: Scene | null, choices: readonly Choice[], body: string, controls: Controls | null,
  verbs: Readonly<Record<string, string[]>>,
): Choice[] {
  const holder = at.kind === "place" ? scene?.places?.find((one) => one.name === at.name) : scene?.bodies?.find((one) => one.name === at.name);
  const names = holder ? namesOf(holder) : new Set([at.name]);
  const all = about(choices, names);
  const order = controls?.mouse_click_actions ?? [];
  const rank = ({ option }: Choice): number => {
    const index = order.findIndex((action) => {
      if (action.name !== option.verb) return false;
      const thing = option.things[(verbs[option.verb] ?? []).indexOf(action.input_instructions.click_on)];
      return Array.isArray(thing) ? thing.includes(at.name) : thing === at.name;
    });
    const mine = body === "" || option.body === "" || option.body === body ? 0 : 1000;
    return mine + (index < 0 ? 500 : index);
  };
  return all.map((choice) => ({ choice, rank: rank(choice) })).sort((a, b) => a.rank - b.rank).map(({ choice }) => choice);
}

function Menu({ at, scene, choices, body, controls, verbs, own, live, why, choose, onClose }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);
  const options = useKeptOrder(concerning(at, live ? null : scene, choices, body, controls, verbs), live);
  const [aside, setAside] = useState(0);
  useLayoutEffect(() => {
    // Within the page, however near to its edge the thing is.
    const here = element.current?.getBoundingClientRect();
    if (!here) return;
    const [left, right] = [here.left - aside, here.right - aside];
    setAside(left < 6 ? 6 - left : right > innerWidth - 6 ? innerWidth - 6 - right : 0);
  }, [at]);
  useLayoutEffect(() => {
    const back = document.activeElement;
    const first = element.current?.querySelector<HTMLElement>("button:not([aria-disabled=true])") ?? element.current?.querySelector("button");
    first?.focus({ preventScroll: true });
    return () => {
      // The focus goes back to what was pointed at, unless it has moved on already.
      if (element.current?.contains(document.activeElement) && (back instanceof SVGElement || back instanceof HTMLElement)) back.focus({ preventScroll: true });
    };
  }, [at]);
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Element && !element.current?.contains(event.target) && !event.target.closest("svg.scene [role=button], .map-card, .card-part")) onClose();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [onClose]);
  const keys = (event: KeyboardEvent): void => {
    const buttons = [...(element.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape") onClose();
    else if (step) buttons[(now + step + buttons.length) % buttons.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const place = scene.places?.find((one) => one.name === at.name);
  const somebody = scene.bodies?.find((one) => one.name === at.name);
  const title = at.kind === "place" && place && !scene.cards ? placeTold(place) : somebody ? bodyTold(somebody, own.has(at.name)) : at.name;
  const others = new Set(options.map(({ option }) => option.body).filter(Boolean)).size > 1;
  return (
    <div class="menu" ref={element} role="dialog" aria-label={`About ${at.name}`} onKeyDown={keys} style={{ left: `${at.x + aside}px`, top: `${at.y + at.height * 0.6}px` }}>
      <p class="small soft">{title}</p>
      {options.length ? (
        options.map((choice) => (
          <button key={choice.number} type="button" aria-disabled={!!choice.grey} onClick={() => choose(choice)}>
            {others && choice.option.body ? `${choice.option.body}: ` : ""}{labelOf(choice, "")}
            {choice.option.gloss && <small>{choice.option.gloss}</small>}
          </button>
        ))
      ) : (
        <button type="button" onClick={onClose}>Nothing can be done here now</button>
      )}
      {why && <p class="small explained">{why}</p>}
    </div>
  );
}

/** The choices in the order in which they were first seen, so that none moves under the hand while the menu is open. */
function useKeptOrder(choices: readonly Choice[], keeps: boolean): readonly Choice[] {
  const order = useRef<number[]>([]);
  if (!keeps) return choices;
  for (const { number } of choices) if (!order.current.includes(number)) order.current.push(number);
  return order.current.flatMap((number) => choices.find((choice) => choice.number === number) ?? []);
}
