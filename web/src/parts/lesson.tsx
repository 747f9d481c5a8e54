// The end of a game as a lesson: how good it was, what cost the most, and three timelines on one axis of time.
import { useEffect, useRef, useState } from "preact/hooks";
import { lessonOf } from "../api";
import type { LessonTold, Moment, Played } from "../protocol";
import { amount, moment, sentence } from "../words";
import { Timeline } from "./timeline";

const LEAST_WIDTH = 560;
const WHO: Readonly<Record<Played["who"], string>> = { you: "As it was played", best: "The best that is known", greedy: "The greedy agent" };

/** What is told of a game that is over, once it is worked out; the reason where there is nothing. */
export function useLesson(token: string, wanted: boolean): { told: LessonTold | null; why: string } {
  const [found, setFound] = useState<{ told: LessonTold | null; why: string }>({ told: null, why: "" });
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    lessonOf(token).then((told) => !gone && setFound({ told, why: "" }), (error: Error) => !gone && setFound({ told: null, why: error.message }));
    return () => {
      gone = true;
    };
  }, [token, wanted]);
  return found;
}

interface LessonProps {
  told: LessonTold;
  bodies: readonly string[];
  onFrom: ((step: number) => void) | null;
  busy: boolean;
}

export function LessonCard({ told, bodies, onFrom, busy }: LessonProps) {
  const { lesson } = told;
  const { costliest } = lesson;
  const rest = lesson.points.filter((point) => point.step !== costliest?.step);
  const point = (of: Moment) => <Point key={of.step} of={of} unit={lesson.unit} time={lesson.time_unit} onFrom={onFrom} busy={busy} />;
  return (
    <section class="card lesson" aria-labelledby="lesson-title">
      <h2 id="lesson-title">How good it was</h2>
      <p class="lead">{told.headline}</p>
      {costliest ? (
        <>
          <h3>The costliest moment</h3>
          <ul class="moments">{point(costliest)}</ul>
          {rest.length > 0 && (
            <details class="small">
              <summary>{rest.length === 1 ? "One more turning point" : `${rest.length} more turning points`}</summary>
              <ul class="moments">{rest.map(point)}</ul>
            </details>
          )}
        </>
      ) : <p class="soft">No single decision is known to have cost anything.</p>}
      <Beside plays={lesson.plays} unit={lesson.time_unit} bodies={bodies} marks={costliest ? [costliest.time] : []} />
      {lesson.lacks.length > 0 && <p class="soft small">{lesson.lacks.map(sentence).join(" ")}</p>}
    </section>
  );
}

/** Timelines of several plays, one above the other, which scroll together. */
function Beside({ plays, unit, bodies, marks }: { plays: readonly Played[]; unit: string; bodies: readonly string[]; marks: readonly number[] }) {
  const best = JSON.stringify(plays.find((play) => play.who === "best")?.events);
  const isBest = (play: Played): boolean => play.who === "greedy" && JSON.stringify(play.events) === best;
  const shown = plays.filter((play) => play.events.length > 0 && !isBest(play));
  const until = Math.max(1, ...shown.map((play) => play.ends));
  const all = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(LEAST_WIDTH);
  useEffect(() => setWidth(Math.max(LEAST_WIDTH, (all.current?.clientWidth ?? 0) - 150)), []);
  return (
    <div
      class="beside-plays" ref={all}
      onScrollCapture={(event) => {
        const from = event.target as HTMLElement;
        for (const other of all.current?.querySelectorAll(".scroller") ?? []) if (other !== from && other.scrollLeft !== from.scrollLeft) other.scrollLeft = from.scrollLeft;
      }}
    >
      {shown.map((play) => (
        <div key={play.who}>
          <h3>{WHO[play.who]}{play.who === "best" && plays.some(isBest) && "; the greedy agent plays the same"}</h3>
          <Timeline events={play.events} now={play.ends} unit={unit} bodies={bodies} until={until} width={width} marks={play.who === "you" ? marks : []} />
        </div>
      ))}
    </div>
  );
}

interface PointProps {
  of: Moment;
  unit: string;
  time: string;
  onFrom: ((step: number) => void) | null;
  busy: boolean;
}

function Point({ of, unit, time, onFrom, busy }: PointProps) {
  return (
    <li>
      <p>
        <b>{sentence(moment(of.time, time)).replace(/\.$/, "")}</b>{of.did ? `: ${of.did}${of.last > of.step ? ` (${of.last - of.step + 1} times)` : ""}. ` : `, and the ${of.last - of.step} steps behind it. `}
        {cost(of, unit)}
        {of.better && <>{" Better: "}<em>{of.better}</em>.</>}
      </p>
      {onFrom && of.step > 0 && <button type="button" disabled={busy} onClick={() => onFrom(of.step)}>Play again from here</button>}
    </li>
  );
}

/** `It cost 3 minutes.` */
export function cost(of: Moment, unit: string): string {
  if (of.cost === null) return "After it not everything could be done any more.";
  const [thing = unit, served] = unit.split(/ (?=served$)/);
  const lost = `${amount(of.cost, thing.replace(/s$/, ""))}${served ? ` that could have been ${served}` : ""}`;
  return of.estimated ? `It cost about ${lost}: an estimate.` : `It cost ${lost}.`;
}
