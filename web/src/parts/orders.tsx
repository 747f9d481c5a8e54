// What stands beside the kitchen: orders with their clocks, and whatever else is nowhere on the floor.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { told } from "../scene/layout";
import type { Event, Graph, Progress, Thing } from "../protocol";
import { Glyph } from "../scene/appearance";

interface OrdersProps {
  things: readonly Thing[];
  graphs: readonly Graph[];
  events: readonly Event[];
  onGraph: (graph: Graph) => void;
}

export function Orders({ things, graphs, events, onGraph }: OrdersProps) {
  const list = useRef<HTMLUListElement>(null);
  const served = useServed(things, events, list);
  return (
    <>
    {served.map(({ thing, left }) => (
      <div key={thing.name} class="flies" aria-hidden="true" style={{ left: `${left}px` }}>
        <svg width="34" height="34" viewBox="-17 -17 34 34"><Glyph kind={thing.kind} size={34} /></svg>
        <b>+1</b>
      </div>
    ))}
    {things.length > 0 && <ul ref={list} class="orders" aria-label="Orders and things beside the kitchen">
      {things.map((thing) => {
        const graph = graphs.find((one) => one.name === thing.kind || one.name === thing.name);
        const first = thing.progress?.[0];
        return (
          <li key={thing.name} class="order" title={told(thing)}>
            {first && <Clock progress={first} />}
            <svg width="34" height="34" viewBox="-17 -17 34 34" aria-hidden="true"><Glyph kind={thing.kind} marks={thing.marks} size={34} /></svg>
            <div class="what">
              <b>{thing.kind}</b>
              {thing.name !== thing.kind && <span class="soft small">{thing.name.replace(`${thing.kind}, `, "")}</span>}
              {thing.marks?.length ? <span class="soft small">{thing.marks.join(", ")}</span> : null}
            </div>
            {graph && <button type="button" class="quiet" onClick={() => onGraph(graph)} aria-label={`recipe of ${thing.kind}`}>recipe</button>}
          </li>
        );
      })}
    </ul>}
    </>
  );
}

const FLIGHT_MS = 900;

/** Orders that have been served just now, and where they stood. */
function useServed(things: readonly Thing[], events: readonly Event[], list: { current: HTMLUListElement | null }) {
  const before = useRef(new Map<string, { thing: Thing; left: number }>());
  const [served, setServed] = useState<{ thing: Thing; left: number }[]>([]);
  useLayoutEffect(() => {
    const now = new Map(things.map((thing, index) => {
      const stands = list.current?.children[index];
      return [thing.name, { thing, left: stands instanceof HTMLElement ? stands.offsetLeft : 0 }] as const;
    }));
    const keys = events.slice(-30).filter((event) => event.what === "delivered").map((event) => event.key ?? "");
    const gone = [...before.current].filter(([name]) => !now.has(name) && keys.some((key) => key && name.endsWith(key)));
    before.current = now;
    if (gone.length) setServed(gone.map(([, one]) => one));
  }, [things]);
  useEffect(() => {
    if (!served.length) return undefined;
    const timer = setTimeout(() => setServed([]), FLIGHT_MS);
    return () => clearTimeout(timer);
  }, [served]);
  return served;
}

const R = 15;
const ROUND = 2 * Math.PI * R;

/** How much is left, as a ring that empties; it says so in numbers too. */
function Clock({ progress }: { progress: Progress }) {
  const share = progress.full > 0 ? Math.min(1, Math.max(0, progress.done / progress.full)) : 1;
  const left = Math.max(0, progress.full - progress.done);
  const state = share >= 0.8 ? "late" : share >= 0.5 ? "soon" : "calm";
  return (
    <svg class={`clock ${progress.paused ? "paused" : state}`} width="40" height="40" viewBox="-20 -20 40 40" role="img" aria-label={`${left} left of ${progress.full}`}>
      <circle r={R} class="ring" />
      <circle r={R} class="rest" transform="rotate(-90)" stroke-dasharray={`${ROUND * (1 - share)} ${ROUND}`} />
      <text y="4">{Number.isInteger(left) ? left : left.toFixed(1)}</text>
    </svg>
  );
}
