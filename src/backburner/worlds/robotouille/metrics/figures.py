"""Robotouille's figures: optimality (its Figure 3), steps to go (4), failures (5, 7), repetition (6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from backburner.kernel.charts import Bar, Bars, Box, Boxes, Chart, Figure, Group, Stack, Stacks
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Estimator, Measured, Measures, Metric, by_agent, grouped
from backburner.worlds.robotouille.metrics.analysis import (
    ACTION,
    AT_STATIONS,
    BAD_START,
    BOTH_RULES,
    BOTH_UNCERTAIN,
    FAILURES,
    IN_HANDS,
    INGREDIENTS,
    OPTIMALITY_BINS,
    ORDER,
    STATE,
    TO_GO_BINS,
    Bins,
    bin_of,
    failure_of,
    quartiles,
    task_of,
)
from backburner.worlds.robotouille.metrics.tables import published_tables

ARTICLES_AGENT = "gpt4-o ReAct"
FIRST_ASYNCHRONOUS = tuple(f"asynchronous/{number}" for number in (1, 2, 3))

PRINTED_BINS: Mapping[str, Mapping[str, str]] = {
    "optimality": {
        "successes that are optimal": "1",
        "successes in (1, 1.25] times the optimum": "(1, 1.25]",
    },
    "to go": {
        "failures with normalised steps to go in (0.5, 1]": "(0.5, 1]",
        "failures with normalised steps to go above 1": "above 1",
    },
}
"""The bins of the shares that the article prints."""

CAUSES = {
    "misunderstands predicates": STATE,
    "invalid action": ACTION,
    "hold-one-item": IN_HANDS,
    "one-item-at-station": AT_STATIONS,
    "both rules": BOTH_RULES,
    "bad start": BAD_START,
    "ingredient uncertainty": INGREDIENTS,
    "order uncertainty": ORDER,
    "both uncertainties": BOTH_UNCERTAIN,
}
"""The article's causes, and what they are called here."""


def figures(rows: Sequence[Measured], group: Callable[[Episode], str], estimate: Estimator) -> list[Figure]:
    """Figures 3 to 7 over what was played. ``group``: the set of tasks that an episode belongs to."""
    cells = _cells(rows, group)
    share = partial(_share, estimate)
    first = {
        name: [row for row in episodes if task_of(row[0]) in FIRST_ASYNCHRONOUS]
        for name, episodes in cells.items()
    }
    asynchronous = {name: episodes for name, episodes in first.items() if episodes}
    return [
        Figure(
            "figure-3",
            "Optimality rate of successes",
            "Steps taken over those of the shortest plan, where that is proven: the shape of Figure 3 of the "
            f"article. Pale: what it prints of {ARTICLES_AGENT}.",
            tuple(_histogram("optimality", "% of successes", OPTIMALITY_BINS, cells, share)),
        ),
        Figure(
            "figure-4",
            "Normalised steps to go of failures",
            "Steps of the shortest plan from where a failure ended over those from the beginning: the shape "
            f"of Figure 4 of the article. Pale: what it prints of {ARTICLES_AGENT}.",
            tuple(_histogram("to go", "% of failures", TO_GO_BINS, cells, share)),
        ),
        Figure(
            "figure-5",
            "Sources of failure",
            "The failures of each agent by cause and by family, in per cent: the inner and the outer rings "
            f"of Figure 5 of the article, whose counts of {ARTICLES_AGENT} stand beneath. What neither the "
            "record decides nor anybody has labelled is shown as that.",
            tuple(_failures("Sources of failure", cells, _printed(cells))),
        ),
        Figure(
            "figure-6",
            "Repeated transitions",
            "Steps that do in the same kitchen what was done before, of each episode: what Figure 6 of the "
            "article shows as a histogram with quartiles.",
            tuple(_repeated(cells)),
        ),
        Figure(
            "figure-7",
            "Sources of failure, asynchronous tasks 1 to 3",
            "The failures of the three tasks on which Figure 7 of the article tries a prompt that tells more "
            "rules.",
            tuple(_failures("Asynchronous tasks 1 to 3", asynchronous, [])),
        ),
    ]


