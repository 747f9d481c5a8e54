// The end of a game: how good it was, and what is played next.
import { useEffect, useRef, useState } from "preact/hooks";
import { download, openGame, playAgain, Unconfirmed } from "../api";
import { gameOf, keep } from "../kept";
import { Changes } from "../parts/changes";
import { address, CopyLink } from "../parts/host";
import { LessonCard, useLesson } from "../parts/lesson";
import type { Again, GamePlan, Opened } from "../protocol";
import type { Session } from "../session";
import { ending, moment, spoken } from "../words";

/** Goes to a game that was opened, which this browser keeps. */
function enter(opened: Opened, plan: GamePlan, title: string, seat: string): void {
  keep({ opened, plan, title, at: Date.now(), seat });
  location.href = address("play", opened.seats[seat] ?? opened.host);
  location.reload();
}

export function End({ session, token, own }: { session: Session; token: string; own: ReadonlySet<string> }) {
  const { over, welcome, frame } = session.state;
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const lesson = useLesson(token, over?.lesson ?? false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  if (!over || !welcome) return null;
  const kept = gameOf(token);
  const opening = async (open: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setTrouble("");
    try {
      await open();
    } catch (error) {
      setBusy(false);
      if (error instanceof Unconfirmed && kept) setUnconfirmed(error);
      else setTrouble((error as Error).message);
    }
  };
  const whole = (agreed: boolean): Promise<void> => opening(async () => {
    if (kept) enter(await openGame({ ...kept.plan, agreed }), kept.plan, kept.title, kept.seat);
  });
  const after = (wanted: Again): Promise<void> => opening(async () => {
    const { opened, plan, seat, title } = await playAgain(token, wanted);
    enter(opened, plan, title, seat);
  });
  const may = lesson.told?.again ?? false;
  const bodies = frame?.scene?.bodies?.map((body) => body.name) ?? [...own];
  return (
    <>
      <section class="card end" aria-labelledby="end-title">
        <h2 id="end-title" ref={heading} tabIndex={-1}>{over.status === "ended" ? "It is over" : `The game was ${over.status}`}</h2>
        <p class="lead">{ending(over.reason)}{frame && <span class="soft">{`, at ${moment(frame.time, welcome.time_unit)}`}</span>}</p>
        {over.why && <p class="news refused">{over.why}</p>}
        <dl class="numbers">
          {Object.entries(over.numbers).map(([name, value]) => (
            <div key={name}><dt>{spoken(name)}</dt><dd>{Number.isInteger(value) ? value : value.toFixed(2)}</dd></div>
          ))}
        </dl>
        <p class="row">
          {(kept || (over.lesson && welcome.role !== "onlooker")) && (
            <button type="button" class="main" disabled={busy} onClick={() => void (kept ? whole(false) : after({}))}>Play again</button>
          )}
          {may && lesson.told?.next && <button type="button" disabled={busy} onClick={() => void after({ scenario: lesson.told!.next })}>Next scenario</button>}
          {may && lesson.told?.harder && <button type="button" disabled={busy} onClick={() => void after({ scenario: lesson.told!.harder })}>A harder one</button>}
          {over.record && (
            <button
              type="button"
              onClick={() => {
                setTrouble("");
                download(welcome.hosts && kept ? kept.opened.host : token, welcome.game).catch((error: Error) => setTrouble(error.message));
              }}
            >Download the record</button>
          )}
          <a class="button" href="/">To the games</a>
        </p>
        {kept && welcome.watched && kept.opened.watch && <CopyLink label="Link to look at this game again" link={address("watch", kept.opened.watch)} />}
        {unconfirmed && <Changes unconfirmed={unconfirmed} busy={busy} onAgree={() => void whole(true)} onCancel={() => setUnconfirmed(null)} />}
        {trouble && <p class="news refused" role="alert">{trouble}</p>}
      </section>
      {over.lesson && !lesson.told && <p class="soft" role="status">{lesson.why ? `There is no lesson: ${lesson.why}` : "Looking how good it was …"}</p>}
      {lesson.told && <LessonCard told={lesson.told} bodies={bodies} busy={busy} onFrom={may ? (step) => void after({ step }) : null} />}
    </>
  );
}
