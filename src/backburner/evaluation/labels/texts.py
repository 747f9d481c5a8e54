"""Texts in plain words, of which annotators make scenarios: what of them is labelled, and what comes of it.

A file ``*.words.json`` has texts for one world, whose pack says which labels there are (``FromWords``). A
text is cut into pieces where a clause may begin. Annotators say at which pieces an action begins, what each
action is like, which waits for which, and how long at most. A label bears the number of the piece at which
its action begins; that of a pair bears the earlier action's as well. So everybody splits the text alone, and
the actions of two annotators are the same one where they begin at the same piece.

Labels lie in files as all others do. They are settled in turns: first where actions begin, then the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from backburner.evaluation.labels.cases import CaseText, Item, Settled, settle
from backburner.evaluation.labels.label_files import (
    Key,
    LabelFile,
    Labels,
    Role,
    Said,
    check_name,
    file_of,
    now,
)
from backburner.kernel import registry
from backburner.kernel.assessment import Action, Case, FromWords, LabelSet
from backburner.kernel.checks import ONE_LINE, FileId, unique
from backburner.kernel.errors import BadFile, Refused, UnknownName, amount, shorten
from backburner.kernel.files import Place, converted, read_json, write_whole
from backburner.kernel.values import digest, indented_json

SUFFIX = ".words.json"

MOST_PIECES = 100
"""Of a text."""

_CUT = re.compile(r"(?<=[.;:!?,]) | (?=(?:and|then|while|until)\b)", re.IGNORECASE)
_PLAIN = re.compile(r"\w+")

Saying = Mapping[Key, str]
"""What somebody says, or all together: a label for each part."""


# --- texts and their parts ---------------------------------------------------------------------------------


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """One text, and what its scenario is called."""

    name: FileId
    text: Annotated[str, Meta(min_length=1, max_length=8000), ONE_LINE]


class _WordsFile(Struct, frozen=True, forbid_unknown_fields=True):
    world: str
    texts: Annotated[tuple[Words, ...], Meta(min_length=1, max_length=100), unique("name")]


class Part(Item, frozen=True):
    """A gap of a text, an action, or a pair of actions, by one of its world's label sets."""

    source: Source

    @property
    def id(self) -> str:
        """The name of the text."""
        return f"{self.source.world}/{self.source.words.name}"

    def told(self) -> CaseText:
        """What is asked about, the text, and the guidelines for this question."""
        lines = tuple(f"{number}: {piece}" for number, piece in enumerate(self.source.pieces))
        asked, rules = ("What is asked about", self.case.facts), ("How to choose", self.labels.precedence)
        return CaseText(self.source.words.name, (asked, ("The text, piece by piece", lines), rules))


