// The best games on this server: of the scenario of the day, and of any that is chosen.
import { useEffect, useState } from "preact/hooks";
import { board, type BoardTold } from "../api";
import type { Row } from "../protocol";
import { Typed } from "./typed";

/** The board of a scenario; of that of the day if none is named. */
function useBoard(id: string | null): BoardTold | null {
  const [told, setTold] = useState<BoardTold | null>(null);
  useEffect(() => {
    if (id === null) return;
    let gone = false;
    board(id).then((found) => !gone && setTold(found), () => undefined); // the lobby is whole without it
    return () => {
      gone = true;
    };
  }, [id]);
  return told;
}

export function Today({ onPlay }: { onPlay: (id: string) => void }) {
  const told = useBoard("");
  if (!told) return null;
  return (
    <section class="card today" aria-labelledby="today-title">
      <h2 id="today-title">{"Today: "}{told.title}<Typed id={told.scenario} /></h2>
      <Rows rows={told.today} title="Games on it today" />
      {told.today.length === 0 && <p class="soft">Nobody has played it here today.</p>}
      <p class="row"><button type="button" class="main" onClick={() => onPlay(told.scenario)}>Play it</button></p>
    </section>
  );
}

export function BestSoFar({ id }: { id: string }) {
  const told = useBoard(id);
  return told && told.scenario === id && told.best.length > 0 ? <div class="card"><Rows rows={told.best} title="The best games on this server" /></div> : null;
}

export function Rows({ rows, title }: { rows: readonly Row[]; title: string }) {
  if (!rows.length) return null;
  return (
    <table class="records">
      <caption>{title}</caption>
      <thead><tr><th scope="col">Place</th><th scope="col">Who</th><th scope="col">Result</th><th scope="col">When</th></tr></thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}><td>{index + 1}</td><td>{row.names.join(", ") || "somebody"}</td><td>{row.told}</td><td>{new Date(row.ended * 1000).toLocaleString()}</td></tr>
        ))}
      </tbody>
    </table>
  );
}
