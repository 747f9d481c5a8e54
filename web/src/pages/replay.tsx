// Stepping through the frames of a game.
import { useEffect, useState } from "preact/hooks";
import type { Frame } from "../protocol";
import { moment } from "../words";

interface ReplayProps {
  frames: readonly Frame[];
  at: number;
  onAt: (at: number) => void;
  unit: string;
}

function Sign({ d }: { d: string }) {
  return <svg class="sign-of-button" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d={d} /></svg>;
}

const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP_MS = 900;

export function Replay({ frames, at, onAt, unit }: ReplayProps) {
  const [plays, setPlays] = useState(false);
  const [speed, setSpeed] = useState(1);
  const last = frames.length - 1;
  useEffect(() => {
    if (!plays) return;
    if (at >= last) {
      setPlays(false);
      return;
    }
    const timer = setTimeout(() => onAt(at + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [plays, at, last, speed, onAt]);
  if (last < 1) return null;
  const frame = frames[at];
  return (
    <div class="replay" role="group" aria-label="Step through the game">
      <button type="button" onClick={() => onAt(0)} disabled={at === 0} aria-label="To the beginning"><Sign d="M3 3v10M13 3L6 8l7 5z" /></button>
      <button type="button" onClick={() => onAt(Math.max(0, at - 1))} disabled={at === 0} aria-label="One step back"><Sign d="M11 3L4 8l7 5z" /></button>
      <button
        type="button" class="main" aria-label={plays ? "Pause" : "Play"}
        onClick={() => {
          if (!plays && at >= last) onAt(0);
          setPlays(!plays);
        }}
      ><Sign d={plays ? "M5 3v10M11 3v10" : "M5 3l8 5l-8 5z"} /></button>
      <button type="button" onClick={() => onAt(Math.min(last, at + 1))} disabled={at >= last} aria-label="One step on"><Sign d="M5 3l7 5l-7 5z" /></button>
      <input
        type="range" min={0} max={last} value={at} aria-label="Moment of the game" aria-valuetext={frame ? moment(frame.time, unit) : ""}
        onInput={(event) => onAt(Number(event.currentTarget.value))}
      />
      <output>{frame ? moment(frame.time, unit) : ""}</output>
      <label class="speed">
        <span class="unseen">Speed</span>
        <select value={String(speed)} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
          {SPEEDS.map((one) => <option key={one} value={String(one)}>{`${one}×`}</option>)}
        </select>
      </label>
    </div>
  );
}
