// What stands beside the kitchen: orders with their clocks, and whatever else is nowhere on the floor.
import { told } from "../scene/layout";
import type { Graph, Progress, Thing } from "../protocol";
import { Glyph } from "../scene/appearance";

interface OrdersProps {
  things: readonly Thing[];
  graphs: readonly Graph[];
  onGraph: (graph: Graph) => void;
}

export function Orders({ things, graphs, onGraph }: OrdersProps) {
  if (!things.length) return null;
  return (
    <ul class="orders" aria-label="Orders and things beside the kitchen">
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
    </ul>
  );
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
