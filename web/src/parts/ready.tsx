// Before a clock runs: who is ready, and three, two, one. The kitchen is in sight behind it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Session } from "../session";
import { TutorialOffer } from "./tutorial";

/** `teaches`: a tutorial is offered, which leads to another page. */
export function GetReady({ session, teaches = false }: { session: Session; teaches?: boolean }) {
  const { lobby, welcome } = session.state;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), [lobby === null]);
  if (!lobby || !welcome) return null;
  const own = welcome.role === "player" ? welcome.seat : "";
  const others = lobby.seats.filter(({ seat, kind, present }) => kind === "person" && present && seat !== own);
  const called = (ready: boolean): string =>
    others.filter(({ seat }) => lobby.ready.includes(seat) === ready).map(({ seat, player }) => (player === "person" ? seat : player)).join(", ");
  if (lobby.counting) {
    return <section class="get-ready counting" aria-label="Play begins"><Count key={lobby.seats.length} seconds={lobby.seconds_left ?? 0} /></section>;
  }
  const is = own !== "" && lobby.ready.includes(own);
  return (
    <section class="get-ready card" aria-labelledby="ready-title">
      <h2 id="ready-title">{is || !own ? "The clock runs when everybody is ready" : "Look around; the clock does not run yet"}</h2>
      <p class="soft small" role="status">
        {[called(true) && `Ready: ${called(true)}.`, called(false) && `Not yet: ${called(false)}.`].filter(Boolean).join(" ")}
      </p>
      <p class="row">
        {own && <button type="button" class="main" disabled={is} ref={button} onClick={() => session.ready()}>{is ? "You are ready" : "Ready"}</button>}
        {teaches && own && !is && !welcome.steps.length && <TutorialOffer id={welcome.tutorial} fresh />}
        {welcome.hosts && (is || !own) && <button type="button" onClick={() => session.begin()}>Begin now</button>}
      </p>
    </section>
  );
}

function Count({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setLeft(Math.max(0, seconds - (performance.now() - began) / 1000)), 100);
    return () => clearInterval(timer);
  }, [seconds]);
  return <b role="status" aria-live="assertive">{Math.max(1, Math.ceil(left))}</b>;
}
