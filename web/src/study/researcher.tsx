// The researcher's page while a study runs, at /researcher/NAME: who is where, how the games stand, what can be done about it.
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { register } from "../pages/registry";
import { Theme } from "../pages/header";
import { Dialog } from "../parts/dialog";
import { seatState } from "../parts/seats";
import { CardBoard } from "../scene/board";
import { MapPicture } from "../scene/map";
import { isMap } from "../scene/map_layout";
import { Picture } from "../scene/picture";
import { moment } from "../words";
import type { GameShown, Overview, Whereabouts } from "./supervision";
import { Watch } from "./watch";

const NOBODY: ReadonlySet<string> = new Set();

function ResearcherPage({ token }: { token: string }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const watch = useMemo(() => new Watch(location.pathname.replace(/\/+$/, ""), token, () => redraw(0)), [token]);
  useEffect(() => {
    watch.open();
    return () => watch.close();
  }, [watch]);
  const { link, overview, games, answer, why } = watch.state;
  useEffect(() => {
    document.title = overview ? `${underWay(overview).length} under way: ${overview.title}` : "The researcher's page";
  }, [overview]);
  if (link === "closed" || !overview) {
    return <main class="frame narrow"><h1>The researcher’s page</h1>{why ? <p role="alert">{why}</p> : <p role="status">Connecting …</p>}</main>;
  }
  return (
    <>
      {link === "lost" && <p class="banner" role="status">The connection is lost. Trying again; what is shown may be old.</p>}
      <main class="frame-wide researcher">
        <header class="row">
          <div class="grow"><h1>{overview.title}</h1><p class="soft small">The researcher’s page: its link is yours alone.</p></div>
          <Theme />
        </header>
        <Numbers overview={overview} games={games.size} />
        <p class={answer?.wrong ? "notice" : "soft"} role="status">{answer?.words ?? ""}</p>
        <People overview={overview} watch={watch} />
        <section aria-labelledby="games-title">
          <h2 id="games-title">Games</h2>
          {games.size ? <ul class="miniatures">{[...games.values()].map((game) => <Miniature key={game.game} shown={game} />)}</ul> : <p class="soft">No game is running.</p>}
        </section>
        <Flow overview={overview} />
      </main>
    </>
  );
}

const underWay = (overview: Overview): Whereabouts[] => overview.people.filter((one) => !one.ended);

function Numbers({ overview, games }: { overview: Overview; games: number }) {
  const here = underWay(overview);
  const numbers: [string, number][] = [
    ["under way", here.length],
    ["connected", here.filter((one) => one.pages).length],
    ["waiting for a game", here.filter((one) => one.waits).length],
    ["looking elsewhere", here.filter((one) => one.away).length],
    ["games now", games],
  ];
  return <dl class="numbers">{numbers.map(([name, number]) => <div key={name}><dt>{name}</dt><dd>{number}</dd></div>)}</dl>;
}

function People({ overview, watch }: { overview: Overview; watch: Watch }) {
  const [doing, setDoing] = useState<{ what: "write" | "drop"; whom: string } | null>(null);
  const groups = overview.people.some((one) => one.group);
  return (
    <section class="card" aria-labelledby="people-title">
      <div class="row">
        <h2 id="people-title" class="grow">Who is where</h2>
        <button type="button" onClick={() => setDoing({ what: "write", whom: "" })} disabled={!underWay(overview).length}>Message to all</button>
        <button type="button" onClick={() => watch.say({ kind: "recruit", open: overview.closed })}>{overview.closed ? "Let new people in" : "Let nobody new in"}</button>
      </div>
      {overview.closed && <p class="notice">Nobody new is let in; who is under way goes on.</p>}
      {overview.people.length === 0 ? <p class="soft">Nobody has come yet.</p> : (
        <table class="people">
          <thead><tr><th>Participant</th>{groups && <th>Group</th>}<th>Where</th><th>Since</th><th>Page</th><th>Round trip</th><th>Plays</th><th><span class="unseen">What can be done</span></th></tr></thead>
          <tbody>
            {overview.people.map((one) => <Person key={one.participant} one={one} groups={groups} on={(what) => setDoing({ what, whom: one.participant })} />)}
          </tbody>
        </table>
      )}
      {overview.more > 0 && <p class="soft">{overview.more} more.</p>}
      {doing && <Doing {...doing} watch={watch} onClose={() => setDoing(null)} />}
    </section>
  );
}

const ENDS: Readonly<Record<string, string>> = { complete: "finished", dropped: "taken out", unmatched: "nobody to play with" };

