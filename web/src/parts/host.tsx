// What the host of a game can do: links to hand out, players to replace, the game to begin and to end.
import { useState } from "preact/hooks";
import { CHAT, download, type ScenarioTold } from "../api";
import type { KeptGame } from "../kept";
import type { SeatTold } from "../protocol";
import type { Links, Session } from "../session";

/** The address of a page for this token; tokens stand behind the `#`, which no server or log is told. */
export const address = (page: "play" | "watch", token: string): string => `${location.origin}/${page}#${token}`;

export function CopyLink({ label, link }: { label: string; link: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      // Where the browser gives no clipboard the link can be marked by hand.
    }
  };
  return (
    <div class="link">
      <label>
        <span>{label}</span>
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>{copied ? "Copied" : "Copy"}</button>
    </div>
  );
}

interface HostProps {
  session: Session;
  seats: readonly SeatTold[];
  kept: KeptGame | undefined;
  links: Links;
  own: string;
  watched: boolean;
  over: boolean;
  scenario: ScenarioTold | null;
}

/** Links for friends and onlookers; what the server has renewed counts more than what this browser kept. */
export function FriendLinks({ seats, kept, links, own, watched }: Omit<HostProps, "session" | "over" | "scenario">) {
  const friends = seats.filter((seat) => seat.kind === "person" && seat.seat !== own);
  const token = (seat: string): string => links[seat] ?? kept?.opened.seats[seat] ?? "";
  const watch = links[""] ?? kept?.opened.watch ?? "";
  return (
    <>
      {friends.filter((seat) => token(seat.seat)).map((seat) => (
        <CopyLink key={seat.seat} label={`Link for ${seat.seat}${seat.player && seat.player !== seat.kind ? ` (${seat.player})` : ""}`} link={address("play", token(seat.seat))} />
      ))}
      {watched && watch && <CopyLink label="Link to watch" link={address("watch", watch)} />}
    </>
  );
}

export function Host(props: HostProps) {
  const { session, seats, kept, scenario, over } = props;
  const [ending, setEnding] = useState(false);
  const [trouble, setTrouble] = useState("");
  return (
    <div class="host">
      <FriendLinks {...props} />
      {!over && (
        <ul class="replacing">
          {seats.filter((seat) => !scenario || scenario.seats.includes(seat.seat)).map((seat) => (
            <li key={seat.seat}>
              <b>{seat.seat}</b>
              <label>
                <span class="unseen">{`Who plays ${seat.seat} from now on`}</span>
                <select
                  value="" onChange={(event) => {
                    const [kind, name] = event.currentTarget.value.split(" ");
                    if (kind === "person") session.replace(seat.seat, { kind: "person", name: "", model: "" });
                    else if (name) session.replace(seat.seat, { kind: "agent", name, model: "" });
                    event.currentTarget.value = "";
                  }}
                >
                  <option value="">{`${seat.player || seat.kind} plays; replace by …`}</option>
                  {seat.kind !== "person" && <option value="person">a person</option>}
                  {scenario?.chat === seat.seat && <option value={`agent ${CHAT}`}>chat on the server</option>}
                  {scenario?.agents.map((agent) => <option key={agent.name} value={`agent ${agent.name}`}>{agent.name}</option>)}
                </select>
              </label>
              {seat.kind === "person" && <button type="button" class="quiet" onClick={() => session.renew(seat.seat)}>new link</button>}
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        {kept && (
          <button
            type="button" onClick={() => {
              setTrouble("");
              download(kept.opened.host, kept.opened.game).catch((error: Error) => setTrouble(error.message));
            }}
          >Download the record so far</button>
        )}
        {!over && (ending
          ? <button type="button" class="danger" onClick={() => session.end()}>Yes, end this game for everybody</button>
          : <button type="button" onClick={() => setEnding(true)}>End the game</button>)}
      </p>
      {trouble && <p class="news refused" role="alert">{trouble}</p>}
    </div>
  );
}
