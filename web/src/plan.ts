// What is chosen for each of several bodies before it is sent as one decision.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bodiesOf, type Choice, numbered, phrased, steady, together } from "./choices";
import type { Turn, Welcome } from "./protocol";
import type { Act } from "./session";

export interface Plan {
  bodies: readonly string[];
  /** Whether choices are gathered, one for each body. */
  several: boolean;
  chosen: ReadonlyMap<string, Choice>;
  /** Takes a choice: at once, or for its body. */
  choose: (choice: Choice) => void;
  send: () => void;
}

export interface Known {
  choices: readonly Choice[];
  /** So many of them were there from the beginning. */
  first: number;
}

/** What can be chosen; in a game with a clock all that there ever was, each with its number for the whole game. */
export function useKnown(turn: Turn | null, welcome: Welcome): Known {
  const { live, game, moves } = welcome;
  const kept = useRef<Known & { game: string }>({ game: "", choices: [], first: 0 });
  return useMemo(() => {
    const said = (choices: readonly Choice[]): Choice[] => choices.map((choice) => ({ ...choice, said: choice.said ?? phrased(choice.option, welcome) }));
    const options = turn?.options ?? [];
    if (!live) return { choices: said(numbered(options)), first: Infinity };
    if (!options.length && !moves.length) return kept.current;
    const known = kept.current.game === game ? kept.current.choices : numbered(moves);
    const choices = said(steady(known, options));
    kept.current = { game, choices, first: kept.current.game === game ? kept.current.first : moves.length || choices.length };
    return kept.current;
  }, [turn?.options, welcome, live, game, moves]);
}

/** In a game with a clock nobody waits for the others, and each choice is sent as it is made. */
export function usePlan(turn: Turn | null, live: boolean, act: (what: Act) => void, onBody: (body: string) => void): Plan {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choice>>(new Map());
  const bodies = useMemo(() => bodiesOf(turn?.options ?? []), [turn]);
  const several = bodies.length > 1 && !live;
  useEffect(() => setChosen(new Map()), [turn?.number]);
  return useMemo(() => ({
    bodies, several, chosen,
    choose: (choice) => {
      if (live || !several || !choice.option.body) {
        act(live ? { choice: choice.option } : { option: choice.number - 1 });
        return;
      }
      const next = new Map(chosen).set(choice.option.body, choice);
      setChosen(next);
      const free = bodies.find((name) => !next.has(name));
      if (free) onBody(free);
    },
    send: () => {
      const all = bodies.flatMap((name) => chosen.get(name) ?? []);
      if (all.length === 1) act({ option: all[0]!.number - 1 });
      else if (all.length) act({ line: together(all) });
    },
  }), [bodies, several, chosen, live, act, onBody]);
}