function Person({ one, groups, on }: { one: Whereabouts; groups: boolean; on: (what: "write" | "drop") => void }) {
  const page = one.ended ? "" : !one.pages ? "not connected" : one.away ? "looks elsewhere" : "looks at it";
  const look = one.ended ? "over" : !one.pages ? "gone" : one.away ? "away" : "here";
  return (
    <tr class={look}>
      <th scope="row">{one.participant}</th>
      {groups && <td data-name="Group">{one.group || "–"}</td>}
      <td data-name="Where">
        {one.ended ? `${ENDS[one.ended] ?? one.ended}, at ` : ""}{one.part}
        <span class="soft"> part {one.position}{one.parts ? ` of ${one.parts}` : ""}{one.condition && `, ${one.condition}`}</span>
      </td>
      <td data-name="Since">{lasted(one.seconds)}</td>
      <td data-name="Page">{page && <><i class="sign" aria-hidden="true" />{page}</>}</td>
      <td data-name="Round trip">{one.round_trip === null || one.ended ? "–" : `${Math.round(one.round_trip * 1000)} ms`}</td>
      <td data-name="Plays">{one.waits ? "waits" : !one.game ? "–" : one.stands_in ? <b>{one.stands_in} stands in</b> : "plays"}</td>
      <td class="does">
        {!one.ended && (
          <>
            <button type="button" class="quiet" onClick={() => on("write")} aria-label={`Message to ${one.participant}`}>Message{one.unread > 0 && ` (${one.unread} unread)`}</button>
            <button type="button" class="quiet" onClick={() => on("drop")} aria-label={`Take out ${one.participant}`}>Take out</button>
          </>
        )}
      </td>
    </tr>
  );
}

function lasted(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A message to write, or somebody to take out. */
function Doing({ what, whom, watch, onClose }: { what: "write" | "drop"; whom: string; watch: Watch; onClose: () => void }) {
  const [text, setText] = useState("");
  const writes = what === "write";
  const title = writes ? `Message to ${whom || "all who are under way"}` : `Take out ${whom}`;
  const go = (event: Event): void => {
    event.preventDefault();
    if (text.trim() && watch.say(writes ? { kind: "write", text, to: whom } : { kind: "drop", participant: whom, reason: text })) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={go}>
        <p class="soft">{writes
          ? "It stays on top of their page until they say that they have read it."
          : "They are shown the end of the study and cannot come back. Their data stay, with the reason; a stand-in plays on with their partners."}</p>
        <label>
          <span>{writes ? "Message" : "Reason"}</span>
          <textarea rows={writes ? 4 : 2} maxLength={writes ? 1000 : 300} value={text} onInput={(event) => setText(event.currentTarget.value)} required />
        </label>
        <p class="row"><button type="submit" class={writes ? "main" : "danger"}>{writes ? "Send" : "Take out"}</button></p>
      </form>
    </Dialog>
  );
}

/** A running game, small: as it is drawn everywhere, with nothing to point at. */
function Miniature({ shown: { frame, part, condition, unit, seats, people } }: { shown: GameShown }) {
  const { scene } = frame;
  const Drawn = scene && isMap(scene) ? MapPicture : Picture;
  return (
    <li class="card">
      <h3>{part}{condition && `, ${condition}`} <span class="soft">{moment(frame.time, unit)}</span></h3>
      <div class="miniature" inert>
        {!scene ? <p class="plain-text">{frame.text}</p> : scene.cards
          ? <CardBoard scene={scene} own={NOBODY} now={frame.time} events={frame.events} unit={unit} active={NOBODY} picked="" />
          : <Drawn scene={scene} own={NOBODY} />}
      </div>
      <ul class="small">
        {seats.map((seat) => <li key={seat.seat}><b>{seat.seat}</b> {people[seat.seat] ?? seat.player} <span class="soft">{seatState(seat)}</span></li>)}
      </ul>
    </li>
  );
}

/** The flow of participants so far. */
function Flow({ overview: { columns, flow } }: { overview: Overview }) {
  return (
    <section class="card" aria-labelledby="flow-title">
      <h2 id="flow-title">Flow</h2>
      <p class="soft small">People, with their games in brackets; the same table as that of the analysis.</p>
      <table class="flow">
        <thead><tr>{columns.map((column) => <th key={column} scope="col">{column || <span class="unseen">Step</span>}</th>)}</tr></thead>
        <tbody>
          {flow.map(([step, ...cells]) => (
            <tr key={step}><th scope="row" class={step?.startsWith(" ") ? "part" : ""}>{step?.trim()}</th>{cells.map((cell, index) => <td key={index}>{cell}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

register("researcher", ResearcherPage);
