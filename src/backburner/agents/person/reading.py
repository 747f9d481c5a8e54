"""What a person's line stands for: numbers of the menu, keys, an action in full, or its unique beginnings.

In friendly play whatever would be refused is explained and costs nothing; in strict play a line goes to the
world as it was typed, as the answer of a model does, and the rules' prices hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import islice
from typing import Any

from msgspec import Struct

from backburner.agents.person.keys import AND, Chosen, Keys
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.policy import Trial, Turn
from backburner.kernel.values import Seat

MOST_CANDIDATES = 8
"""Actions that are named where a line could mean several."""

MOST_PHRASES = 20_000
"""Actions of a world among which one is looked for that cannot be done yet."""

MOST_REASONS = 3
"""Reasons that are told why none of several actions can be done yet."""

LONGEST_LINE = 2000
"""Characters of a line that are compared with actions; anything longer is a text for the world."""

TO_WAIT = frozenset(("wait", "pass", "noop", "nothing"))
"""Words for letting time go by, in whatever words the world puts it."""


class Reader(Struct, frozen=True):
    """Reads the lines of a person.

    ``keys``: those of the world, if it has any. ``typed`` makes the world's answer of a line of a seat,
    ``phrases`` are the actions that a seat may ever do. ``strict``: nothing is explained beforehand.
    ``listing``: where people see what can be done.
    """

    keys: Keys | None = None
    typed: Callable[[str, Seat], str] = lambda line, seat: line
    phrases: Callable[[Seat], Iterable[str]] = lambda seat: ()
    strict: bool = False
    listing: str = "'?' lists what can be done now."

    def read(self, line: str, turn: Turn) -> Chosen:
        """The decision or the text that the line stands for, or what to tell the person instead."""
        options = self.options(turn)
        chosen = self._numbers(line, turn, options) or self._pressed(line, turn, options)
        if chosen is None:
            exact = [option for option in options if option.label == line]
            chosen = Chosen(exact[0].decision) if exact else None
        if chosen is not None:
            return chosen
        text = self.typed(line, turn.seat)
        if self.strict:
            return Chosen(text)
        chosen = self._friendly(line, text, turn, options)
        small = chosen.problem and len(line) == 1 and line.islower()
        return (self._pressed(line.upper(), turn, options) if small else None) or chosen

    def options(self, turn: Turn) -> tuple[Option[Any], ...]:
        """The world's menu, then the suggestions that are whole lines; numbers go on through both."""
        listed: tuple[Option[Any], ...] = ()
        with suppress(Refused):  # a world that cannot list its decisions
            listed = turn.menu.options
        said = (each for each in turn.glance.suggestions if each.is_whole)
        lines = (
            Option(self.typed(each.line, turn.seat), each.label or each.line, gloss=each.gloss)
            for each in said
        )
        return (*listed, *lines)

    def _pressed(self, line: str, turn: Turn, options: Sequence[Option[Any]]) -> Chosen | None:
        if self.keys is None or turn.scene is None:
            return None
        return self.keys.read(line, turn.scene, options, turn.seat)

    def _numbers(self, line: str, turn: Turn, options: Sequence[Option[Any]]) -> Chosen | None:
        """One number of the menu; several for several bodies of a seat: ``1 5``."""
        words = line[:LONGEST_LINE].replace(AND, " ").replace(",", " ").split()
        if not words or not all(word.isascii() and word.isdigit() for word in words):
            return None
        numbers = [int(word[:9]) for word in words]
        if unknown := [number for number in numbers if not 1 <= number <= len(options)]:
            return Chosen(problem=f"no number {unknown[0]}; the list goes from 1 to {len(options)}")
        return self._joined([options[number - 1] for number in numbers], turn)

    def _friendly(self, line: str, text: str, turn: Turn, options: Sequence[Option[Any]]) -> Chosen:
        """What is not refused is taken as it stands; then beginnings are looked at; then it is explained."""
        trial = turn.trial(text)
        if not trial.refused:
            return Chosen(text, gives_up=trial.gives_up)
        parts = [part.strip() for part in line[:LONGEST_LINE].split(AND) if part.strip()]
        found: list[Option[Any]] = []
        for part in parts:
            free = [option for option in options if not option.body or option.body not in _bodies(found)]
            meant = meaning(part, [option for option in free if _is_begun(part, option)])
            if len(meant) > 1:
                return Chosen(problem=f"{shorten(part)!r} could mean {_named(meant)}: say a little more")
            if not meant:
                near = meaning(part, options)  # such as to ask the partner for it
                why = _told(trial) if len(parts) == 1 else ""
                if why and not near:
                    why = self._not_yet(part, turn) or why
                return Chosen(problem=_explained(part, why, near, options, self.listing), slip=line)
            found += meant
        return self._joined(found, turn) if found else Chosen(problem=_told(trial), slip=line)

    def _not_yet(self, line: str, turn: Turn) -> str:
        """Why the actions that the line begins cannot be done now, a reason a line; empty for none."""
        said = words_in(line)
        phrases = islice(self.phrases(turn.seat), MOST_PHRASES) if said else ()
        begun = [phrase for phrase in phrases if _begins(said, words_in(phrase))]
        tried = [(phrase, turn.trial(self.typed(phrase, turn.seat))) for phrase in begun[:MOST_CANDIDATES]]
        refused = [(phrase, trial) for phrase, trial in tried if trial.refused]
        nearest = [each for each in refused if each[1].wanting]  # others may never be possible
        reasons: dict[str, str] = {}
        for phrase, trial in sorted(nearest or refused, key=lambda each: len(each[1].wanting)):
            reasons.setdefault(_told(trial), phrase)
        told = (why if phrase in why else f"{phrase}: {why}" for why, phrase in reasons.items())
        return "\n".join(islice(told, MOST_REASONS))

    def _joined(self, options: Sequence[Option[Any]], turn: Turn) -> Chosen:
        """One decision of several options, or one text of several suggestions if the world reads it."""
        if len(options) == 1:
            return Chosen(options[0].decision)
        acting = [option.body for option in options if option.body]
        if twice := next((body for body in acting if acting.count(body) > 1), ""):
            return Chosen(problem=f"{twice} can do one thing at a time")
        if any(isinstance(option.decision, str) for option in options):
            return self._said_together(options, turn)
        try:
            return Chosen(turn.together([option.decision for option in options]))
        except Refused as error:
            return Chosen(problem=str(error))

    def _said_together(self, options: Sequence[Option[Any]], turn: Turn) -> Chosen:
        lines = {each.label or each.line: each.line for each in turn.glance.suggestions}
        said = [lines.get(option.label, option.label) for option in options]
        text = self.typed(f"{AND} ".join(said), turn.seat)
        if turn.trial(text).refused:
            return Chosen(problem=f"{options[0].label!r} and {options[1].label!r} do not go together")
        return Chosen(text)


