// Which body has which colour: one assignment for a game, wherever a body is seen or named.
import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { State } from "../session";
import { BODIES } from "../space/colours";

const Hues = createContext(new Map<string, number>());

/** A body keeps its colour, whoever else comes and goes; `names` are those that are seen now. */
export function useHues(names: readonly string[] = []): ReadonlyMap<string, number> {
  const hues = useContext(Hues);
  for (const name of names) if (!hues.has(name)) hues.set(name, hues.size);
  return hues;
}

/** The colours of a game, by the bodies of its scenes, or else by its seats. */
export function Coloured({ state, children }: { state: State; children: ComponentChildren }) {
  const hues = useMemo(() => new Map<string, number>(), [state.welcome?.game]);
  return <Hues.Provider value={hues}><Met state={state} />{children}</Hues.Provider>;
}

function Met({ state }: { state: State }) {
  const { frame, seats } = state;
  useHues(frame?.scene?.bodies?.map((body) => body.name) ?? (frame ? seats.map((seat) => seat.seat) : []));
  return null;
}

/** The class that brings a body's colour as `--hue`; empty for who has none. */
export const hueClass = (hue: number | undefined): string => (hue === undefined ? "" : ` hue-${hue % BODIES.length}`);

/** A body's colour beside its name. */
export function Dot({ of }: { of: string }) {
  const hue = useHues().get(of);
  return hue === undefined ? null : <i class={`dot${hueClass(hue)}`} aria-hidden="true" />;
}
