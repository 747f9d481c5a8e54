// What everybody did when: lanes that grow to the right while the game goes on.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { activities, type Activity, type Lane, lanes, plain, score, starts, talk, tickStep } from "../activities";
import type { Event } from "../protocol";
import { hueClass, useHues } from "../scene/hues";
import { ALONE } from "../space/colours";
import { broken, moment, shortened, widthOf } from "../words";

const ROW = 24;
const GAP = 8;
const AXIS = 22;
const TALK = 14;
const LEAST_BAR = 68;
const MOST_WIDTH = 12_000;

interface TimelineProps {
  events: readonly Event[];
  now: number;
  unit: string;
  bodies: readonly string[];
  /** Where the axis ends, in so many pixels, beside other timelines: what is over does not grow. */
  until?: number;
  width?: number;
  /** Times that are pointed out. */
  marks?: readonly number[];
}

export function Timeline({ events, now, unit, bodies, until, width: wide, marks = [] }: TimelineProps) {
  const chart = useMemo(() => {
    const of = activities(events, now);
    const said = talk(events);
    const found = lanes(of, said, bodies);
    const other = found.filter((lane) => !lane.body).map((lane) => lane.name);
    return { of, said, lanes: found, begun: starts(of), tone: new Map(other.map((name, index) => [name, ALONE[index % ALONE.length]!])) };
  }, [events, now, bodies]);
  const hues = useHues();
  const growing = useScale(chart.of, now);
  const scale = until && wide ? wide / until : growing;
  const scroller = useRef<HTMLDivElement>(null);
  const width = Math.max(60, (until ?? now) * scale + 40);
  useStaysAtEnd(scroller, until ? 0 : width);
  const heights = chart.lanes.map((lane) => laneHeight(lane, chart.said.some((said) => said.lane === lane.name)));
  const tops = heights.map((_, index) => heights.slice(0, index).reduce((sum, height) => sum + height, 0));
  const bottom = heights.reduce((sum, height) => sum + height, 0);
  const points = score(events);

  if (!chart.lanes.length) return <p class="soft small">Here grows what everybody does, and what goes on by itself.</p>;
  return (
    <div class="timeline">
      <div class="chart">
        <svg class="lane-names" width={92} height={bottom + AXIS} aria-hidden="true">
          {chart.lanes.map((lane, index) => {
            const talks = chart.said.some((said) => said.lane === lane.name) ? TALK : 0;
            const lines = broken(lane.name, 11.5, 84);
            return lines.map((line, at) => (
              <text
                key={`${lane.name} ${at}`} x={86} y={tops[index]! + talks + GAP / 2 + Math.max(1, lane.rows.length) * ROW / 2 + 4 + (at - (lines.length - 1) / 2) * 12}
                class={lane.body ? "strong" : ""}
              >{line}</text>
            ));
          })}
          <text x={86} y={bottom + 15} class="soft">{unit}</text>
        </svg>
        <div class="scroller" ref={scroller} tabIndex={0} role="group" aria-label={`Timeline up to ${moment(now, unit)}; it scrolls sideways`}>
          <svg width={width} height={bottom + AXIS} role="img" aria-label={`What happened up to ${moment(now, unit)}; below it stands in words`}>
            <defs>
              <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="6" height="6" class="hatch-ground" />
                <path d="M0 0V6" class="hatch-line" />
              </pattern>
            </defs>
            {chart.lanes.map((lane, index) => (
              index % 2 === 0 && <rect key={lane.name} class="band" x={0} y={tops[index]} width={width} height={heights[index]} />
            ))}
            <Axis now={until ?? now} scale={scale} bottom={bottom} />
            {chart.lanes.map((lane, index) => {
              const said = chart.said.filter((one) => one.lane === lane.name);
              const top = tops[index]! + GAP / 2 + (said.length ? TALK : 0);
              return (
                <g key={lane.name}>
                  {said.map((one, at) => (
                    <g key={at} transform={`translate(${one.time * scale} ${top - TALK})`} class="spoken">
                      <title>{`${one.lane}, at ${plain(one.time)} ${unit}\n${one.words}`}</title>
                      <path d="M0 2a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v5a2 2 0 0 1 -2 2h-7l-4 3.5v-3.5a2 2 0 0 1 -1 -2z" />
                    </g>
                  ))}
                  {lane.rows.map((row, at) => row.map((activity) => (
                    <Strip
                      key={activity.key} activity={activity} x={activity.start * scale} y={top + at * ROW} scale={scale} unit={unit}
                      starts={chart.begun.has(activity)} tone={chart.tone.get(activity.lane) ?? ""} hue={hueClass(hues.get(activity.lane))}
                    />
                  )))}
                </g>
              );
            })}
            <path class="now" d={`M${now * scale} 0V${bottom}`} />
            {marks.map((mark) => <path key={mark} class="pointed" d={`M${mark * scale - 5} 0h10l-5 8zM${mark * scale} 0V${bottom}`} />)}
          </svg>
        </div>
      </div>
      {points !== null && <p class="small soft">score <b>{plain(points)}</b></p>}
      <InWords of={chart.of} unit={unit} />
    </div>
  );
}

