"""The cases of a folder of records: which there are, what there is to read of each, what its labels come to.

Labels are settled case by case: an adjudicator's word first; else the majority of the people who labelled it;
where people are divided, a judge model's label counts as one more; where no person has labelled it, the
judges' majority. What is still divided then is tied, and has no label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backburner.evaluation.labels.label_files import Key, Labels, Said, record_digest
from backburner.evaluation.records import left_out
from backburner.kernel import registry
from backburner.kernel.assessment import Annotation, Case, LabelSet, label_measure
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import UnknownName, amount, one_line, shorten
from backburner.kernel.replay import Question, questions, trajectory, world_of
from backburner.kernel.scoring import Measures
from backburner.kernel.text import Text
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Event, Refusal, Seat

# --- what is to be labelled --------------------------------------------------------------------------------


class Item(Struct, frozen=True):
    """What has one label: ``path`` is where it was read from, ``key`` what labels call it."""

    key: Key
    path: Path
    labels: LabelSet
    case: Case

    @property
    def id(self) -> str:
        """What tables call that which it is a part of."""
        raise NotImplementedError

    @property
    def agent(self) -> str:
        """Whose play it is, if any."""
        return ""

    def told(self) -> CaseText:
        """All that there is to read of it."""
        raise NotImplementedError

    @property
    def open(self) -> bool:
        """Whether it needs a label."""
        return not self.case.decided

    @property
    def choices(self) -> tuple[str, ...]:
        """The labels that it may have."""
        possible = self.case.possible
        return tuple(key for key in self.labels.keys if not possible or key in possible)


class Recorded(Item, frozen=True):
    """A case of a record."""

    episode: Episode

    @property
    def id(self) -> str:
        """The scenario's id."""
        return self.episode.header.id

    @property
    def agent(self) -> str:
        """As the header names it."""
        return self.episode.header.agent

    def told(self) -> CaseText:
        """The record in words."""
        return _Teller(self).case_text()


class Found(Struct, frozen=True):
    """The items of some records; ``unusable`` says of each record that has none, as it is broken, why."""

    items: tuple[Item, ...]
    unusable: tuple[str, ...] = ()


def items_of(episodes: Iterable[tuple[Path, Episode]], name: str = "") -> Found:
    """Every case of these records, of all label sets or those of this name, in the records' order.

    A record that is there twice counts once. Raises ``UnknownName`` if no world of these has such a set.
    """
    items: dict[Key, Item] = {}
    unusable: list[str] = []
    known: dict[str, None] = {}
    for path, episode in episodes:
        world, record = episode.header.world, record_digest(episode)
        try:
            annotations = registry.label_sets(world)
            known |= {annotation.labels.name: None for annotation in annotations}
            for annotation in annotations:
                if name in ("", annotation.labels.name):
                    for item in _items(path, episode, record, annotation):
                        items.setdefault(item.key, item)
        except Exception as error:  # a record may be what no play of ours would have come to
            unusable.append(left_out(path, error))
    if name and name not in known:
        raise UnknownName("label set", name, known)
    return Found(tuple(items.values()), tuple(unusable))


def _items(path: Path, episode: Episode, record: str, annotation: Annotation) -> Iterator[Item]:
    world, labels = episode.header.world, annotation.labels
    for case in annotation.cases(episode):
        at = -1 if case.at is None else case.at
        yield Recorded(Key(world, labels.name, record, at, case.seat), path, labels, case, episode)


def sampled(items: Sequence[Item], number: int | None, seed: int) -> list[Item]:
    """So many of the items, drawn by this seed, in their order; all of them without a number.

    The same records give the same sample, whatever their files are called and whoever asks.
    """
    if number is None or number >= len(items):
        return list(items)
    drawn = {item.key for item in sorted(items, key=lambda item: _drawn(item.key, f"sample {seed}"))[:number]}
    return [item for item in items if item.key in drawn]


def shuffled(items: Sequence[Item], annotator: str, seed: int) -> list[Item]:
    """The items in an order of the annotator's own."""
    return sorted(items, key=lambda item: _drawn(item.key, f"order {seed} {annotator}"))


def _drawn(key: Key, salt: str) -> bytes:
    return blake2b(repr((key, salt)).encode(), digest_size=16).digest()


# --- what there is to read of a case -----------------------------------------------------------------------


LONGEST_TEXT = 20_000
"""Characters of one text (a thought, an answer) that are shown."""

MOST_LINES = 20_000
"""Lines of a part of a case's text, at most."""

SHORTEST_NAME = 5
"""Names of models with fewer characters may be anybody's words, and stay where they are said."""

HIDDEN = "(model)"