def _cells(rows: Sequence[Measured], group: Callable[[Episode], str]) -> dict[str, list[Measured]]:
    """The episodes of each agent in each set of tasks, in the order of their first appearance."""
    named = {id(episode): agent for agent, episodes in by_agent(rows) for episode, _ in episodes}
    return grouped(rows, lambda row: f"{named[id(row[0])]}, {group(row[0])}")


def _printed(cells: Mapping[str, object]) -> list[Stack]:
    """The article's failures in the sets that were played, in per cent."""
    stacks = []
    for group in dict.fromkeys(row.group for row in published_tables().failures):
        rows = [row for row in published_tables().failures if row.group == group]
        total = sum(row.count for row in rows)
        parts: Counter[str] = Counter()
        for row in rows:
            parts[CAUSES[row.cause]] += row.count
        if any(name.endswith(f", {group}") for name in cells):
            shares = {name: 100 * count / total for name, count in parts.items()}
            stacks.append(Stack(f"{ARTICLES_AGENT}, {group}, article", shares, quoted=True))
    return stacks


Share = Callable[[str, Sequence[Measured], Callable[[Measures], bool]], Bar]
"""The per cent of episodes for which something holds, as a bar of this name with its interval."""


def _share(
    estimate: Estimator, name: str, rows: Sequence[Measured], holds: Callable[[Measures], bool]
) -> Bar:
    def over(measures: Sequence[Measures]) -> float | None:
        return 100 * sum(map(holds, measures)) / len(measures) if measures else None

    return estimate(Metric(name, name, "%", "neither", over, "", share=True), rows).bar(name)


def _histogram(
    key: str, unit: str, bins: Bins, cells: Mapping[str, Sequence[Measured]], share: Share
) -> Iterator[Chart]:
    with_key = {name: [row for row in rows if key in row[1]] for name, rows in cells.items()}
    played = {name: rows for name, rows in with_key.items() if rows}
    if played:
        groups = tuple(
            Group(
                name,
                (
                    *(share(cell, rows, partial(_in_bin, bins, key, name)) for cell, rows in played.items()),
                    *_printed_bin(key, name, played),
                ),
            )
            for name, _ in bins
        )
        yield Bars(f"{unit} by {key}", unit, groups, 100.0)


def _in_bin(bins: Bins, key: str, name: str, measures: Measures) -> bool:
    return name == bin_of(bins, measures[key])


def _printed_bin(key: str, name: str, played: Mapping[str, object]) -> Iterator[Bar]:
    for row in published_tables().figures:
        if PRINTED_BINS[key].get(row.figure) == name and any(
            cell.endswith(f", {row.group}") for cell in played
        ):
            yield Bar(f"{ARTICLES_AGENT}, {row.group}, article", row.percent, quoted=True)


def _failures(
    title: str, cells: Mapping[str, Sequence[Measured]], quoted: Sequence[Stack]
) -> Iterator[Chart]:
    """A chart of the causes, and one of the families that they belong to."""
    stacks = []
    for name, rows in cells.items():
        failed = [measures for _, measures in rows if not measures["success"]]
        if failed:
            counts = Counter(map(failure_of, failed))
            shares = {part: 100 * counts[part] / len(failed) for part in FAILURES}
            stacks.append(Stack(f"{name} ({len(failed)})", shares))
    if stacks:
        causes = (*stacks, *quoted)
        yield Stacks(title, "% of failures", FAILURES, causes, 100.0)
        families = tuple(replace(stack, parts=_by_family(stack.parts)) for stack in causes)
        yield Stacks(f"{title}: families", "% of failures", tuple(families[0].parts), families, 100.0)


def _by_family(shares: Mapping[str, float]) -> dict[str, float]:
    found: dict[str, float] = dict.fromkeys((part.partition(":")[0] for part in FAILURES), 0.0)
    for part, share in shares.items():
        found[part.partition(":")[0]] += share
    return found


def _repeated(cells: Mapping[str, Sequence[Measured]]) -> Iterator[Chart]:
    boxes = []
    for name, rows in cells.items():
        for ending, wanted in (("success", 1.0), ("failure", 0.0)):
            values = [measures["repeated"] for _, measures in rows if measures["success"] == wanted]
            if values:
                box = Box(f"{name}, {ending}", min(values), *quartiles(values), max(values), len(values))
                boxes.append(box)
    if boxes:
        yield Boxes("Repeated transitions", "repeated transitions in an episode", tuple(boxes))
