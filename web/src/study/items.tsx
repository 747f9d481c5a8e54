// The items of a form: ratings, choices, numbers, texts. Each says what is wrong with it beside itself.
import type { ComponentChildren } from "preact";
import type { Answer, ItemTold } from "./protocol";

interface Asked {
  item: ItemTold;
  answer: Answer;
  problem: string;
  words: Record<string, string>;
  set: (answer: Answer) => void;
}

export function Item(asked: Asked) {
  switch (asked.item.type) {
    case "likert":
      return <Rating {...asked} />;
    case "choice":
      return <Choice {...asked} />;
    case "number":
      return <NumberItem {...asked} />;
    default:
      return <TextItem {...asked} />;
  }
}

function Group({ item, problem, words, children }: Asked & { children: ComponentChildren }) {
  return (
    <fieldset class={problem ? "item wrong" : "item"} aria-describedby={problem ? `${item.name}-problem` : undefined} aria-invalid={problem ? true : undefined}>
      <legend>{item.text}{!item.required && <span class="soft">{` (${words.optional})`}</span>}</legend>
      {item.several && <p class="soft small">{words.several}</p>}
      {children}
      <Problem item={item} problem={problem} />
    </fieldset>
  );
}

function Problem({ item, problem }: { item: ItemTold; problem: string }) {
  return problem ? <p class="problem" id={`${item.name}-problem`}>{problem}</p> : null;
}

function Rating(asked: Asked) {
  const { item, answer, set } = asked;
  const points = Array.from({ length: item.points }, (_, index) => index + 1);
  const name = (point: number): string => (point === 1 && item.low ? `1: ${item.low}` : point === item.points && item.high ? `${point}: ${item.high}` : `${point}`);
  return (
    <Group {...asked}>
      <div class="rating">
        {item.low && <span class="end" aria-hidden="true">{item.low}</span>}
        <div class="points">
          {points.map((point) => (
            <label key={point} class="point">
              <input type="radio" name={item.name} value={point} checked={answer === point} aria-label={name(point)} onChange={() => set(point)} />
              <span aria-hidden="true">{point}</span>
            </label>
          ))}
        </div>
        {item.high && <span class="end" aria-hidden="true">{item.high}</span>}
      </div>
    </Group>
  );
}

function Choice(asked: Asked) {
  const { item, answer, set } = asked;
  const chosen = Array.isArray(answer) ? answer : [];
  const toggled = (value: string): string[] => (chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  return (
    <Group {...asked}>
      {item.options.map((option) => (
        <label key={option.value} class="choice">
          {item.several
            ? <input type="checkbox" name={item.name} value={option.value} checked={chosen.includes(option.value)} onChange={() => set(toggled(option.value))} />
            : <input type="radio" name={item.name} value={option.value} checked={answer === option.value} onChange={() => set(option.value)} />}
          <span>{option.text}</span>
        </label>
      ))}
    </Group>
  );
}

function NumberItem(asked: Asked) {
  const { item, answer, set } = asked;
  return (
    <Group {...asked}>
      <input
        type="number" name={item.name} aria-label={item.text} inputMode={item.whole ? "numeric" : "decimal"} step={item.whole ? 1 : "any"}
        min={item.lowest ?? undefined} max={item.highest ?? undefined} value={typeof answer === "number" ? answer : ""}
        onInput={(event) => set(event.currentTarget.value === "" ? null : event.currentTarget.valueAsNumber)}
      />
    </Group>
  );
}

function TextItem(asked: Asked) {
  const { item, answer, set } = asked;
  const value = typeof answer === "string" ? answer : "";
  return (
    <Group {...asked}>
      {item.lines > 1
        ? <textarea name={item.name} aria-label={item.text} rows={item.lines} maxLength={item.longest} value={value} dir="auto" onInput={(event) => set(event.currentTarget.value)} />
        : <input type="text" name={item.name} aria-label={item.text} maxLength={item.longest} value={value} dir="auto" onInput={(event) => set(event.currentTarget.value)} />}
    </Group>
  );
}
