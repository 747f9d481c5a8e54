// What can be done now: buttons by verb, a line to search and to type in, one choice for each of several bodies.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Choice, found, grouped, labelOf, ofBody, shortLabel } from "../choices";
import type { Known, Plan } from "../plan";
import type { Controls, Told, Turn } from "../protocol";
import type { Act } from "../session";
import { Dot } from "../scene/hues";
import { walkingKeys } from "../space/choices";
import { clock } from "../words";
import { Voice } from "./voice";

interface MovesProps {
  turn: Turn;
  turnAt: number;
  /** `false`: the turn is over, and what could be done is only kept in sight. */
  open: boolean;
  waitsFor: string;
  told: Told | null;
  body: string;
  onBody: (body: string) => void;
  act: (what: Act) => void;
  plan: Plan;
  known: Known;
  live: boolean;
  /** The keys of a world in which they walk; `null` elsewhere. */
  walking: Controls | null;
}

const MANY = 10;
const FOLD = { wide: 14, narrow: 8 };

export function Moves({ turn, turnAt, open, waitsFor, told, body, onBody, act, plan, known: { choices, first }, live, walking }: MovesProps) {
  const [typed, setTyped] = useState("");
  const section = useRef<HTMLElement>(null);
  const steps = useMemo(() => stepsOf(walking), [walking]);
  const { bodies, several, chosen } = plan;
  const chosenBody = bodies.includes(body) ? body : (bodies[0] ?? "");
  useKeptFocus(section);

  const writes = !turn.options.length && !live;
  const shown = found(several ? ofBody(choices, chosenBody) : choices, typed);
  const choose = (choice: Choice): void => {
    if (!open) return;
    plan.choose(choice);
    setTyped("");
  };
  const type = (event: Event): void => {
    event.preventDefault();
    if (!open) return;
    if (!typed.trim()) {
      if (several && chosen.size) plan.send();
      return;
    }
    if (shown.length === 1) {
      choose(shown[0]!);
      return;
    }
    act({ line: typed.trim() });
    setTyped("");
  };

  return (
    <section class={`card moves${open ? "" : " waiting"}`} aria-labelledby="moves-title" ref={section}>
      <header>
        <h2 id="moves-title" tabIndex={-1}>{open ? "Your move" : waitsFor}</h2>
        {open && turn.deadline_seconds !== null && <Deadline seconds={turn.deadline_seconds} since={turnAt} />}
      </header>
      {live ? <Told turn={turn} told={told} /> : (
        <>
          {turn.news && <p class={turn.refused ? "news refused" : "news"}>{turn.news}</p>}
          {told && told.status !== "confirm" && <p class="news explained">{told.why}</p>}
        </>
      )}
      {turn.question && open && !live && <p class="question">{turn.question.replace(/:$/, "")}</p>}
      {several && (
        <div class="tabs" role="group" aria-label="For whom">
          {bodies.map((name) => (
            <button key={name} type="button" aria-pressed={name === chosenBody} onClick={() => onBody(name)}>
              <Dot of={name} />{name}{chosen.has(name) && <span class="tick" aria-label="chosen"> ✓</span>}
            </button>
          ))}
        </div>
      )}
      <form class="line" onSubmit={type}>
        {writes ? (
          <textarea
            rows={4} value={typed} aria-label={turn.question || "Your answer"} maxLength={4000} placeholder="Your answer"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        ) : (
          <input
            class="search" value={typed} aria-label="Search the moves, or type one" autocomplete="off" spellcheck={false} maxLength={4000}
            placeholder={choices.length > MANY ? "Search, or type a move" : "Type a move"} enterkeyhint="go"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {writes && <Voice onWords={(heard) => setTyped((before) => (before ? `${before} ${heard}` : heard))} />}
        <button type="submit" disabled={!open || !(typed.trim() || (several && chosen.size))}>{writes ? "Answer" : "Go"}</button>
      </form>
      {typed.trim() && !shown.length && <p class="soft small">Nothing in the list has these words. Enter sends the line as it is.</p>}
      <div class="groups">
        {grouped(shown, steps, first).map((group) => (
          <Group
            key={group.verb} title={group.title} verb={group.verb} choices={group.choices} open={open} folds={!typed.trim()}
            picked={several ? chosen.get(chosenBody)?.number : undefined} several={several} choose={choose}
          />
        ))}
      </div>
      {several && (
        <div class="plan">
          {bodies.map((name) => {
            const choice = chosen.get(name);
            return (
              <span key={name} class={choice ? "chosen" : "soft"}>
                <Dot of={name} /><b>{name}</b> {choice ? labelOf(choice, "") : "goes on"}
              </span>
            );
          })}
          <button type="button" class="main" disabled={!open || !chosen.size} onClick={plan.send}>Send</button>
        </div>
      )}
    </section>
  );
}

/** The verbs of the keys that walk. */
function stepsOf(controls: Controls | null): ReadonlySet<string> {
  const keys = new Set(Object.values(walkingKeys(controls) ?? {}));
  return new Set(controls?.keyboard_actions.filter((action) => keys.has(action.input_instructions.key)).map((action) => action.name));
}

interface GroupProps {
  title: string;
  verb: string;
  choices: readonly Choice[];
  open: boolean;
  folds: boolean;
  picked: number | undefined;
  several: boolean;
  choose: (choice: Choice) => void;
}

function Group({ title, verb, choices, open, folds, picked, several, choose }: GroupProps) {
  const [all, setAll] = useState(false);
  const first = all || !folds ? choices : choices.slice(0, innerWidth < 600 ? FOLD.narrow : FOLD.wide);
  const alone = choices.length === 1 && (choices[0]!.said || shortLabel(choices[0]!.option, "").toLowerCase() === title); // it says all that a heading would
  const glossed = choices.some(({ option }) => option.gloss);
  return (
    <div class="group" role="group" aria-label={title}>
      {!alone && <h3>{title}</h3>}
      <div class={glossed ? "options glossed" : "options"}>
        {first.map((choice) => (
          <button
            key={`${choice.option.body} ${choice.option.label}`} type="button" class="option" title={choice.option.label} aria-disabled={!open || !!choice.grey}
            aria-pressed={several ? picked === choice.number : undefined} onClick={() => choose(choice)}
          >
            <kbd aria-hidden="true">{choice.number}</kbd>
            <span>{labelOf(choice, alone || verb.startsWith(" ") ? "" : verb)}{choice.option.gloss && <small>{choice.option.gloss}</small>}</span>
          </button>
        ))}
        {choices.length > first.length && (
          <button type="button" class="quiet" onClick={() => setAll(true)}>{`${choices.length - first.length} more`}</button>
        )}
      </div>
    </div>
  );
}

/** What became of the last move, in a place that is always there, so that nothing below it moves. */
function Told({ turn, told }: { turn: Turn; told: Told | null }) {
  const explained = told && told.status !== "confirm" ? told.why : "";
  return <p class={`news kept${explained ? " explained" : turn.refused ? " refused" : ""}`}>{explained || turn.news}</p>;
}

/** How long the step still waits. */
function Deadline({ seconds, since }: { seconds: number; since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, seconds - (now - since) / 1000);
  return <span class={left < 5 ? "deadline short" : "deadline"} role="timer">{clock(left)}</span>;
}

/** Where the focus was on something that a redraw took away, it goes to the heading and not to the page. */
function useKeptFocus(section: { current: HTMLElement | null }): void {
  const inside = useRef(false);
  useLayoutEffect(() => {
    if (inside.current && (document.activeElement === document.body || document.activeElement === null)) {
      section.current?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    }
  });
  useEffect(() => {
    const look = (event: FocusEvent): void => {
      const to = event.type === "focusout" ? event.relatedTarget : event.target;
      // Focus that goes nowhere is lost by a redraw (or by a click beside everything, which asks for nothing).
      if (to instanceof Node) inside.current = section.current?.contains(to) ?? false;
    };
    const pressed = (event: PointerEvent): void => {
      inside.current = event.target instanceof Node && (section.current?.contains(event.target) ?? false);
    };
    document.addEventListener("focusin", look);
    document.addEventListener("focusout", look);
    document.addEventListener("pointerdown", pressed);
    return () => {
      document.removeEventListener("focusin", look);
      document.removeEventListener("focusout", look);
      document.removeEventListener("pointerdown", pressed);
    };
  }, [section]);
}
