// The pages that participants go through: texts, consent, forms, waiting, the end.
import { useEffect, useRef, useState } from "preact/hooks";
import { Item } from "./items";
import { Prose } from "./prose";
import type { Answer, StageTold } from "./protocol";
import type { Session } from "./session";

export interface Shown {
  session: Session;
  stage: StageTold;
  words: Record<string, string>;
  /** Where the study has gone on behind what is shown: goes on too. */
  read: (() => void) | null;
}

export const filled = (text: string | undefined, fills: Record<string, string | number>): string =>
  (text ?? "").replace(/\{(\w+)\}/g, (whole, name: string) => (name in fills ? String(fills[name]) : whole));

export function TextStage({ session, stage, words }: Shown) {
  const left = useSecondsLeft(stage.least_seconds);
  return (
    <>
      <Prose text={stage.text} />
      <p class="go">
        <button type="button" class="main" disabled={left > 0} onClick={() => session.send(stage.position)}>{words.next}</button>
        {left > 0 && <span class="soft" role="timer">{filled(words.wait_reading, { seconds: left })}</span>}
      </p>
    </>
  );
}

export function ConsentStage({ session, stage, words }: Shown) {
  const [ticked, setTicked] = useState<Record<string, boolean>>({});
  const answers = Object.fromEntries(Object.entries(ticked).filter(([, on]) => on).map(([box]) => [box, "yes"]));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        session.send(stage.position, answers, true);
      }}
    >
      <Prose text={stage.text} />
      {stage.boxes.map((box, index) => {
        const problem = stage.problems[index] ?? "";
        return (
          <div key={box} class={problem ? "item wrong" : "item"}>
            <label class="choice">
              <input
                type="checkbox" name={`box-${index}`} checked={ticked[index] ?? false} aria-invalid={problem ? true : undefined}
                onChange={(event) => setTicked({ ...ticked, [index]: event.currentTarget.checked })}
              />
              <span>{box}</span>
            </label>
            {problem && <p class="problem">{problem}</p>}
          </div>
        );
      })}
      <p class="go">
        <button type="submit" class="main">{words.agree}</button>
        <button type="button" onClick={() => session.send(stage.position)}>{words.decline}</button>
      </p>
    </form>
  );
}

export function FormStage({ session, stage, words }: Shown) {
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(stage.problems).length) form.current?.querySelector<HTMLElement>(".wrong input, .wrong textarea")?.focus();
  }, [stage.problems]);
  return (
    <form
      ref={form} noValidate
      onSubmit={(event) => {
        event.preventDefault();
        session.send(stage.position, answers);
      }}
    >
      {stage.text.length > 0 && <Prose text={stage.text} />}
      {stage.notice && <p class="notice" role="alert">{stage.notice}</p>}
      {stage.items.map((item) => (
        <Item
          key={item.name} item={item} words={words} answer={answers[item.name] ?? null} problem={stage.problems[item.name] ?? ""}
          set={(answer) => setAnswers((before) => ({ ...before, [item.name]: answer }))}
        />
      ))}
      <p class="go"><button type="submit" class="main">{words.send}</button></p>
    </form>
  );
}

export function WaitStage({ stage, words }: Shown) {
  const { waiting } = stage;
  const left = useSecondsLeft(waiting?.seconds_left ?? 0);
  if (!waiting) return <p role="status">{words.waiting_game}</p>;
  return (
    <div role="status">
      <h2>{words.waiting}</h2>
      <p>{filled(words.waiting_people, { present: waiting.present, needed: waiting.needed })}</p>
      <p class="soft">{filled(words.waiting_left, { seconds: left })}</p>
      <progress aria-label={words.waiting} />
    </div>
  );
}

export function EndStage({ stage, words }: Shown) {
  const [copied, setCopied] = useState(false);
  return (
    <>
      <Prose text={stage.text} />
      {stage.code && (
        <p class="code">
          <span>{words.code}</span>
          <output>{stage.code}</output>
          <button type="button" onClick={() => navigator.clipboard?.writeText(stage.code).then(() => setCopied(true), () => undefined)}>{copied ? words.copied : words.copy}</button>
        </p>
      )}
      {stage.back && <p class="go"><a class="button main" href={stage.back}>{words.back}</a></p>}
    </>
  );
}

/** Whole seconds that are left of so many, from when they were told. */
function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    const until = Date.now() + seconds * 1000;
    const look = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    const timer = window.setInterval(look, 250);
    return () => window.clearInterval(timer);
  }, [seconds]);
  return left;
}
