// Short sounds of what happens in a kitchen, made of plain tones. Nobody hears them before they ask for them.
import { useEffect, useRef } from "preact/hooks";
import type { Event, Frame, Lobby } from "./protocol";
import { keptVolume } from "./kept";

type Shape = "sine" | "triangle" | "square";

/** Each tone: when it begins and how long it is, in seconds; from which pitch to which, in hertz. */
type Tone = readonly [at: number, long: number, from: number, to: number, shape: Shape];

const SOUNDS = {
  take: [[0, 0.08, 480, 760, "triangle"]],
  put: [[0, 0.09, 420, 250, "triangle"]],
  cut: [[0, 0.03, 210, 120, "square"], [0.07, 0.03, 210, 120, "square"], [0.14, 0.03, 210, 120, "square"]],
  done: [[0, 0.12, 880, 880, "sine"], [0.11, 0.22, 1175, 1175, "sine"]],
  burning: [[0, 0.12, 330, 290, "square"], [0.16, 0.12, 330, 290, "square"]],
  order: [[0, 0.1, 587, 587, "triangle"], [0.1, 0.16, 784, 784, "triangle"]],
  served: [[0, 0.1, 784, 784, "sine"], [0.09, 0.1, 988, 988, "sine"], [0.18, 0.3, 1319, 1319, "sine"]],
  lost: [[0, 0.3, 300, 150, "triangle"]],
  tick: [[0, 0.04, 980, 900, "sine"]],
  count: [[0, 0.14, 523, 523, "triangle"]],
} as const satisfies Record<string, readonly Tone[]>;

export type Sound = keyof typeof SOUNDS;

const LAST_SECONDS = 10;
const COUNTED = [3, 2, 1];

/** What an event sounds like, if anything. `own`: the bodies that are one's own; others are not heard at work. */
export function soundOf(event: Event, own: ReadonlySet<string>): Sound | null {
  const [lane, label] = [event.lane ?? "", event.label ?? ""];
  if (event.what === "delivered") return "served";
  if (event.what === "expired") return "lost";
  if (event.kind !== undefined && event.kind !== "work") return null;
  if (event.what === "start" && /board/i.test(lane)) return "cut";
  if (event.what === "start" && own.has(lane)) {
    if (/^(cut|chop|slice)/i.test(label)) return "cut";
    if (/^(get|take|pick)/i.test(label)) return "take";
    if (/^(put|place|add|stack|drop|give)/i.test(label)) return "put";
  }
  return event.what === "end" && lane !== "" && /pot|pan|oven|stove|fryer|steamer|blender|mixer|furnace/i.test(lane) ? "done" : null;
}

/** The whole seconds that are left of a game by the clock, as its caption has them. */
export function secondsLeft(caption: string): number | null {
  const found = /^([\d.]+) of ([\d.]+) s\b/.exec(caption);
  return found ? Math.ceil(Number(found[2]) - Number(found[1])) : null;
}

let audio: AudioContext | null = null;

/** Play a sound, at the volume that was chosen. */
export function play(name: Sound): void {
  const volume = keptVolume();
  if (volume <= 0 || document.hidden) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const [at, long, from, to, shape] of SOUNDS[name]) {
    const [tone, gain, begin] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at];
    tone.type = shape;
    tone.frequency.setValueAtTime(from, begin);
    tone.frequency.linearRampToValueAtTime(to, begin + long);
    gain.gain.setValueAtTime(0.0001, begin);
    gain.gain.linearRampToValueAtTime(0.22 * volume * (shape === "square" ? 0.35 : 1), begin + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + long);
    tone.connect(gain).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + long + 0.02);
  }
}

/** What a frame sounds like after the one before it. */
export function soundsOf(frame: Frame, before: Frame, own: ReadonlySet<string>): Set<Sound> {
  const found = new Set<Sound>();
  for (const event of frame.events) {
    const sound = soundOf(event, own);
    if (sound) found.add(sound);
  }
  const known = new Set((before.scene?.beside ?? []).map((thing) => thing.name));
  if ((frame.scene?.beside ?? []).some((thing) => thing.progress?.length && !known.has(thing.name))) found.add("order");
  const [left, earlier] = [frame, before].map((one) => secondsLeft(one.scene?.caption ?? ""));
  if (left != null && earlier != null && left < earlier && left < LAST_SECONDS) found.add("tick");
  const burns = (one: Frame): boolean => (one.scene?.places ?? []).some((place) => place.progress?.some(({ label, paused }) => !paused && /burn/i.test(label)));
  if (burns(frame) && !burns(before)) found.add("burning");
  return found;
}

/** What happens in a game is heard as it happens; what had happened before is not. */
export function useSounds(frame: Frame | null, lobby: Lobby | null, own: ReadonlySet<string>): void {
  const last = useRef<Frame | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = frame;
    if (frame && before && frame.number > before.number && keptVolume() > 0) soundsOf(frame, before, own).forEach(play);
  }, [frame]);
  useEffect(() => {
    const left = lobby?.seconds_left ?? null;
    const timers = left === null ? [] : COUNTED.filter((second) => second <= left).map((second) => setTimeout(() => play("count"), (left - second) * 1000));
    return () => timers.forEach(clearTimeout);
  }, [lobby?.seconds_left]);
}