def _told(trial: Trial) -> str:
    """Why something is refused, and what would have to be so first."""
    return f"{trial.why} First: {'; '.join(trial.wanting)}." if trial.wanting else trial.why


_WORD = re.compile(r"[a-z0-9]+")


def words_in(text: str) -> list[str]:
    """The words of an action, in small letters: ``goto_agent0_pot1`` has three."""
    return _WORD.findall(text.casefold())


def meaning(line: str, options: Sequence[Option[Any]]) -> list[Option[Any]]:
    """The options whose words begin as those of the line do, in the same order.

    One that has just these words is meant before others. Of options that differ in nothing but the body,
    the first is meant. Words for waiting mean what passes the time.
    """
    said = words_in(line)
    if not said:
        return []
    fitting = [option for option in options if _begins(said, words_in(f"{option.label} {option.gloss}"))]
    if not fitting and len(said) == 1 and said[0] in TO_WAIT:
        return [option for option in options if option.passes][:1]
    exact = [option for option in fitting if words_in(option.label) == said]
    kinds = {
        (option.verb, option.things) if option.verb else option.label: option for option in fitting[::-1]
    }
    return exact[:1] or (fitting[:1] if len(kinds) == 1 else fitting)


def _is_begun(line: str, option: Option[Any]) -> bool:
    """Whether the option may be meant: a text to be said, such as a request, by its first word only, so that
    nobody asks the partner for what they meant to do themselves."""
    first = words_in(line)[:1]
    return not isinstance(option.decision, str) or words_in(option.label)[0].startswith(tuple(first))


def _begins(said: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each word said is a beginning of a word, in their order."""
    rest = iter(words)
    return all(any(word.startswith(beginning) for word in rest) for beginning in said)


def _bodies(options: Sequence[Option[Any]]) -> set[str]:
    return {option.body for option in options if option.body}


def _named(options: Sequence[Option[Any]]) -> str:
    named = ", ".join(option.label for option in options[:MOST_CANDIDATES])
    more = f" and {len(options) - MOST_CANDIDATES} more" if len(options) > MOST_CANDIDATES else ""
    return named + more


def _explained(
    line: str, why: str, meant: Sequence[Option[Any]], options: Sequence[Option[Any]], listing: str
) -> str:
    """Why it is refused, and what is nearest among what can be done."""
    if line.casefold() in TO_WAIT and (later := [option for option in options if option.waits]):
        return f"Nothing here passes the time alone; waiting is to choose what starts later: {_named(later)}"
    near = [option.label for option in meant] or get_close_matches(
        line[:200], [option.label for option in options], n=1, cutoff=0.5
    )
    hint = f"Did you mean {near[0]!r}?" if near else listing
    why = why or f"{shorten(line)!r} cannot be done now."
    between = "\n" if "\n" in why else " " if why.endswith((".", "!", "?")) else ". "
    return f"{why}{between}{hint}"