class Source(Struct, frozen=True):
    """A text with the file that it stands in and its world's label sets; ``record`` is its digest."""

    path: Path
    world: str
    words: Words
    declared: FromWords
    record: str
    pieces: tuple[str, ...]

    def key(self, labels: LabelSet, at: int, earlier: int | None = None) -> Key:
        """What labels call the part that begins at piece ``at``."""
        return Key(self.world, labels.name, self.record, at, "" if earlier is None else str(earlier))

    def starts(self, said: Saying) -> list[int] | None:
        """The pieces at which actions begin; ``None`` as long as that is not said of all."""
        gap = self.declared.gap
        told = [said.get(self.key(gap, at), "") for at in range(1, len(self.pieces))]
        return [0, *(at for at, label in enumerate(told, 1) if label == gap.keys[0])] if all(told) else None

    def parts(self, said: Saying) -> Iterator[Part]:
        """Everything that is asked of somebody who has said this so far: the properties of actions once it is
        known where they begin, and limits once it is known what waits for what."""
        declared = self.declared
        for at, (before, piece) in enumerate(pairwise(self.pieces), 1):
            yield self._part(declared.gap, at, None, f"before: {before}", f"this piece ({at}): {piece}")
        told = self.quotes(self.starts(said) or ())
        for start, words in told.items():
            for labels in declared.properties:
                yield self._part(labels, start, None, f"action: {words}")
        pairs = list(combinations(told, 2))
        asked = [(declared.pair, pairs)]
        if all(self.key(declared.pair, later, earlier) in said for earlier, later in pairs):
            asked.append((declared.limit, self.direct(said)))
        for labels, those in asked:
            for earlier, later in those:
                facts = (f"earlier: {told[earlier]}", f"later: {told[later]}")
                yield self._part(labels, later, earlier, *facts)

    def _part(self, labels: LabelSet, at: int, earlier: int | None, *facts: str) -> Part:
        return Part(self.key(labels, at, earlier), self.path, labels, Case(facts=facts), self)

    def quotes(self, starts: Sequence[int]) -> dict[int, str]:
        """The words of the actions that begin there."""
        ends = (*starts[1:], len(self.pieces))
        return {start: " ".join(self.pieces[start:end]) for start, end in zip(starts, ends, strict=False)}

    def waits(self, said: Saying) -> dict[int, set[int]]:
        """For each action all that it waits for, directly or not, after what is said of pairs."""
        pair, found = self.declared.pair, dict[int, set[int]]()
        for later in self.starts(said) or range(len(self.pieces)):
            needed = {one for one in found if said.get(self.key(pair, later, one)) == pair.keys[0]}
            found[later] = needed.union(*(found[earlier] for earlier in needed))
        return found

    def direct(self, said: Saying) -> list[tuple[int, int]]:
        """(earlier, later) of the actions of which one waits for the other with nothing in between."""
        waits = self.waits(said)
        return [
            (earlier, later)
            for later, needed in waits.items()
            for earlier in sorted(needed.difference(*(waits[between] for between in needed)))
        ]

    def actions(self, said: Saying) -> list[Action] | str:
        """The text as actions; or what is not said of it yet."""
        missing = [part for part in self.parts(said) if part.key not in said]
        if missing:
            one = missing[0]
            return f"{amount(len(missing), 'labels')} missing, first {one.labels.name}: {one.case.facts[-1]}"
        told, found = self.quotes(self.starts(said) or ()), []
        for start, words in told.items():
            labels = {labels.name: said[self.key(labels, start)] for labels in self.declared.properties}
            found.append(Action(words, labels, {}))
        numbers = {start: number for number, start in enumerate(told)}
        for earlier, later in self.direct(said):
            limit = said[self.key(self.declared.limit, later, earlier)]
            found[numbers[later]].after[numbers[earlier]] = limit
        return found

    def saying(self, actions: Sequence[Action], place: Place) -> dict[Key, str]:
        """What somebody says who writes the text as these actions, of which each names what it waits for
        directly. Raises ``BadFile`` for the first thing that does not fit, with its place."""
        starts, declared = self._quoted(actions, place), self.declared
        said = {
            self.key(declared.gap, n): declared.gap.keys[n not in starts] for n in range(1, len(self.pieces))
        }
        sets = {labels.name: labels for labels in declared.properties}
        for number, (action, start) in enumerate(zip(actions, starts, strict=True)):
            here = place.entry("actions", number)
            for name in (*sets, *action.labels):
                _known("label set", name, sets, here.field("labels"))
                label = action.labels.get(name, "")
                _known("label", label, sets[name].keys, here.field("labels").field(name))
                said[self.key(sets[name], start)] = label
            for earlier, label in action.after.items():
                if not 0 <= earlier < number:
                    raise here.field("after").wrong(f"{earlier} is no earlier action; they count from 0")
                _known("label", label, declared.limit.keys, here.field("after").at(str(earlier)))
                said[self.key(declared.limit, start, starts[earlier])] = label
                said[self.key(declared.pair, start, starts[earlier])] = declared.pair.keys[0]
        waits = self.waits(said)
        for earlier, later in combinations(starts, 2):
            free = earlier not in waits[later]
            said[self.key(declared.pair, later, earlier)] = declared.pair.keys[free]
        return said

    def _quoted(self, actions: Sequence[Action], place: Place) -> list[int]:
        """The pieces at which actions begin whose words, one after the other, are the text."""
        starts, at = [], 0
        for number, action in enumerate(actions):
            wanted, start = _plain(action.words), at
            found: list[str] = []
            while at < len(self.pieces) and len(found) < len(wanted):
                found += _plain(self.pieces[at])
                at += 1
            if not wanted or found != wanted:
                expected = " | ".join(self.pieces[start : max(at, start + 1)]) or "the end of the text"
                why = f"{shorten(action.words)!r} is not what comes next in whole pieces: {expected}"
                raise place.entry("actions", number).field("words").wrong(why)
            starts.append(start)
        if at < len(self.pieces):
            raise place.field("actions").wrong(f"the text goes on: {' | '.join(self.pieces[at:])}")
        return starts


def _plain(words: str) -> list[str]:
    return _PLAIN.findall(words.casefold())


def _known(kind: str, name: str, known: Iterable[str], place: Place) -> None:
    if name not in known:
        raise place.unknown(kind, name, known)


# --- files -------------------------------------------------------------------------------------------------


