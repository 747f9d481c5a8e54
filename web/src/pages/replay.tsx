// Stepping through the frames of a game.
import { useEffect, useState } from "preact/hooks";
import type { Frame } from "../protocol";
import { Sign } from "../parts/sign";
import { moment } from "../words";

interface ReplayProps {
  frames: readonly Frame[];
  at: number;
  onAt: (at: number) => void;
  unit: string;
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
      <button type="button" onClick={() => onAt(0)} disabled={at === 0} aria-label="To the beginning"><Sign of="beginning" /></button>
      <button type="button" onClick={() => onAt(Math.max(0, at - 1))} disabled={at === 0} aria-label="One step back"><Sign of="back" /></button>
      <button
        type="button" class="main" aria-label={plays ? "Pause" : "Play"}
        onClick={() => {
          if (!plays && at >= last) onAt(0);
          setPlays(!plays);
        }}
      ><Sign of={plays ? "pause" : "play"} /></button>
      <button type="button" onClick={() => onAt(Math.min(last, at + 1))} disabled={at >= last} aria-label="One step on"><Sign of="on" /></button>
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
