// The page of a game that is played, or looked at: kitchen, orders, moves, talk, timeline, graphs.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { talk } from "../activities";
import { keepTurn, lastTurn } from "../kept";
import { meaning, taken, walks, worldKey } from "../keys";
import type { Event, Frame, Graph, Scene, Turn } from "../protocol";
import { useOffers } from "../offers";
import { Dialog, Plain } from "../parts/dialog";
import { DishGraph } from "../parts/graph";
import { Ghosts } from "../parts/ghosts";
import { Kitchen } from "../parts/kitchen";
import { Moves } from "../parts/moves";
import { Orders } from "../parts/orders";
import { Pad } from "../parts/pad";
import { Solid } from "../parts/solid";
import { Talk } from "../parts/talk";
import { placesOf, Tutorial, useTutorial } from "../parts/tutorial";
import { Timeline } from "../parts/timeline";
import { isMap } from "../scene/map_layout";
import type { Act, Session, State } from "../session";
import { walkingKeys } from "../space/choices";
import { beyond, ending, moment, sameWords, spoken } from "../words";
import { type Known, type Plan, useKnown, usePlan } from "../plan";
import { Replay } from "./replay";

export function Board({ session, own }: { session: Session; own: ReadonlySet<string> }) {
  const { state } = session;
  const welcome = state.welcome!;
  const [body, setBody] = useState("");
  const [graph, setGraph] = useState<Graph | null>(null);
  const [solid, setSolid] = useState(false);
  const offers = useOffers();
  const look = (next: Graph | null): void => {
    setGraph(next);
    offers.switched("recipes", next !== null);
  };
  const turnSolid = (): void => {
    setSolid(!solid);
    offers.switched("solid", !solid);
  };
  const [back, setBack] = useState<number | null>(null);
  const turn = useLastTurn(state) ?? (welcome.moves.length ? NOTHING_ASKED : null);
  const open = state.turn !== null && state.sent === null && state.link === "open";
  const frame = (back === null ? state.shown : state.frames[back]) ?? state.frame!;
  const events = useUntil(state, back === null ? null : frame);
  const act = useCallback((what: Act) => void session.act(what), [session]);
  const playing = welcome.role === "player" && !state.over;
  const wide = useWide(frame.scene);
  const plan = usePlan(turn, welcome.live, act, setBody);
  const known = useKnown(turn, welcome);
  const at = useTutorial(welcome.steps, state.frames);
  const step = playing ? welcome.steps[at] : undefined;
  const asked = useMemo(() => new Set(step && frame.scene ? placesOf(step, frame.scene) : []), [step, frame.scene]);
  useKeys(session, body, playing, plan, known);
  useEffect(() => {
    if (state.over) setBack(null);
  }, [state.over]);

  const walking = welcome.live && playing && walkingKeys(welcome.controls) !== null;
  const bodies = useMemo(() => bodiesIn(frame.scene, own), [frame.scene, own]);
  const now = welcome.live ? Math.floor(frame.time) : frame.time;
  const caption = frame.scene?.caption ?? "";
  const beginnings = playing ? state.turn?.suggestions ?? [] : null;
  const said = useMemo(() => talk(events), [events]);

  // The same element while nothing of it has changed: a game with a clock draws ten frames a second.
  const timeline = useMemo(() => (
    <section class="card lanes" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <Timeline events={events} now={now} unit={welcome.time_unit} bodies={bodies} />
      {welcome.ghosts && playing && <Ghosts token={session.token} now={now} unit={welcome.time_unit} bodies={bodies} />}
    </section>
  ), [events, now, welcome.time_unit, welcome.ghosts, playing, session, bodies.join("\n")]);
  const lanes = offers.has("timeline") && timeline;
  const waits = waitsFor(state);
  const moves = useMemo(() => turn && (
    <Moves
      turn={turn} turnAt={state.turnAt} open={open} told={state.told} body={body} onBody={setBody} act={act} plan={plan} known={known} live={welcome.live}
      walking={walking ? welcome.controls : null} waitsFor={waits}
    />
  ), [turn, open, state.told, body, act, plan, known, welcome, walking, waits]);
  return (
    <div class={`board${welcome.live && playing ? " live" : ""}${frame.scene ? "" : " undrawn"}${playing ? "" : " looking"}`}>
      <div class="column">
        {playing && welcome.steps.length > 0 && <Tutorial session={session} steps={welcome.steps} at={at} />}
        {welcome.goal && !welcome.steps.length && <p class="goal"><b>Goal</b> {spoken(welcome.goal)}</p>}
        <section class="stage" aria-label={frame.scene && !frame.scene.cards ? "The kitchen" : "How things stand"}>
          {welcome.live && !frame.scene?.beside?.length && <div class="orders" />}
          {frame.scene && <Orders things={frame.scene.beside ?? []} graphs={offers.has("recipes") ? welcome.graphs : []} events={events} onGraph={look} />}
          {frame.scene && caption && !sameWords(caption, welcome.goal) && <p class="caption">{spoken(caption)}</p>}
          {frame.scene ? (
            solid && !wide ? (
              <Solid frame={frame} welcome={welcome} turn={open ? state.turn : null} act={act} />
            ) : (
              <Kitchen frame={frame} welcome={welcome} turn={playing && back === null ? turn : null} open={open} own={own} body={body} walks={walking} wide={wide} known={known} asked={asked} why={state.told?.why ?? ""} choose={plan.choose} />
            )
          ) : (
            <Standing text={frame.text || turn?.state || ""} shown={turn ? [turn.news, turn.question] : []} />
          )}
          {frame.scene?.cards && turn && <InWords turn={turn} />}
          <p class="tools">
            {frame.scene && !wide && offers.has("solid") && <button type="button" class="quiet" aria-pressed={solid} onClick={turnSolid}>{solid ? "Drawn" : "3D"}</button>}
            {frame.scene && welcome.graphs.length > 0 && offers.has("recipes") && (
              <select aria-label="How things are made" value="" onChange={(event) => look(welcome.graphs[Number(event.currentTarget.value)] ?? null)}>
                <option value="">How things are made …</option>
                {welcome.graphs.map((one, index) => <option key={one.name} value={String(index)}>{one.name}</option>)}
              </select>
            )}
            {frame.scene && !welcome.live && offers.has("recipes") && <Recipes turn={turn} />}
          </p>
          {state.frames.length > 1 && (state.over || !playing) && (
            <Replay frames={state.frames} at={back ?? state.frames.length - 1} unit={welcome.time_unit} onAt={(at) => setBack(at >= state.frames.length - 1 && !state.over ? null : at)} />
          )}
        </section>
        {!frame.scene && lanes}
        {!frame.scene && offers.has("recipes") && (welcome.graphs.length > 0 || turn?.recipes) && (
          <section class="reference" aria-label="How things are made">
            {welcome.graphs.map((one) => (
              <div key={one.name} class="card"><h2>{one.name}</h2><DishGraph graph={one} unit={welcome.time_unit} /></div>
            ))}
            {turn?.recipes && <div class="card"><Plain text={turn.recipes} /></div>}
          </section>
        )}
      </div>
      <div class="column beside">
        {playing && (
          <aside class="side">
            {welcome.live && welcome.controls && <Pad controls={welcome.controls} body={body} verbs={null} holds press={(press) => act({ press })} />}
            {moves ?? <section class="card moves waiting"><header><h2>{waits}</h2></header></section>}
            {!welcome.live && welcome.controls && <Touch session={session} body={body} turn={open ? turn : null} />}
          </aside>
        )}
        <Talk said={said} beginnings={beginnings} own={own} unit={welcome.time_unit} onLine={open ? (line) => act({ line }) : null} />
      </div>
      {frame.scene && lanes}
      {graph && <Dialog title={graph.name} onClose={() => look(null)}><DishGraph graph={graph} unit={welcome.time_unit} /></Dialog>}
      <News state={state} open={open} />
    </div>
  );
}

