"""What is to be labelled in a folder of records, who has labelled it, and what the labels come to.

Labels are settled case by case: an adjudicator's word first; else the majority of the people who labelled it;
where people are divided, a judge model's label counts as one more; where no person has labelled it, the
judges' majority. What is still divided then is tied, and has no label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from msgspec import Struct

from backburner.evaluation.labels.label_files import Key, Labels, Said, record_digest
from backburner.evaluation.submissions.verification import left_out
from backburner.kernel import registry
from backburner.kernel.assessment import Annotation, Case, LabelSet, label_measure
from backburner.kernel.episode import Episode
from backburner.kernel.errors import UnknownName, amount
from backburner.kernel.scoring import Measures

# --- what is to be labelled --------------------------------------------------------------------------------


class Item(Struct, frozen=True):
    """A case of a record: ``path`` is where it was read from, ``key`` what labels call it."""

    key: Key
    path: Path
    episode: Episode
    labels: LabelSet
    case: Case

    @property
    def open(self) -> bool:
        """Whether it needs a label."""
        return not self.case.decided

    @property
    def choices(self) -> tuple[str, ...]:
        """The labels that it may have."""
        possible = self.case.possible
        return tuple(key for key in self.labels.keys if not possible or key in possible)


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
        yield Item(Key(world, labels.name, record, at, case.seat), path, episode, labels, case)


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