const laneHeight = (lane: Lane, talks: boolean): number => Math.max(1, lane.rows.length) * ROW + GAP + (talks ? TALK : 0);

/** Pixels for a unit of time: so many that short work can still be seen. It changes by steps of 2, seldom. */
function useScale(of: readonly Activity[], now: number): number {
  const kept = useRef(0);
  const lengths = of.map((activity) => activity.end - activity.start).filter((length) => length > 0).sort((a, b) => a - b);
  const short = lengths[Math.floor(lengths.length / 4)] ?? 1;
  const wanted = Math.min(2 ** Math.round(Math.log2(LEAST_BAR / short)), MOST_WIDTH / Math.max(1, now));
  if (!kept.current || wanted < kept.current || lengths.length < 4) kept.current = wanted;
  return kept.current;
}

/** Follows the newest as long as the reader has not scrolled back. */
function useStaysAtEnd(scroller: { current: HTMLElement | null }, width: number): void {
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      atEnd.current = element.scrollLeft + element.clientWidth >= element.scrollWidth - 24;
    };
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && width && atEnd.current) element.scrollLeft = element.scrollWidth;
  }, [scroller, width]);
}

function Axis({ now, scale, bottom }: { now: number; scale: number; bottom: number }) {
  const step = tickStep(Math.max(1, now), Math.max(1, Math.floor((now * scale) / 56)));
  const ticks = Array.from({ length: Math.floor(now / step) + 1 }, (_, index) => index * step);
  return (
    <g class="axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${tick * scale} 0V${bottom}`} />
          <text x={tick * scale + (tick ? 0 : 4)} y={bottom + 15}>{tick}</text>
        </g>
      ))}
    </g>
  );
}

interface StripProps {
  activity: Activity;
  x: number;
  y: number;
  scale: number;
  unit: string;
  starts: boolean;
  tone: string;
  hue: string;
}

function Strip({ activity, x, y, scale, unit, starts: begins, tone, hue }: StripProps) {
  const length = (activity.end - activity.start) * scale;
  const width = Math.max(3, length - Math.min(2, length / 4));
  const kind = begins ? "begins" : activity.kind;
  const words = widthOf(activity.label, 10.5) > width - 6 && width < 24 ? "" : shortened(activity.label, 10.5, width - 11);
  return (
    <g class={`strip ${kind} ${activity.state}${tone ? " alone" : hue}`}>
      <title>{`${told(activity)}\n${plain(activity.start)}–${plain(activity.end)} ${unit}`}</title>
      <rect
        x={x + 1} y={begins ? y + ROW / 4 : y + 1} width={width} height={begins ? ROW / 2 : ROW - 2} rx={Math.min(5, width / 3)}
        style={tone ? { "--tone": tone } : {}}
      />
      {activity.kind === "refused" && width >= 10 && (
        <path d={`M${x + width / 2 - 3.5} ${y + ROW / 2 - 3.5}l7 7m0 -7l-7 7`} class="cross" />
      )}
      {activity.kind !== "refused" && !begins && words && (
        <text x={x + 5} y={y + ROW / 2 + 4}>{words}</text>
      )}
      {begins && width >= 8 && <path class="arrow" d={`M${x + width / 2 - 2} ${y + ROW / 2 - 4}v8l6 -4z`} />}
    </g>
  );
}

const ENDS: Readonly<Record<Activity["state"], string>> = { done: "", open: ", still going on", cut: ", not finished" };

const told = (activity: Activity): string =>
  `${activity.lane}: ${activity.kind === "refused" ? "refused: " : ""}${activity.label}${ENDS[activity.state]}`;

const MOST_WORDS = 60;

/** The same for whoever hears it. */
function InWords({ of, unit }: { of: readonly Activity[]; unit: string }) {
  const newest = of.slice(-MOST_WORDS).reverse();
  return (
    <details class="small in-words">
      <summary>In words</summary>
      <ol reversed start={of.length}>
        {newest.map((activity) => (
          <li key={activity.key}>{`${plain(activity.start)}–${plain(activity.end)} ${unit} · ${told(activity)}`}</li>
        ))}
      </ol>
    </details>
  );
}