/** Before the clock runs all moves are there to be looked at. */
const NOTHING_ASKED: Turn = {
  kind: "turn", number: -1, asked: "", news: "", refused: false, state: "", question: "", recipes: "", text: "", options: [], suggestions: [],
  labels: {}, deadline_seconds: null,
};

/** How things stand, in words; what the list of moves says already is left out. */
function Standing({ text, shown }: { text: string; shown: readonly string[] }) {
  const rest = beyond(text, shown);
  return rest ? <div class="card state"><Plain text={rest} /></div> : null;
}

/** The same where things are cards: a few lines are news, more of them repeat what the cards say. */
function InWords({ turn }: { turn: Turn }) {
  const words = <Standing text={turn.state} shown={[turn.news, turn.question]} />;
  if (turn.state.split("\n").length <= FEW_LINES || !turn.state) return words;
  return <details class="in-words"><summary>In words</summary>{words}</details>;
}

const FEW_LINES = 4;

/** The last turn stays in sight until the next one comes, so that nothing jumps. */
function useLastTurn({ turn, welcome }: State): Turn | null {
  const place = welcome?.seat && !welcome.live ? `${welcome.game} ${welcome.seat}` : "";
  const first = useMemo(() => (place ? lastTurn(place) : null), [place]);
  const kept = useRef<Turn | null>(null);
  if (turn) kept.current = turn;
  useEffect(() => {
    if (turn && place) keepTurn(place, turn);
  }, [turn, place]);
  return kept.current ?? first;
}

/** Whether scenes of this game are drawn as maps: the first one is, or ground has been seen since. */
function useWide(scene: Scene | null): boolean {
  const wide = useRef<boolean | null>(null);
  if (scene && (wide.current === null || scene.ground)) wide.current = isMap(scene) || scene.cards === true;
  return wide.current ?? false;
}