def files_in(runs: Path) -> list[Path]:
    """The files of texts at this path or in this folder; none where records lie."""
    if runs.is_dir():
        return sorted(runs.glob(f"*{SUFFIX}"))
    return [runs] if runs.name.endswith(SUFFIX) else []


def sources_in(runs: Path) -> list[Source]:
    """Every text of these files. Raises ``BadFile``, also for a world without ``FromWords``."""
    found: dict[str, Source] = {}
    for path in files_in(runs):
        place = Place(str(path))
        file = converted(read_json(path), _WordsFile, place)
        try:
            declared = registry.from_words(file.world)
        except (UnknownName, Refused) as error:
            raise place.field("world").wrong(str(error)) from error
        for here, words in place.entries("texts", file.texts):
            pieces = tuple(piece for piece in _CUT.split(" ".join(words.text.split())) if _plain(piece))
            if not 1 <= len(pieces) <= MOST_PIECES:
                raise here.field("text").wrong(f"{len(pieces)} pieces; a text has 1 to {MOST_PIECES}")
            if words.name in found:
                raise here.field("name").wrong(f"stands in {found[words.name].path} too")
            record = digest((file.world, words))
            found[words.name] = Source(path, file.world, words, declared, record, pieces)
    return list(found.values())


class _Annotated(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    actions: Annotated[tuple[Action, ...], Meta(min_length=1, max_length=MOST_PIECES)]


class Annotations(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of one annotator: some texts, each as actions."""

    texts: Annotated[tuple[_Annotated, ...], Meta(min_length=1, max_length=100), unique("name")]
    annotator: Annotated[str, Meta(max_length=60)] = ""


def import_annotations(
    file: Path, runs: Path, sources: Sequence[Source], annotator: str, labels: Labels
) -> dict[str, int]:
    """Take over what an annotator has written: all of the file or nothing; how many labels of whom.

    Raises ``BadFile`` naming text, action and field.
    """
    place, by_name = Place(str(file)), {source.words.name: source for source in sources}
    told = converted(read_json(file), Annotations, place)
    name = check_name(told.annotator or annotator)
    lines: list[Said] = []
    for here, text in place.entries("texts", told.texts):
        if text.name not in by_name:
            raise here.field("name").unknown("text", text.name, by_name)
        source = by_name[text.name]
        lines += lines_of(source, source.saying(text.actions, here), name, "person", labels)
    with LabelFile(file_of(runs, name)) as kept:
        kept.add(lines)
    return {name: len(lines)}


def lines_of(
    source: Source, said: Saying, annotator: str, role: Role, labels: Labels, **more: Any
) -> list[Said]:
    """What somebody says of a text as lines of a file of labels; all else that they have said of it among
    these ``labels`` is taken back."""
    before = {key: "" for key in said_by(labels, annotator, role) if key.record == source.record}
    versions, time = {labels.name: labels.version for labels in source.declared.sets}, now()
    return [
        Said(
            annotator, role, key.world, key.set, versions[key.set], key.record, label, time, key.at, key.seat,
            blind=True, **more,
        )
        for key, label in {**before, **said}.items()
        if key.set in versions
    ]  # fmt: skip


# --- what is said, and what it comes to --------------------------------------------------------------------


def said_by(labels: Labels, annotator: str, role: Role) -> dict[Key, str]:
    """The last word of somebody on each part."""
    mine = (one for one in labels.said if (one.annotator, one.role) == (annotator, role))
    return {one.key: one.label for one in mine if one.label}


def settled_texts(sources: Sequence[Source], labels: Labels) -> list[Settled]:
    """All parts that there are by what is settled: where actions begin, then their properties and what waits
    for what, then the limits."""
    said: dict[Key, str] = {}
    while True:
        found = settle([part for source in sources for part in source.parts(said)], labels)
        now_said = {one.item.key: one.label for one in found if one.label}
        if now_said == said:
            return found
        said = now_said


def write_scenarios(folder: Path, sources: Sequence[Source], settled: Sequence[Settled]) -> list[str]:
    """Write ``NAME.json`` for each text that is settled; a line about each that is not, or comes to nothing
    that can be played."""
    said = {one.item.key: one.label for one in settled if one.label}
    left = []
    for source in sources:
        name, actions = source.words.name, source.actions(said)
        if isinstance(actions, str):
            left.append(f"{name}: {actions}")
            continue
        try:
            made = source.declared.scenario(name, actions)
        except BadFile as error:
            left.append(str(error))
            continue
        write_whole(folder / f"{name}.json", indented_json(made))
    return left
