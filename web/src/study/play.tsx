// A game of a study: the same board as everywhere, without what leads out of the study.
import { useEffect, useMemo } from "preact/hooks";
import { type Offer, OffersOf } from "../offers";
import { Plain } from "../parts/dialog";
import { Board } from "../pages/board";
import { LessonCard, useLesson } from "../parts/lesson";
import { GetReady } from "../parts/ready";
import { Confirmation, gathered, useOwn, useSession } from "../pages/game";
import { dark, Sounds, Theme } from "../pages/header";
import { Coloured } from "../scene/hues";
import { useSounds } from "../sound";
import { Notices } from "./notices";
import type { Game } from "./protocol";
import type { Session } from "./session";
import type { Shown } from "./stages";

export function PlayStage({ session, stage, words, read }: Shown) {
  if (!stage.game) return <p role="status">{words.waiting_game}</p>;
  return <Seated key={stage.game.token} study={session} position={stage.position} game={stage.game} words={words} read={read} />;
}

interface SeatedProps extends Pick<Shown, "words" | "read"> {
  study: Session;
  position: number;
  game: Game;
}

function Seated({ study, position, game, words, read }: SeatedProps) {
  const session = useSession(game.token);
  const notices = useNotices(study, position, game);
  session.observer = notices;
  const offers = useMemo(() => ({ has: (what: Offer) => game.offers.includes(what), switched: (what: Offer, on: boolean) => notices.switched(what, on) }), [notices]);
  const { welcome, frame, over, closed, link, lobby } = session.state;
  const own = useOwn(session.state);
  const lesson = useLesson(game.token, over?.lesson ?? false);
  useSounds(offers.has("sound") ? frame : null, offers.has("sound") ? lobby : null, own);
  if (closed && !closed.again) return <p class="notice" role="alert">{closed.why}</p>;
  if (!welcome) return <p role="status">{words.connecting}</p>;
  return (
    <OffersOf value={offers}>
      <div class="study-game" lang="en" dir="ltr">
        {link === "lost" && <p class="banner" role="status">{words.lost}</p>}
        {over && <p class="notice" role="status">{words.play_over}</p>}
        {lesson.told && <LessonCard told={lesson.told} bodies={frame?.scene?.bodies?.map((body) => body.name) ?? [...own]} onFrom={null} busy={false} />}
        {read && <p class="go"><button type="button" class="main" onClick={read}>{words.next}</button></p>}
        {(offers.has("sound") || offers.has("theme")) && <p class="tools">{offers.has("sound") && <Sounds />}{offers.has("theme") && <Theme />}</p>}
        <GetReady session={session} />
        {frame && gathered(session.state) ? <Coloured state={session.state}><Board session={session} own={own} /></Coloured> : <p role="status">{words.waiting_game}</p>}
        {offers.has("help") && (
          <details class="card" onToggle={(event) => offers.switched("help", event.currentTarget.open)}>
            <summary>How this is played</summary>
            {welcome.help && <Plain text={welcome.help} />}
            <Plain text={welcome.briefing} />
          </details>
        )}
        <Confirmation session={session} />
      </div>
    </OffersOf>
  );
}

/** Notices what the participant does in a game, as long as its page is there. */
function useNotices(study: Session, position: number, game: Game): Notices {
  const notices = useMemo(() => new Notices({
    now: () => performance.now(),
    later: (work, milliseconds) => window.setTimeout(work, milliseconds),
    ping: () => study.measure(),
    send: (decisions, changes) => study.notice(position, decisions, changes),
  }), [study, position, game.token]);
  useEffect(() => {
    const pointed = (event: PointerEvent): void => notices.acts(event.pointerType === "touch" || event.pointerType === "pen" ? event.pointerType : "mouse");
    const pressed = (): void => notices.acts("key");
    const left = (): void => notices.looks(false);
    const back = (): void => notices.looks(true);
    const seen = (): void => notices.looks(document.visibilityState === "visible" && document.hasFocus());
    document.addEventListener("pointerdown", pointed, true);
    document.addEventListener("keydown", pressed, true);
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("blur", left);
    window.addEventListener("focus", back);
    notices.switched("theme", dark());
    const stop = study.measuring((milliseconds) => notices.tripped(milliseconds));
    return () => {
      document.removeEventListener("pointerdown", pointed, true);
      document.removeEventListener("keydown", pressed, true);
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("blur", left);
      window.removeEventListener("focus", back);
      stop();
      notices.flush();
    };
  }, [study, notices]);
  return notices;
}