/** The events up to a frame; all of them if none is given. */
function useUntil(state: State, frame: Frame | null): readonly Event[] {
  return useMemo(() => {
    if (!frame) return state.events;
    const later = state.frames.reduce((count, one) => count + (one.number > frame.number ? one.events.length : 0), 0);
    return state.events.slice(0, state.events.length - later);
  }, [state.events, state.frames, frame]);
}

const bodiesIn = (scene: Scene | null, own: ReadonlySet<string>): readonly string[] => {
  const names = scene?.bodies?.map((body) => body.name) ?? [];
  return names.length ? names : [...own];
};

function waitsFor(state: State): string {
  if (state.link !== "open") return "Not connected";
  const deciding = state.frame?.deciding.filter((seat) => seat !== state.welcome?.seat) ?? [];
  return deciding.length && !state.turn ? `Waiting for ${deciding.join(", ")}` : state.welcome?.live ? "What can be done" : "Waiting …";
}

function Recipes({ turn }: { turn: Turn | null }) {
  const [open, setOpen] = useState(false);
  const { switched } = useOffers();
  const look = (on: boolean): void => {
    setOpen(on);
    switched("recipes", on);
  };
  const text = turn?.recipes ?? "";
  return (
    <>
      {text && <button type="button" class="quiet" onClick={() => look(true)}>Recipes</button>}
      {open && <Dialog title="Recipes" onClose={() => look(false)}><Plain text={text} /></Dialog>}
    </>
  );
}

function Touch({ session, body, turn }: { session: Session; body: string; turn: Turn | null }) {
  const controls = session.state.welcome?.controls;
  if (!controls?.keyboard_actions.length) return null;
  const verbs = new Set(turn?.options.map((option) => option.verb));
  return <Pad controls={controls} body={body} verbs={verbs} holds={false} press={(press) => turn && session.act({ press })} />;
}

/** What a screen reader tells without being asked. */
function News({ state, open }: { state: State; open: boolean }) {
  const { turn, told, over, welcome, frame } = state;
  const words = over
    ? `It is over: ${over.why || ending(over.reason)}`
    : told && told.status !== "accepted"
      ? told.why
      : open && turn && !welcome?.live
        ? `${turn.news} ${turn.question || "Your move"}, ${moment(frame?.time ?? 0, welcome?.time_unit ?? "")}`
        : "";
  return <p class="unseen" role="status" aria-live="polite">{words}</p>;
}

/** The keyboard: keys of the world, numbers of the moves, `?` and `/`. Held keys walk in games with a clock. */
function useKeys(session: Session, body: string, playing: boolean, plan: Plan, known: Known): void {
  const typed = useRef({ text: "", at: 0 });
  const latest = useRef({ plan, known }); // keys that are held stay so while turns come and go
  latest.current = { plan, known };
  useEffect(() => {
    const held = new Set<string>();
    const about = body ? { body } : {};
    const down = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || taken(event.target, event.key)) return;
      const { welcome, turn } = session.state;
      if (!welcome) return;
      const before = performance.now() - typed.current.at < 1200 ? typed.current.text : "";
      const means = meaning(event.key, before, turn ? latest.current.known.choices.length : 0, welcome.controls);
      typed.current = { text: means?.what === "typed" ? means.typed : "", at: performance.now() };
      if (!means || (means.what !== "help" && !playing)) return;
      if (means.what === "close") {
        session.understood();
        return;
      }
      event.preventDefault();
      if (means.what === "help") document.dispatchEvent(new CustomEvent("backburner-help"));
      else if (means.what === "search") document.querySelector<HTMLElement>(".moves .search, .moves textarea")?.focus();
      else if (means.what === "number") {
        const choice = turn && latest.current.known.choices[means.number - 1];
        if (choice) latest.current.plan.choose(choice);
      } else if (means.what === "press") {
        const key = means.press.key ?? "";
        if (welcome.live && walks(key, welcome.controls)) {
          if (!held.has(key)) session.act({ press: { key, hold: "start", ...about } });
          held.add(key);
        } else if (!event.repeat && (welcome.live || turn)) session.act({ press: { key, ...about } });
      }
    };
    const up = (event: KeyboardEvent): void => {
      const key = worldKey(event.key, session.state.welcome?.controls ?? null);
      if (key && held.delete(key)) session.act({ press: { key, hold: "end", ...about } });
    };
    const away = (): void => {
      for (const key of held) session.act({ press: { key, hold: "end", ...about } });
      held.clear();
    };
    document.addEventListener("keydown", down);
    document.addEventListener("keyup", up);
    window.addEventListener("blur", away);
    return () => {
      away();
      document.removeEventListener("keydown", down);
      document.removeEventListener("keyup", up);
      window.removeEventListener("blur", away);
    };
  }, [session, body, playing]);
}
