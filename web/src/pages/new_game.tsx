// A new game: which world, which scenario, who plays, and how.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { CHAT, type Named, type OffersTold, openGame, type Pick, scenario, scenarios, type ScenarioTold, Unconfirmed } from "../api";
import { keep, keepName, keptName } from "../kept";
import { Changes } from "../parts/changes";
import { Typed } from "../parts/typed";
import { address } from "../parts/host";
import { BestSoFar } from "../parts/records";
import type { GamePlan, Wanted } from "../protocol";
import { TutorialOffer } from "../parts/tutorial";
import { amount, spoken } from "../words";

/** Who sits at a seat, as it is chosen here: `me`, `friend`, `agent NAME`, `model NAME`. */
export type Sitting = string;

export function wantedOf(sitting: Sitting, method: string, name: string): Wanted {
  const [kind, ...rest] = sitting.split(" ");
  if (kind === "agent") return { kind: "agent", name: rest.join(" "), model: "" };
  if (kind === "model") return { kind: "model", name: method, model: rest.join(" ") };
  return { kind: "person", name: kind === "me" ? name : "", model: "" };
}

/** At first one sits at the first seat, and the usual agent everywhere else. */
export function firstSeating(told: ScenarioTold): Record<string, Sitting> {
  return Object.fromEntries(told.seats.map((seat, index) => [
    seat, index === 0 && told.people ? "me" : told.agents.length ? `agent ${told.stand_in || told.agents[0]!.name}` : "friend",
  ]));
}

export function NewGame({ offers, chosen }: { offers: OffersTold; chosen: string }) {
  const worlds = offers.worlds.filter((world) => !world.trouble && (world.picks.length || world.suites.length));
  const [world, setWorld] = useState(worlds[0]?.name ?? "");
  const told = worlds.find((one) => one.name === world);
  const [id, setId] = useState("");
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!chosen) return;
    setWorld(chosen.split("/")[0]!);
    setId(chosen);
    section.current?.scrollIntoView();
  }, [chosen]);
  return (
    <section ref={section} class="new-game" aria-labelledby="new-game">
      <h2 id="new-game">A new game</h2>
      <fieldset class="worlds">
        <legend>World</legend>
        <div class="tiles">
          {worlds.map((one) => (
            <label key={one.name} class={one.name === world ? "tile-card on" : "tile-card"}>
              <input
                type="radio" name="world" value={one.name} checked={one.name === world} onChange={() => {
                  setWorld(one.name);
                  setId("");
                }}
              />
              <b>{titleOf(one.title || one.name)[0]}</b>
              {titleOf(one.title)[1] && <span class="soft small">{titleOf(one.title)[1]}</span>}
              <span class="soft small">{amount(one.suites.reduce((sum, suite) => Math.max(sum, suite.scenarios), one.picks.length), "scenario")}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {told?.tutorial && <p class="row"><TutorialOffer id={told.tutorial} /></p>}
      {told && <Scenarios key={told.name} world={told} id={id} onId={setId} />}
      {id && <Seating id={id} offers={offers} onId={setId} />}
    </section>
  );
}

/** A title, and what it has in brackets at its end. */
function titleOf(title: string): [string, string] {
  const parts = /^(.*\S)\s*\(([^()]*)\)$/.exec(title);
  return parts ? [parts[1]!, parts[2]!] : [title, ""];
}

function Scenarios({ world, id, onId }: { world: OffersTold["worlds"][number]; id: string; onId: (id: string) => void }) {
  const [suite, setSuite] = useState("");
  const [found, setFound] = useState<Pick[]>([]);
  const [search, setSearch] = useState("");
  const [trouble, setTrouble] = useState("");
  const list = useId();
  useEffect(() => {
    if (!suite) return;
    let gone = false;
    scenarios(suite).then((told) => !gone && setFound(told), (error: Error) => setTrouble(error.message));
    return () => {
      gone = true;
    };
  }, [suite]);
  useEffect(() => {
    if (!id && world.picks[0]) onId(world.picks[0].name);
  }, [id, world, onId]);
  const short = (full: string): string => full.replace(`${world.name}/`, "");
  return (
    <fieldset class="scenarios">
      <legend>Scenario</legend>
      <div class="picks">
        {world.picks.map((pick) => (
          <label key={pick.name} class={pick.name === id ? "pick on" : "pick"}>
            <input type="radio" name="scenario" value={pick.name} checked={pick.name === id} onChange={() => onId(pick.name)} />
            <span><b>{pick.title || short(pick.name)}</b>{pick.about && <span class="soft small">{pick.about}</span>}<Typed id={pick.name} /></span>
          </label>
        ))}
      </div>
      <details open={!world.picks.length}>
        <summary>All scenarios</summary>
        <div class="row">
          <label>
            <span>Suite</span>
            <select value={suite} onChange={(event) => setSuite(event.currentTarget.value)}>
              <option value="">choose …</option>
              {world.suites.map((one) => <option key={one.id} value={one.id}>{`${short(one.id)} (${one.scenarios})`}</option>)}
            </select>
          </label>
          <label class="grow">
            <span>{found.length ? `One of its ${found.length}` : "Or an id"}</span>
            <input
              list={list} value={search} placeholder={`${world.name}/…`} autocomplete="off" spellcheck={false}
              onInput={(event) => setSearch(event.currentTarget.value)}
              onChange={(event) => event.currentTarget.value.trim() && onId(event.currentTarget.value.trim())}
            />
            <datalist id={list}>{found.slice(0, 500).map((one) => <option key={one.name} value={one.name} label={one.title} />)}</datalist>
          </label>
        </div>
        {trouble && <p class="news refused" role="alert">{trouble}</p>}
      </details>
    </fieldset>
  );
}

function Seating({ id, offers, onId }: { id: string; offers: OffersTold; onId: (id: string) => void }) {
  const [told, setTold] = useState<ScenarioTold | null>(null);
  const [toldOf, setToldOf] = useState("");
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let gone = false;
    setTrouble("");
    scenario(id).then((found) => {
      if (gone) return;
      setTold(found);
      setToldOf(id);
    }, (error: Error) => !gone && setTrouble(error.message));
    return () => {
      gone = true;
    };
  }, [id]);
  if (trouble) return <p class="news refused" role="alert">{trouble}</p>;
  // The choice of the pace stays while the other scenario comes, and has the focus afterwards as before.
  return (
    <>
      {told && <Pace told={told} onId={onId} />}
      {told && <Place told={told} elsewhere={offers.elsewhere} onId={onId} />}
      {told && toldOf === id ? <Form key={told.id} told={told} offers={offers} /> : <p class="soft" role="status">Setting the table …</p>}
    </>
  );
}

