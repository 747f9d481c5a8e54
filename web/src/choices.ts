// A turn's options as people look for them: by body, by verb, by what they type, by number.
import type { OptionTold, Welcome } from "./protocol";
import { spoken } from "./words";

/** An option with its number, from 1: in the turn, or in a game with a clock for good. */
export interface Choice {
  option: OptionTold;
  number: number;
  /** It is kept in its place, and cannot be chosen now. */
  grey?: boolean;
  /** In the world's words for people, if it has any. */
  said?: string;
}

export interface Group {
  verb: string;
  title: string;
  choices: Choice[];
}

export const numbered = (options: readonly OptionTold[]): Choice[] =>
  options.map((option, index) => ({ option, number: index + 1 }));

const nameOf = (option: OptionTold): string => `${option.body}\n${option.label}`;

/** The moves of a game with a clock: each keeps its number and its place, new ones come last, and those that are not
 * among the options of this moment are grey. */
export function steady(before: readonly Choice[], options: readonly OptionTold[]): Choice[] {
  const now = new Map(options.map((option) => [nameOf(option), option]));
  const kept = before.map(({ option, number }): Choice => {
    const same = now.get(nameOf(option));
    now.delete(nameOf(option));
    return same ? { option: same, number } : { option, number, grey: true };
  });
  return [...kept, ...[...now.values()].map((option, index) => ({ option, number: kept.length + index + 1 }))];
}

/** What only brings somebody there, or lets time go by. */
const MERE: ReadonlySet<string> = new Set(["goto", "go", "walk", "move", "look", "examine", "wait", "noop"]);

/** The one sensible thing of those that concern a place: what can be done now, before going there; `null` if that are
 * several, or if it does more than it says. */
export function sensible(concerning: readonly Choice[], body: string): Choice | null {
  const all = concerning.filter(({ option, grey }) => !grey && !option.passes && (!body || !option.body || option.body === body));
  const doing = all.filter(({ option }) => !MERE.has(option.verb));
  const meant = doing.length ? doing : all;
  return meant.length === 1 && !meant[0]!.option.gloss ? meant[0]! : null;
}

/** The bodies that options are for, in their order. */
export const bodiesOf = (options: readonly OptionTold[]): string[] =>
  [...new Set(options.map((option) => option.body).filter(Boolean))];

/** The options of a body, with those that are nobody's. */
export const ofBody = (choices: readonly Choice[], body: string): Choice[] =>
  choices.filter(({ option }) => !option.body || option.body === body);

/** Groups of one verb each, in the order in which verbs come; what has no verb comes last, waits at the very end.
 * `steps`: verbs of one step each, which are one group, as are all verbs whose only move is the verb itself. `first`:
 * so many choices were there from the beginning; what has come since is one group behind them. */
export function grouped(choices: readonly Choice[], steps: ReadonlySet<string> = new Set(), first = Infinity): Group[] {
  const groups = new Map<string, Group>();
  const plain = plainVerbs(choices.filter(({ number }) => number <= first));
  for (const choice of choices) {
    const { verb, passes } = choice.option;
    const key = choice.number > first ? " later" : passes ? " wait" : steps.has(verb) ? " steps" : plain.has(verb) ? " plain" : verb;
    const group = groups.get(key) ?? { verb: key, title: TITLES[key] ?? spoken(verb), choices: [] };
    group.choices.push(choice);
    groups.set(key, group);
  }
  const rank = (group: Group): number => (({ " later": 4, " wait": 3, " steps": 2, "": 1 })[group.verb] ?? 0);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

const TITLES: Readonly<Record<string, string>> = { " wait": "wait", " steps": "walk", " plain": "do", " later": "since then", "": "more" };

/** Things that have the same key together, in the order in which keys come. */
export function alike<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(key(one), [...(found.get(key(one)) ?? []), one]);
  return found;
}

