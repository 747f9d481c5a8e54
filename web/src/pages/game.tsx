// A game: the room where people wait, the play, the end, and stepping back through it. Also for who looks on.
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { framesOf, scenario, type ScenarioTold } from "../api";
import { gameOf, keepName, keptName } from "../kept";
import { Breakable } from "../parts/breakable";
import { GetReady } from "../parts/ready";
import { Dialog } from "../parts/dialog";
import { Seats } from "../parts/seats";
import { FriendLinks } from "../parts/host";
import { Coloured } from "../scene/hues";
import { Session, type State } from "../session";
import { useSounds } from "../sound";
import { clock, sentence, spoken } from "../words";
import { Board } from "./board";
import { End } from "./end";
import { Header } from "./header";

/** The session of the token in the address; the page is drawn again whenever the server has said something. */
export function useSession(token: string): Session {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const session = useMemo(() => {
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    return new Session(url, token, gameOf(token)?.opened.host ?? "", keptName());
  }, [token]);
  useEffect(() => {
    const stop = session.subscribe(() => redraw(0));
    session.open();
    return () => {
      stop();
      session.close();
    };
  }, [session]);
  return session;
}

export function Game({ token }: { token: string }) {
  const session = useSession(token);
  const { state } = session;
  const kept = gameOf(token);
  const told = useScenario(state.welcome?.hosts ? state.welcome.scenario : "");
  const own = useOwn(state);
  useTitle(state);
  useWhole(session, token);
  useSounds(state.frame, state.lobby, own);
  if (state.closed && !state.closed.again) return <Lost why={state.closed.why} />;
  if (!state.welcome) return <Connecting state={state} />;
  const welcome = state.welcome;
  return (
    <Coloured state={state}>
      <Header session={session} kept={kept} scenario={told} />
      {state.link === "lost" && <p class="banner" role="status">The connection is lost. Trying again; nothing of the game is lost.</p>}
      {state.lobby && !state.over && !(state.frame && gathered(state)) ? (
        <Waiting session={session} token={token} />
      ) : state.frame ? (
        <main class="frame-wide">
          <GetReady session={session} teaches />
          {state.over && <End session={session} token={token} own={own} />}
          <Board session={session} own={own} />
        </main>
      ) : state.over ? (
        <main class="frame-wide"><End session={session} token={token} own={own} /></main>
      ) : (
        <main class="frame"><p class="soft">{`${welcome.title} is about to begin …`}</p></main>
      )}
      <Confirmation session={session} />
    </Coloured>
  );
}

/** Nobody is waited for any more, but to be ready. */
export const gathered = ({ lobby }: State): boolean => !lobby || lobby.counting || lobby.needed === 0;

/** Names of the bodies that are one's own: the seat's, where it is a body; or those that it decides for. */
export function useOwn(state: State): ReadonlySet<string> {
  const kept = useRef<ReadonlySet<string>>(new Set());
  const seat = state.welcome?.seat ?? "";
  const bodies = state.turn?.options.map((option) => option.body).filter(Boolean) ?? [];
  const all = [...new Set([...(seat ? [seat] : []), ...kept.current, ...bodies])];
  if (all.length !== kept.current.size) kept.current = new Set(all);
  return kept.current;
}

function useScenario(id: string): ScenarioTold | null {
  const [told, setTold] = useState<ScenarioTold | null>(null);
  useEffect(() => {
    if (id) scenario(id).then(setTold, () => setTold(null));
  }, [id]);
  return told;
}

/** Who came after the beginning of a game that is over is given all of it. */
function useWhole(session: Session, token: string): void {
  const { over, frames } = session.state;
  const lacks = over !== null && (frames[0]?.number ?? 0) > 0;
  useEffect(() => {
    if (!lacks) return;
    let gone = false;
    framesOf(token).then((found) => !gone && session.lookBack(found), () => undefined); // the result is there without
    return () => {
      gone = true;
    };
  }, [lacks, session, token]);
}

function useTitle(state: State): void {
  const asked = state.turn !== null && !state.welcome?.live;
  useEffect(() => {
    const name = state.welcome?.title || "Backburner";
    document.title = state.over ? `${name}: over` : asked ? `Your move: ${name}` : name;
  }, [state.welcome, state.over, asked]);
}

function Connecting({ state }: { state: State }) {
  return (
    <main class="frame narrow">
      <h1>Backburner</h1>
      <p role="status">{state.link === "lost" ? "The server does not answer; trying again …" : "Connecting …"}</p>
    </main>
  );
}

function Lost({ why }: { why: string }) {
  return (
    <main class="frame narrow">
      <h1>Backburner</h1>
      <p class="news refused" role="alert">{sentence(why)}</p>
      <p class="row"><button type="button" onClick={() => location.reload()}>Try again</button> <a class="button" href="/">To the games</a></p>
    </main>
  );
}

// --- the waiting room -----------------------------------------------------------------------------------

function Waiting({ session, token }: { session: Session; token: string }) {
  const { lobby, welcome, links } = session.state;
  if (!lobby || !welcome) return null;
  const kept = gameOf(token);
  return (
    <main class="frame narrow waiting-room">
      <h2 class="large"><Breakable text={welcome.title} /></h2>
      {welcome.goal && <p class="lead">{spoken(welcome.goal)}</p>}
      <section class="card" aria-labelledby="who">
        <h2 id="who">Who comes</h2>
        <Seats seats={lobby.seats} own={welcome.seat} waiting />
        <p role="status">
          {lobby.waiting.length ? `Waiting for ${lobby.waiting.join(", ")}.` : "Everybody is here."}
          {lobby.seconds_left !== null && <> Play begins in <Countdown key={lobby.seconds_left} seconds={lobby.seconds_left} />; agents stand in for who is missing.</>}
        </p>
        {welcome.hosts && (
          <>
            <FriendLinks seats={lobby.seats} kept={kept} links={links} own={welcome.seat} watched={welcome.watched} />
            {lobby.waiting.length > 0 && (
              <p><button type="button" class="main" onClick={() => session.begin()}>Begin now; agents stand in for who is missing</button></p>
            )}
          </>
        )}
      </section>
      {welcome.seat && <YourName />}
      <details class="card">
        <summary>How this is played</summary>
        <div class="plain-text">{welcome.briefing}</div>
        {welcome.help && <div class="plain-text">{welcome.help}</div>}
      </details>
    </main>
  );
}

function YourName() {
  const [name, setName] = useState(keptName);
  return (
    <form
      class="card row" onSubmit={(event) => {
        event.preventDefault();
        keepName(name.trim());
        location.reload();
      }}
    >
      <label class="grow">
        <span>Your name, for the others</span>
        <input value={name} maxLength={40} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={name.trim() === keptName()}>Use it</button>
    </form>
  );
}

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setLeft(Math.max(0, seconds - (performance.now() - began) / 1000)), 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return <b>{clock(left)}</b>;
}

// --- asked twice ----------------------------------------------------------------------------------------

export function Confirmation({ session }: { session: Session }) {
  const { told } = session.state;
  if (told?.status !== "confirm") return null;
  return (
    <Dialog title="Give up?" onClose={() => session.understood()}>
      <p>{told.why || "That ends the play before the goal is reached."}</p>
      <p class="row">
        <button type="button" class="danger" onClick={() => session.confirm(told.id)}>Yes, I mean it</button>
        <button type="button" class="main" onClick={() => session.understood()}>Play on</button>
      </p>
    </Dialog>
  );
}
