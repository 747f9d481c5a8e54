"""What labels in a folder of records say in its report: measures, tables of classes, who labelled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.agreement import Agreement, Kappa, agreements, kappa_text, who
from backburner.evaluation.labelling import How, Settled, items_of, label_measures, settle, usable
from backburner.evaluation.labels import read_labels, record_digest
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.kernel.charts import Figure, Stack, Stacks
from backburner.kernel.episode import Episode
from backburner.kernel.errors import MissingExtra
from backburner.kernel.scoring import Measures, Section

UNLABELLED = "unlabelled"

HOWS: Mapping[How, str] = {
    "record": "by the record",
    "adjudicator": "adjudicated",
    "people": "by people",
    "people and judges": "by people and a model",
    "judges": "by a model alone",
    "tied": "tied",
    "none": UNLABELLED,
}
"""What decided about cases, as tables call it."""


class LabelReport(Struct, frozen=True):
    """The labels of a folder: ``settled`` has every case, ``unusable`` what does not count and why."""

    settled: tuple[Settled, ...] = ()
    unusable: tuple[str, ...] = ()
    measures: Mapping[str, Measures] = {}

    def of(self, episode: Episode) -> Measures:
        """What the labels give an episode; nothing where there are none."""
        return self.measures.get(record_digest(episode), {}) if self.measures else {}


def labels_in(path: Path, loaded: Records) -> LabelReport:
    """The labels that lie beside the records of ``path``; an empty report where there are none."""
    labels = read_labels(path)
    if not labels.said:
        return LabelReport(unusable=labels.unusable)
    found = items_of(loaded.episodes)
    settled = settle(found.items, labels)
    wrong = usable(found.items, labels)[1]
    return LabelReport(tuple(settled), (*labels.unusable, *wrong), label_measures(settled))


def with_labels(scored: Sequence[WorldScores], report: LabelReport) -> list[WorldScores]:
    """The scores with the tables and figures of labels, and what of the labels cannot be used."""
    told = list(map(replace, scored))
    for index, world in enumerate(told):
        mine = [one for one in report.settled if one.item.key.world == world.world]
        sections = (*world.sections, *label_sections(mine))
        left_out = (*world.left_out, *(report.unusable if index == 0 else ()))
        figures = (*world.figures, *label_figures(mine))
        told[index] = replace(world, sections=sections, figures=figures, left_out=left_out)
    return told


def _labelled_sets(settled: Sequence[Settled]) -> Iterator[list[Settled]]:
    """The cases of each label set in which anybody has labelled anything."""
    sets: dict[str, list[Settled]] = defaultdict(list)
    for one in settled:
        sets[one.item.key.set].append(one)
    return (cases for cases in sets.values() if any(one.said for one in cases))


def label_sections(settled: Sequence[Settled]) -> list[Section]:
    """Of each set of one world that somebody has labelled: the classes, how they were found, who labelled."""
    sections: list[Section] = []
    for cases in _labelled_sets(settled):
        sections += [_classes(cases), _decided(cases), _annotators(cases)]
    return sections


def _by_agent(settled: Sequence[Settled]) -> dict[str, list[Settled]]:
    found: dict[str, list[Settled]] = {}
    for one in settled:
        found.setdefault(one.item.episode.header.agent, []).append(one)
    return found


def _classes(settled: Sequence[Settled]) -> Section:
    labels = settled[0].item.labels
    met = [key for key in labels.keys if any(one.label == key for one in settled)]
    rows: list[tuple[Any, ...]] = []
    for agent, mine in _by_agent(settled).items():
        counts = Counter(one.label for one in mine)
        shares = (round(100 * counts[key] / len(mine), 1) for key in (*met, ""))
        rows.append((agent, len(mine), *shares))
    return Section(
        f"Labelled: {labels.title}",
        f"In per cent of all {labels.of}s that this is asked of, by the record or by settled labels.",
        ("agent", "cases", *met, UNLABELLED),
        tuple(rows),
    )


def _decided(settled: Sequence[Settled]) -> Section:
    met = [how for how in HOWS if any(one.how == how for one in settled)]
    rows: list[tuple[Any, ...]] = []
    for agent, mine in _by_agent(settled).items():
        counts = Counter(one.how for one in mine)
        rows.append((agent, *(counts[how] for how in met)))
    return Section(
        f"How it was decided: {settled[0].item.labels.title}",
        "Numbers of cases. An adjudicator's label settles a case, else the majority of people; where they "
        "are divided a model's label counts as one more, and where nobody labelled, it stands alone.",
        ("agent", *(HOWS[how] for how in met)),
        tuple(rows),
    )


def _annotators(settled: Sequence[Settled]) -> Section:
    """Who labelled how much, and how far each two agree."""
    text = "Cohen's kappa of each two over the cases that both labelled; 95 % jackknife intervals."
    try:
        found = next(agreements(settled))
    except MissingExtra as error:
        found = next(agreements(settled, coefficients=False))
        text = f"Kappas are left out: {error}"
    rows: list[tuple[Any, ...]] = []
    for name, number in found.annotators.items():
        rows.append((who(found.roles, name), found.roles[name], number, "", ""))
    for pair in found.pairs:
        names = f"{who(found.roles, pair.one)}, {who(found.roles, pair.other)}"
        rows.append((names, "both", pair.kappa.cases, round(pair.agreeing, 1), kappa_text(pair.kappa)))
    rows += [(names, "all", kappa.cases, "", kappa_text(kappa)) for names, kappa in _all_of_them(found)]
    columns = ("annotator", "role", "cases", "agree (%)", "kappa")
    return Section(f"Who labelled: {found.labels.title}", text, columns, tuple(rows))


def _all_of_them(found: Agreement) -> Iterator[tuple[str, Kappa]]:
    if found.together is not None:
        yield "all (Fleiss)", found.together.kappa


def label_figures(settled: Sequence[Settled]) -> Iterator[Figure]:
    """A figure of the classes of each set of one world that somebody has labelled."""
    for cases in _labelled_sets(settled):
        labels = cases[0].item.labels
        parts = (*labels.keys, UNLABELLED)
        stacks = []
        for agent, mine in _by_agent(cases).items():
            counts = Counter(one.label or UNLABELLED for one in mine)
            shares = {part: 100 * counts[part] / len(mine) for part in parts}
            stacks.append(Stack(f"{agent} ({len(mine)})", shares))
        chart = Stacks(labels.title, f"% of {labels.of}s", parts, tuple(stacks), 100.0)
        caption = "By the record or by settled labels; what neither decides is shown as unlabelled."
        yield Figure(f"labels-{labels.name}", f"Labelled: {labels.title}", caption, (chart,))