/** Verbs with one move that says no more than the verb does, where there are several of them. */
function plainVerbs(choices: readonly Choice[]): ReadonlySet<string> {
  const of = alike(choices.filter(({ option }) => option.verb && !option.passes), ({ option }) => option.verb);
  const plain = [...of].filter(([verb, own]) => own.length === 1 && shortLabel(own[0]!.option, "").toLowerCase() === spoken(verb).toLowerCase());
  return new Set(plain.length > 1 ? plain.map(([verb]) => verb) : []);
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The choices in which each word that was typed begins a word, in any order. A number means that option. */
export function found(choices: readonly Choice[], typed: string): Choice[] {
  const said = words(typed);
  if (!said.length) return [...choices];
  if (said.length === 1 && /^\d+$/.test(said[0]!)) {
    const exact = choices.filter((choice) => String(choice.number) === said[0]);
    if (exact.length) return exact;
  }
  return choices.filter(({ option, said: told }) => {
    const all = words(`${option.label} ${told ?? ""} ${option.gloss}`);
    return said.every((beginning) => all.some((word) => word.startsWith(beginning)));
  });
}

/** What a typed digit means after those before it: a number that is complete, or the beginning of several. */
export function digits(typed: string, most: number): { number: number | null; typed: string } {
  const number = Number(typed);
  if (!typed || number < 1 || number > most) return { number: null, typed: "" };
  return number * 10 > most ? { number, typed: "" } : { number: null, typed };
}

/** The line that asks for one option for each of several bodies: their numbers. */
export const together = (chosen: Iterable<Choice>): string => [...chosen].map((choice) => choice.number).join(" ");

/** What an option is called where its body and verb are plain to see already: `goto_agent0_pot1` as `pot1`,
 * `pickup(rice,storage)` as `rice, storage`. */
export function shortLabel(option: OptionTold, verb: string): string {
  let rest = option.label;
  const call = /^(\w+)\((.*)\)$/.exec(rest);
  if (call && option.verb) rest = `${verb ? "" : `${spoken(call[1]!)} `}${call[2]!.split(",").map((part) => part.replace(/^\s*\w+=/, "").trim()).join(", ")}`.trim() || spoken(call[1]!);
  for (const lead of [option.body, verb || null, option.body]) {
    if (lead && new RegExp(`^${lead.replace(/[^\w]/g, "\\$&")}[ _]`, "i").test(rest)) rest = rest.slice(lead.length + 1);
  }
  if (option.body && rest.includes(`_${option.body}`)) rest = rest.replace(`_${option.body}`, "").replaceAll("_", " ");
  return rest.length >= 1 ? rest : option.label;
}

/** The one thing that all that an option names may be together: `Cobbler 3`, of a recipe and a step. */
export const thingOf = (option: OptionTold): string => option.things.join(" ");

/** An option in the words that its world has for people: `take egg from ingredient dispenser`; empty if it has none. */
export function phrased(option: OptionTold, { verbs, wording }: Pick<Welcome, "verbs" | "wording">): string {
  const form = wording[option.verb];
  if (form === undefined) return "";
  const things = new Map((verbs[option.verb] ?? []).map((param, index) => [param, option.things[index]]));
  return form.replace(/\{(\w+)\}/g, (_, param: string) => nameOfThing(things.get(param)));
}

/** What a thing is called, or several of which any will do: by what their names have in common. */
function nameOfThing(thing: string | string[] | undefined): string {
  const names = typeof thing === "string" ? [thing] : (thing ?? []);
  let common = names[0] ?? "";
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  return spoken(common.replace(/[-_ ]+$/, "") || (names[0] ?? ""));
}

/** A choice for people: what the world says, or else its label without what is plain to see. */
export const labelOf = ({ option, said }: Choice, verb: string): string => said || shortLabel(option, verb);

/** The names of everything that options are about; the first of them that a click asks for comes first. */
export function about(choices: readonly Choice[], names: ReadonlySet<string>): Choice[] {
  const has = (thing: string | string[]): boolean => (typeof thing === "string" ? names.has(thing) : thing.some((one) => names.has(one)));
  return choices.filter(({ option }) => option.things.some(has) || names.has(thingOf(option)) || (option.body !== "" && names.has(option.body)));
}