/** Whether the game waits for decisions or the clock goes on, where the same scenario has both. */
export function Pace({ told, onId }: { told: ScenarioTold; onId: (id: string) => void }) {
  if (!told.other_pace) return null;
  const ways = { clock: "by the clock: time passes while you think", turns: "turn by turn: time waits for you" };
  return (
    <fieldset class="pace">
      <legend>Time</legend>
      {(["clock", "turns"] as const).map((way) => (
        <label key={way} class="check">
          <input type="radio" name="pace" value={way} checked={way === told.pace} onChange={() => way !== told.pace && onId(told.other_pace)} />
          <span>{ways[way]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Whether the game is played here alone or carried out on a server, where there is one for it. */
export function Place({ told, elsewhere, onId }: { told: ScenarioTold; elsewhere: string; onId: (id: string) => void }) {
  if (!told.other_place || !elsewhere) return null;
  const ways: [boolean, string][] = [[false, "here: what the rules say is what happens"], [true, `on ${elsewhere}: bots carry it out, and what is seen there happens`]];
  return (
    <fieldset class="pace">
      <legend>Place</legend>
      {ways.map(([reported, words]) => (
        <label key={words} class="check">
          <input type="radio" name="place" checked={reported === told.reported} onChange={() => reported !== told.reported && onId(told.other_place)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface How {
  pace: string;
  beat: string;
  strict: boolean;
  watch: boolean;
  standIn: string;
  away: string;
  wait: string;
  seed: string;
  rules: string;
  limits: string;
}

function Form({ told, offers }: { told: ScenarioTold; offers: OffersTold }) {
  const [name, setName] = useState(keptName);
  const [seats, setSeats] = useState(() => firstSeating(told));
  const [methods, setMethods] = useState<Record<string, string>>({});
  const [how, setHow] = useState<How>({
    pace: "", beat: "0.7", strict: false, watch: true, standIn: told.stand_in, away: "30", wait: "", seed: "0",
    rules: told.rules.includes("standard") ? "standard" : (told.rules[0] ?? ""), limits: told.limits.includes("article") ? "article" : (told.limits[0] ?? ""),
  });
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const mine = told.seats.find((seat) => seats[seat] === "me") ?? "";
  const friends = told.seats.filter((seat) => seats[seat] === "friend").length;

  // The usual method is the first.
  const methodOf = (seat: string): string => methods[seat] ?? offers.methods[0]?.name ?? "";
  const sit = (seat: string, sitting: Sitting): void =>
    // There is one of me: where I sit down I leave the seat where I was.
    setSeats(Object.fromEntries(told.seats.map((one) => {
      if (one === seat) return [one, sitting];
      return [one, sitting === "me" && seats[one] === "me" ? "friend" : seats[one]!];
    })));
  const set = (change: Partial<How>): void => setHow({ ...how, ...change });
  const number = (text: string): number | null => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : null);

  const open = async (agreed: boolean): Promise<void> => {
    setBusy(true);
    setTrouble("");
    keepName(name.trim());
    const plan: GamePlan = {
      scenario: told.id,
      players: Object.fromEntries(told.seats.map((seat) => [seat, wantedOf(seats[seat] ?? "", methodOf(seat), name.trim())])),
      rules: how.rules, limits: how.limits, seed: number(how.seed) ?? 0, strict: how.strict, watch: how.watch,
      stand_in: how.standIn, lobby_seconds: number(how.wait), pace_seconds: number(how.pace), away_seconds: number(how.away) ?? 30,
      beat_seconds: number(how.beat) ?? 0,
    };
    try {
      const opened = await openGame({ ...plan, agreed });
      keep({ opened, plan, title: told.title, at: Date.now(), seat: mine });
      location.href = mine ? address("play", opened.seats[mine] ?? opened.host) : address("play", opened.host);
    } catch (error) {
      if (error instanceof Unconfirmed) setUnconfirmed(error);
      else setTrouble((error as Error).message);
      setBusy(false);
    }
  };

  return (
    <form
      class="seating" onSubmit={(event) => {
        event.preventDefault();
        void open(false);
      }}
    >
      <h3>{told.title}<Typed id={told.id} /></h3>
      <p class="goal"><b>Goal</b> {spoken(told.goal || told.title)}</p>
      <BestSoFar id={told.id} />
      <fieldset>
        <legend>Who plays</legend>
        <ul class="chairs">
          {told.seats.map((seat) => (
            <Chair
              key={seat} told={told} offers={offers} seat={seat} sitting={seats[seat] ?? ""} method={methodOf(seat)}
              onSitting={(sitting) => sit(seat, sitting)} onMethod={(method) => setMethods({ ...methods, [seat]: method })}
            />
          ))}
        </ul>
      </fieldset>
      <details class="how">
        <summary>How it is played</summary>
        <div class="fields">
          <label><span>Seconds for each step</span><input inputMode="decimal" value={how.pace} placeholder="as long as it takes" onInput={(event) => set({ pace: event.currentTarget.value })} /></label>
          <label><span>Least seconds of agents for a step</span><input inputMode="decimal" value={how.beat} onInput={(event) => set({ beat: event.currentTarget.value })} /></label>
          <label>
            <span>Slips of the finger</span>
            <select value={how.strict ? "strict" : "friendly"} onChange={(event) => set({ strict: event.currentTarget.value === "strict" })}>
              <option value="friendly">are explained and cost nothing</option>
              <option value="strict">cost what they cost a model</option>
            </select>
          </label>
          <label>
            <span>Who stands in for somebody away</span>
            <select value={how.standIn} onChange={(event) => set({ standIn: event.currentTarget.value })}>
              {told.agents.map((agent) => <option key={agent.name} value={agent.name}>{agent.name}</option>)}
            </select>
          </label>
          <label><span>Seconds until the stand-in plays</span><input inputMode="decimal" value={how.away} onInput={(event) => set({ away: event.currentTarget.value })} /></label>
          <label><span>Seconds to wait for friends</span><input inputMode="decimal" value={how.wait} placeholder="as long as it takes" onInput={(event) => set({ wait: event.currentTarget.value })} /></label>
          <label><span>Seed of chance</span><input inputMode="numeric" value={how.seed} onInput={(event) => set({ seed: event.currentTarget.value })} /></label>
          <label>
            <span>Rules</span>
            <select value={how.rules} onChange={(event) => set({ rules: event.currentTarget.value })}>{told.rules.map((one) => <option key={one} value={one}>{spoken(one)}</option>)}</select>
          </label>
          <label>
            <span>Limits</span>
            <select value={how.limits} onChange={(event) => set({ limits: event.currentTarget.value })}>{told.limits.map((one) => <option key={one} value={one}>{spoken(one)}</option>)}</select>
          </label>
          <label class="check"><input type="checkbox" checked={how.watch} onChange={(event) => set({ watch: event.currentTarget.checked })} /><span>others may watch, by a link</span></label>
        </div>
      </details>
      <p class="row">
        {mine && <label class="grow"><span>Your name</span><input value={name} maxLength={40} autocomplete="nickname" placeholder="for the others" onInput={(event) => setName(event.currentTarget.value)} /></label>}
        <button type="submit" class="main" disabled={busy || unconfirmed !== null}>{busy ? "Opening …" : mine ? "Play" : friends ? "Open the game" : "Watch them play"}</button>
      </p>
      {friends > 0 && <p class="soft small">{`On the next page ${friends === 1 ? "is the link for your friend" : `are the links for your ${friends} friends`}.`}</p>}
      {unconfirmed && <Changes unconfirmed={unconfirmed} busy={busy} onAgree={() => void open(true)} onCancel={() => setUnconfirmed(null)} />}
      {trouble && <p class="news refused" role="alert">{trouble}</p>}
    </form>
  );
}

interface ChairProps {
  told: ScenarioTold;
  offers: OffersTold;
  seat: string;
  sitting: Sitting;
  method: string;
  onSitting: (sitting: Sitting) => void;
  onMethod: (method: string) => void;
}

/** Who decides for a seat; of a model also how it is asked. */
export function Chair({ told, offers, seat, sitting, method, onSitting, onMethod }: ChairProps) {
  return (
    <li>
      <b>{seat}</b>
      <label>
        <span class="unseen">{`Who plays ${seat}`}</span>
        <select value={sitting} onChange={(event) => onSitting(event.currentTarget.value)}>
          {told.people && <option value="me">me</option>}
          {told.people && <option value="friend">a friend, by a link</option>}
          {told.chat === seat && <option value={`agent ${CHAT}`}>chat on the server</option>}
          <optgroup label="Agents">
            {told.agents.map((agent) => <option key={agent.name} value={`agent ${agent.name}`}>{agent.name}</option>)}
          </optgroup>
          {told.models && offers.models.length > 0 && (
            <optgroup label="Models">
              {offers.models.map((model) => <option key={model.name} value={`model ${model.name}`}>{model.name}</option>)}
            </optgroup>
          )}
        </select>
      </label>
      {sitting.startsWith("model ") && (
        <label>
          <span class="unseen">{`How ${seat} is asked`}</span>
          <select value={method} onChange={(event) => onMethod(event.currentTarget.value)}>
            {offers.methods.map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}
          </select>
        </label>
      )}
      <span class="soft small about">{note(sitting, method, told, offers)}</span>
    </li>
  );
}

function note(sitting: Sitting, method: string, told: ScenarioTold, offers: OffersTold): string {
  const [kind, ...rest] = sitting.split(" ");
  const about = (list: readonly Named[], name: string): string => list.find((one) => one.name === name)?.about ?? "";
  if (sitting === `agent ${CHAT}` && told.chat) return `what persons say in the chat of ${offers.elsewhere}`;
  if (kind === "agent") return about(told.agents, rest.join(" "));
  if (kind === "model") return [about(offers.models, rest.join(" ")), about(offers.methods, method)].filter(Boolean).join("; ");
  return "";
}
