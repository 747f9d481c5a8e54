// A ghost: another play of the same, whose timeline grows beside one's own. Only for whoever asks for one.
import { useMemo, useState } from "preact/hooks";
import { ghostsOf } from "../api";
import type { Event, Ghost } from "../protocol";
import { Timeline } from "./timeline";

/** What had happened in a play by a time. */
export const until = (events: readonly Event[], now: number): Event[] => events.filter((event) => event.time <= now);

export function Ghosts({ token, now, unit, bodies }: { token: string; now: number; unit: string; bodies: readonly string[] }) {
  const [ghosts, setGhosts] = useState<readonly Ghost[] | null>(null);
  const [at, setAt] = useState(-1);
  const [words, setWords] = useState("");
  const ghost = ghosts?.[at];
  const events = useMemo(() => (ghost ? until(ghost.events, now) : []), [ghost, now]);
  const look = (): void => {
    setWords("Looking how others have played this …");
    ghostsOf(token).then((found) => {
      setGhosts(found);
      setAt(found.length ? 0 : -1);
      setWords(found.length ? "" : "Nobody has played this yet.");
    }, (error: Error) => setWords(error.message));
  };
  return (
    <div class="ghosts">
      {ghosts?.length ? (
        <label class="row small">
          <span>Ghost</span>
          <select value={String(at)} onChange={(event) => setAt(Number(event.currentTarget.value))}>
            <option value="-1">none</option>
            {ghosts.map((one, index) => <option key={index} value={String(index)}>{one.name}</option>)}
          </select>
        </label>
      ) : <button type="button" class="quiet small" onClick={look}>Show a ghost</button>}
      {words && <p class="soft small" role="status">{words}</p>}
      {ghost && <div class="ghost"><Timeline events={events} now={now} unit={unit} bodies={bodies} /></div>}
    </div>
  );
}
