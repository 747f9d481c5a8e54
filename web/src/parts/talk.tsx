// What was said, and fields for words: to a partner, to those whom one directs. The world says which there are.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Said } from "../activities";
import type { SuggestionTold } from "../protocol";
import { Dot } from "../scene/hues";
import { moment } from "../words";
import { Voice } from "./voice";

interface TalkProps {
  said: readonly Said[];
  /** `null`: nobody says anything any more. */
  beginnings: readonly SuggestionTold[] | null;
  own: ReadonlySet<string>;
  unit: string;
  /** `null`: nothing can be said now. */
  onLine: ((line: string) => void) | null;
}

const MOST_SHOWN = 200;

export function Talk({ said, beginnings, own, unit, onLine }: TalkProps) {
  const kept = useRef<readonly SuggestionTold[]>([]);
  if (!beginnings || beginnings.length) kept.current = beginnings ?? [];
  const log = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [said.length]);
  if (!said.length && !kept.current.length) return null;
  return (
    <section class="card talk" aria-labelledby="talk-title">
      <h2 id="talk-title">Talk</h2>
      {said.length > 0 && (
        <ol class="said" ref={log} tabIndex={0} aria-label="What was said">
          {said.slice(-MOST_SHOWN).map((one, index) => (
            <li key={index} class={own.has(one.lane) ? "mine" : ""}>
              <span class="soft small"><Dot of={one.lane} />{`${one.lane} · ${moment(one.time, unit)}`}</span>
              <span class="words">{one.words}</span>
            </li>
          ))}
        </ol>
      )}
      {kept.current.map((beginning) => (
        <Field key={beginning.line} beginning={beginning} onLine={onLine} />
      ))}
    </section>
  );
}

function Field({ beginning, onLine }: { beginning: SuggestionTold; onLine: ((line: string) => void) | null }) {
  const [words, setWords] = useState("");
  const label = beginning.label || beginning.line.trim().replace(/:$/, "");
  const send = (event: Event): void => {
    event.preventDefault();
    if (!words.trim() || !onLine) return;
    onLine(beginning.line + words.trim());
    setWords("");
  };
  return (
    <form class="say" onSubmit={send}>
      <label>
        <span>{label}</span>
        {beginning.gloss && <span class="soft small">{beginning.gloss}</span>}
        <input value={words} onInput={(event) => setWords(event.currentTarget.value)} maxLength={3000} autocomplete="off" enterkeyhint="send" />
      </label>
      <Voice onWords={(heard) => setWords((before) => (before ? `${before} ${heard}` : heard))} />
      <button type="submit" disabled={!onLine || !words.trim()}>Say</button>
    </form>
  );
}