class CaseText(Struct, frozen=True):
    """``title``: the scenario and the case. ``parts``: (heading, lines), in the order in which they are read.

    What the record says that bears on the choice comes first, then every step (what was thought, answered,
    refused, what happened), how things stood, and what the seat was told. Names of agents and models are in
    none of it, so that nobody judges by them. No line breaks or moves anything when it is printed.
    """

    title: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]


class _Teller:
    """Puts one case into words."""

    def __init__(self, item: Recorded) -> None:
        self._item, self._episode = item, item.episode
        self._world: World[Any, Any, Any] = world_of(item.episode)
        self._steps = list(trajectory(item.episode, self._world))
        self._several = len(self._episode.header.seats) > 1
        self._names = _models(item.episode)

    def case_text(self) -> CaseText:
        header, case = self._episode.header, self._item.case
        at = "" if case.at is None else f", step {case.at}{f', {case.seat}' if case.seat else ''}"
        parts = [
            ("What the record says", list(self._outcome())),
            ("The task", list(self._task())),
            *self._decision(),
            ("Step by step", [line for entry in self._episode.entries for line in self._step(entry)]),
            ("How things stood at the end", list(self._told(len(self._steps)))),
            ("What was told before play", list(self._briefing())),
        ]
        cleaned = tuple((heading, tuple(self._clean(lines))) for heading, lines in parts if lines)
        return CaseText(one_line(f"{header.id}, seed {header.seed}{at}"), cleaned)

    def _clean(self, lines: list[str]) -> Iterator[str]:
        for line in lines[:MOST_LINES]:
            for name in self._names:
                line = line.replace(name, HIDDEN)
            yield one_line(line.replace("\t", "    ")).rstrip()
        if len(lines) > MOST_LINES:
            yield f"... and {len(lines) - MOST_LINES} more lines, which are in the record"

    def _outcome(self) -> Iterator[str]:
        ending = self._episode.ending
        if ending is not None:
            numbers = ", ".join(f"{name} {value:g}" for name, value in ending.numbers.items())
            yield f"{ending.reason.replace('_', ' ')}: {numbers}"
        yield from self._item.case.facts
        if possible := self._item.case.possible:
            yield f"What the record leaves open: {', '.join(possible)}."

    def _task(self) -> Iterator[str]:
        """What the seat is to do; in a world without words nothing."""
        if isinstance(self._world, Text):
            parts = self._world.briefing_parts(self._seat)
            yield from _lines("\n".join(part.text for part in parts if part.kind == "task"))

    @property
    def _seat(self) -> Seat:
        return self._item.case.seat or self._episode.header.seats[0]

    def _decision(self) -> Iterator[tuple[str, list[str]]]:
        """Of a case that is a decision: what the seat saw before it, and the decision itself."""
        at = self._item.case.at
        if at is not None and 0 <= at < len(self._steps):
            yield f"What was told before step {at}", list(self._told(at))
            yield f"Step {at}, which is asked about", list(self._step(self._episode.entries[at]))

    def _told(self, at: int) -> Iterator[str]:
        """What the seat was told before this step, or would have been told at the end."""
        if not isinstance(self._world, Text) or not self._steps:
            return
        state = self._steps[at][0] if at < len(self._steps) else self._steps[-1][2].state
        asked = Question(self._seat, at, state)
        if self._episode.header.clock is not None:  # it was told before it thought
            all_asked = questions(self._episode, self._world)
            own = (one for one in all_asked if one.decided == at and one.seat == self._seat)
            asked = next(own, asked)
        seed = self._episode.header.seed
        turn = turn_of(self._world, asked.state, self._seat, asked.index, seed, clock=asked.clock)
        yield from _lines(turn.text)

    def _briefing(self) -> Iterator[str]:
        if isinstance(self._world, Text):
            yield from _lines(self._world.briefing(self._seat))

    def _step(self, entry: Entry) -> Iterator[str]:
        for seat, answer in entry.decided.items():
            yield f"[{entry.index}]{f' {seat}' if self._several else ''}"
            for thought in answer.thoughts:
                yield from _indented(f"{thought.purpose}: {thought.text}")
            yield from _indented(f"answer: {self._answer(seat, answer)}")
            for refusal in entry.refusals:
                if refusal.seat in (seat, ""):
                    yield f"    REFUSED: {_refused(refusal)}"
        yield from (f"    -> {_happened(event)}" for event in entry.events if event.kind != "refused")

    def _answer(self, seat: Seat, answer: Answer) -> str:
        if answer.text is not None:
            return answer.text
        decision = decision_of(self._world, answer.decision)
        if isinstance(self._world, Text):
            return self._world.words(decision, seat)
        return msgspec.json.encode(answer.decision).decode()


