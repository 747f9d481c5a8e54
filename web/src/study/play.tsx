// A game of a study: the same board as everywhere, without what leads out of the study.
import { Plain } from "../parts/dialog";
import { Board } from "../pages/board";
import { GetReady } from "../parts/ready";
import { Confirmation, gathered, useOwn, useSession } from "../pages/game";
import { Coloured } from "../scene/hues";
import type { Shown } from "./stages";

export function PlayStage({ stage, words }: Shown) {
  return stage.game ? <Seated key={stage.game.token} token={stage.game.token} words={words} /> : <p role="status">{words.waiting_game}</p>;
}

function Seated({ token, words }: { token: string; words: Record<string, string> }) {
  const session = useSession(token);
  const { welcome, frame, over, closed, link } = session.state;
  const own = useOwn(session.state);
  if (closed && !closed.again) return <p class="notice" role="alert">{closed.why}</p>;
  if (!welcome) return <p role="status">{words.connecting}</p>;
  return (
    <div class="study-game" lang="en" dir="ltr">
      {link === "lost" && <p class="banner" role="status">{words.lost}</p>}
      {over && <p class="notice" role="status">{words.play_over}</p>}
      <GetReady session={session} />
      {frame && gathered(session.state) ? <Coloured state={session.state}><Board session={session} own={own} /></Coloured> : <p role="status">{words.waiting_game}</p>}
      <details class="card">
        <summary>How this is played</summary>
        {welcome.help && <Plain text={welcome.help} />}
        <Plain text={welcome.briefing} />
      </details>
      <Confirmation session={session} />
    </div>
  );
}
