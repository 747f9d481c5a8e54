// The head of a game's page: what is played, who plays, when it is; help, colours, what the host can do, the way out.
import { useEffect, useState } from "preact/hooks";
import type { ScenarioTold } from "../api";
import { type KeptGame, keepTheme, keepVolume, keptVolume } from "../kept";
import { useOffers } from "../offers";
import { Breakable } from "../parts/breakable";
import { Dialog, Plain } from "../parts/dialog";
import { Host } from "../parts/host";
import { Seats } from "../parts/seats";
import { Sign } from "../parts/sign";
import { Typed } from "../parts/typed";
import type { Session } from "../session";
import { play } from "../sound";
import { moment } from "../words";

export function Header({ session, kept, scenario }: { session: Session; kept: KeptGame | undefined; scenario: ScenarioTold | null }) {
  const { welcome, frame, seats, over, links, lobby } = session.state;
  const [open, setOpen] = useState<"" | "help" | "host" | "leave">("");
  useEffect(() => {
    const ask = (): void => setOpen("help");
    document.addEventListener("backburner-help", ask);
    return () => document.removeEventListener("backburner-help", ask);
  }, []);
  if (!welcome) return null;
  const mine = seats.find((seat) => seat.seat === welcome.seat);
  const close = (): void => setOpen("");
  return (
    <header class="top">
      <a class="home" href="/" aria-label="Backburner: to the games"><Logo /></a>
      <div class="what">
        <h1><Breakable text={welcome.title} /></h1>
        <Typed id={welcome.scenario} />
        {frame && <span class="time">{moment(frame.time, welcome.time_unit)}</span>}
      </div>
      {(!lobby || frame) && <Seats seats={seats} own={welcome.seat} />}
      <nav aria-label="This game">
        <button type="button" class="quiet" onClick={() => setOpen("help")} aria-keyshortcuts="?">Help</button>
        {welcome.hosts && <button type="button" class="quiet" onClick={() => setOpen("host")}>Host</button>}
        {welcome.role === "player" && !over && (mine?.stands_in
          ? <button type="button" class="main" onClick={() => session.back()}>Play again</button>
          : <button type="button" class="quiet" onClick={() => setOpen("leave")}>Leave</button>)}
        <Sounds />
        <Theme />
      </nav>
      {open === "help" && (
        <Dialog title="How this is played" onClose={close}>
          <Keys session={session} />
          {welcome.help && <Plain text={welcome.help} />}
          <h3>The whole task</h3>
          <Plain text={welcome.briefing} />
        </Dialog>
      )}
      {open === "host" && (
        <Dialog title="You are the host" onClose={close}>
          <Host session={session} seats={seats} kept={kept} links={links} own={welcome.seat} watched={welcome.watched} over={over !== null} scenario={scenario} />
        </Dialog>
      )}
      {open === "leave" && (
        <Dialog title="Leave the game?" onClose={close}>
          <p>{`${welcome.stand_in || "An agent"} plays on for you. You can come back by the same link as long as the game goes on.`}</p>
          <p class="row">
            <button
              type="button" class="danger" onClick={() => {
                session.leave();
                close();
              }}
            >Leave</button>
            <button type="button" class="main" onClick={close}>Stay</button>
          </p>
        </Dialog>
      )}
    </header>
  );
}

export function Logo() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" class="logo">
      <rect width="32" height="32" rx="8" />
      <circle cx="16" cy="16" r="9" />
      <circle cx="16" cy="16" r="3.6" />
    </svg>
  );
}

const FIRST_VOLUME = 0.5;

/** Sounds on and off, and how loud they are. */
export function Sounds() {
  const { switched } = useOffers();
  const [volume, setVolume] = useState(keptVolume);
  const on = volume > 0;
  const turn = (to: number): void => {
    keepVolume(to);
    setVolume(to);
    play("done");
    if (to > 0 !== on) switched("sound", to > 0);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => turn(on ? 0 : FIRST_VOLUME)} aria-pressed={on} aria-label="Sounds" title={on ? "Sounds are on" : "Sounds are off"}>
        <Sign of={on ? "loud" : "silent"} />
      </button>
      {on && <input class="volume" type="range" min="0.1" max="1" step="0.1" value={volume} aria-label="Volume of sounds" onChange={(event) => turn(Number(event.currentTarget.value))} />}
    </>
  );
}

/** Whether the page is in dark colours. */
export const dark = (): boolean =>
  (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export function Theme() {
  const [is, setIs] = useState(dark);
  const { switched } = useOffers();
  const turn = (): void => {
    const theme = is ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    keepTheme(theme);
    setIs(!is);
    switched("theme", !is);
  };
  return <button type="button" class="quiet" onClick={turn} aria-label={is ? "Light colours" : "Dark colours"} title={is ? "Light colours" : "Dark colours"}><Sign of={is ? "sun" : "moon"} /></button>;
}

function Keys({ session }: { session: Session }) {
  const controls = session.state.welcome?.controls;
  const keys = new Map<string, string[]>();
  for (const action of controls?.keyboard_actions ?? []) {
    const key = action.input_instructions.key;
    keys.set(key, [...(keys.get(key) ?? []), action.name]);
  }
  return (
    <dl class="keys-list">
      {[...keys].map(([key, names]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{[...new Set(names)].join(", ")}</dd></div>)}
      <div><dt><kbd>1</kbd>…<kbd>9</kbd></dt><dd>the move of that number</dd></div>
      <div><dt><kbd>/</kbd></dt><dd>search the moves, or type one</dd></div>
      <div><dt><kbd>←</kbd><kbd>↑</kbd><kbd>→</kbd><kbd>↓</kbd></dt><dd>from thing to thing in the kitchen (after Tab), <kbd>Enter</kbd> opens what can be done there</dd></div>
      {session.state.welcome?.live ? (
        <>
          <div><dt>click</dt><dd>on a place: the one sensible thing there, where there is just one</dd></div>
          <div><dt>right click</dt><dd>or the menu key, or a finger that stays: all that can be done there</dd></div>
        </>
      ) : <div><dt>click</dt><dd>on a place or somebody: what can be done there; again: the first of it</dd></div>}
      <div><dt><kbd>?</kbd></dt><dd>this help</dd></div>
    </dl>
  );
}