def _models(episode: Episode) -> list[str]:
    """The names of the models that played, longest first."""
    found = {str(player.settings.get("model", "")) for player in episode.header.players.values()}
    return sorted((name for name in found if len(name) >= SHORTEST_NAME), key=len, reverse=True)


def _lines(text: str) -> list[str]:
    cut = "" if len(text) <= LONGEST_TEXT else f"\n... and {len(text) - LONGEST_TEXT} more characters"
    return (text[:LONGEST_TEXT] + cut).splitlines()


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}" for line in _lines(text))


def _refused(refusal: Refusal) -> str:
    facts = ", ".join(f"{name} {_fact(value)}" for name, value in refusal.detail if value not in (None, ""))
    return shorten(f"{refusal.code.replace('_', ' ')}{f' ({facts})' if facts else ''}", 400)


def _fact(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _happened(event: Event) -> str:
    value = "" if event.value is None else f" {event.value:g}"
    lane = f" ({event.lane})" if event.lane else ""
    return f"{event.time:g}: {event.what} {event.label}{value}{lane}"


def shortened_text(text: CaseText, most: int) -> str:
    """The text of a case with at most so many characters; of what is longer the middle of its longest
    parts is left out, and that is said."""
    parts = [f"## {heading}\n" + "\n".join(lines) for heading, lines in text.parts]
    room = max(200, most // max(1, len(parts)))
    spare = most - sum(min(len(part), room) for part in parts)
    shown = []
    for part in parts:
        allowed = min(len(part), room + max(0, spare))
        spare -= max(0, allowed - room)
        shown.append(_without_middle(part, allowed))
    return "\n\n".join(shown)


def _without_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


# --- what labels come to -----------------------------------------------------------------------------------

How = Literal["record", "adjudicator", "people", "people and judges", "judges", "tied", "none"]
"""What decided about a case; ``tied``: as many are for one label as for another; ``none``: no label."""


class Settled(Struct, frozen=True):
    """An item with what was said of it; ``label`` is empty where nothing settles it."""

    item: Item
    label: str
    how: How
    said: tuple[Said, ...]


def usable(items: Sequence[Item], labels: Labels) -> tuple[dict[Key, list[Said]], list[str]]:
    """(what was said of each item, why some of what was said does not count)."""
    by_key = {item.key: item for item in items}
    said: dict[Key, list[Said]] = defaultdict(list)
    wrong: Counter[str] = Counter()
    for one in labels.said:
        item = by_key.get(one.key)
        if item is None:
            wrong["about records or decisions that are not here"] += 1
        elif one.version != item.labels.version:
            wrong[f"by version {one.version} of {one.set}, which has version {item.labels.version} now"] += 1
        elif one.label and one.label not in item.labels.keys:
            wrong[f"that {one.set} does not know"] += 1
        elif one.label and one.label not in item.choices:
            wrong["that the record rules out"] += 1
        elif one.label:
            said[one.key].append(one)
    return dict(said), [f"{amount(number, 'labels')} left out: {why}" for why, number in wrong.items()]


def settle(items: Sequence[Item], labels: Labels) -> list[Settled]:
    """What decides about each item, and how."""
    said, _ = usable(items, labels)
    return [_settled(item, said.get(item.key, [])) for item in items]


def _settled(item: Item, said: Sequence[Said]) -> Settled:
    if item.case.decided:
        return Settled(item, item.case.decided, "record", tuple(said))
    label, how = agreed(said)
    return Settled(item, label, how, tuple(said))


def agreed(said: Sequence[Said]) -> tuple[str, How]:
    """(the label that these lines about one case come to, how); no label where they are tied."""
    by_role = {role: [one.label for one in said if one.role == role] for role in _ROLES}
    people, judges = by_role["person"], by_role["judge"]
    tries: tuple[tuple[How, list[str]], ...] = (
        ("adjudicator", by_role["adjudicator"]),
        ("people", people),
        ("people and judges" if people else "judges", [*people, *judges]),
    )
    for how, votes in tries:
        if (winner := _majority(votes)) and (how != "people and judges" or judges):
            return winner, how
    return "", "tied" if any(one.label for one in said) else "none"


_ROLES = ("adjudicator", "person", "judge")


def _majority(votes: Sequence[str]) -> str:
    """The label with more votes than any other; empty if there is none."""
    first, second = (*Counter(votes).most_common(2), ("", 0), ("", 0))[:2]
    return first[0] if first[1] > second[1] else ""


def label_measures(settled: Sequence[Settled]) -> Mapping[str, Measures]:
    """The measures that settled labels give each record, by its digest; what the record decides is not
    among them."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in settled:
        if one.label and one.how != "record":
            found[one.item.key.record][label_measure(one.item.labels.name, one.label)] += 1
    return {
        record: {name: float(number) for name, number in counts.items()} for record, counts in found.items()
    }
