"""Collab-Overcooked's analyses: by order, outcomes of collaborations, failed requests, success over gamma."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from msgspec import convert

from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.metrics.analysis_gamma import gamma_sections
from backburner.worlds.collab_overcooked.metrics.analysis_released import released_section
from backburner.worlds.collab_overcooked.metrics.metrics_collaboration import OUTCOMES, Capability
from backburner.worlds.collab_overcooked.metrics.metrics_failure import Failure
from backburner.worlds.collab_overcooked.metrics.score_measures import Counted, capability
from backburner.worlds.collab_overcooked.metrics.score_references import references_for

Rows = Sequence[Measured]

FAILURES: tuple[Failure, ...] = get_args(Failure)
READINGS: tuple[Counted, ...] = ("required", "released")


def sections(rows: Rows, references: str) -> list[Section]:
    """The article's analyses as tables. ``references``: the set that histories were compared with."""
    return [
        _orders(rows),
        _outcomes(rows),
        *_additions(rows),
        *_failures(rows),
        *gamma_sections(rows),
        *released_section(rows),
        *_left_out(rows, references),
    ]


def by_scenario(rows: Rows) -> Mapping[str, list[Measures]]:
    """The numbers of the episodes of each scenario, by its id."""
    found: dict[str, list[Measures]] = {}
    for episode, measures in rows:
        found.setdefault(episode.header.id, []).append(measures)
    return found


def by_level(rows: Rows) -> Iterator[tuple[str, list[Measures]]]:
    """(level or "other", the numbers of its episodes), and all of them where there are several."""
    found: dict[str, list[Measures]] = {}
    for _, measures in rows:
        level = measures.get("level")
        found.setdefault("other" if level is None else str(int(level)), []).append(measures)
    yield from sorted(found.items())
    if len(found) > 1:
        yield "all", [measures for _, measures in rows]


def _orders(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        for id, played in by_scenario(mine).items():
            required = capability(played, "required")
            table.append(
                (
                    agent,
                    id.partition("/")[2],
                    len(played),
                    _share(sum(row["success"] for row in played), len(played)),
                    _mean(played, "steps"),
                    _mean(played, "optimum"),
                    _mean(played, "PC"),
                    _percent(required.ic),
                    _percent(required.rc),
                )
            )
    return Section(
        "By order",
        "Success within the limit that was played, in per cent; mean steps of the successes beside the least "
        "steps where they are known; PC; IC and RC over required collaborations, in per cent.",
        ("agent", "order", "episodes", "success", "steps", "least steps", "PC", "IC", "RC"),
        tuple(table),
    )


def capabilities(rows: Rows) -> Iterator[tuple[str, str, Counted, Capability]]:
    """(agent, level, reading, capability), where there were any collaborations."""
    for agent, mine in by_agent(rows):
        for level, played in by_level(mine):
            for reading in READINGS:
                found = capability(played, reading)
                if found.collaborations:
                    yield agent, level, reading, found


def _outcomes(rows: Rows) -> Section:
    table = []
    for agent, level, reading, found in capabilities(rows):
        counts = (found.outcomes[outcome] for outcome in OUTCOMES)
        ic, rc = _percent(found.ic), _percent(found.rc)
        table.append((agent, level, reading, found.collaborations, *counts, ic, rc))
    return Section(
        "Outcomes of collaborations",
        "Which of asking and answering brought the task forward (section C.4 and Figure 5 of the article). "
        "Required: of each call that the references ask of the partner. Released: of each dialogue that the "
        "cook with the recipe opened. IC and RC in per cent.",
        ("agent", "level", "reading", "collaborations", *OUTCOMES, "IC", "RC"),
        tuple(table),
    )


def _additions(rows: Rows) -> Iterator[Section]:
    table = []
    for agent, mine in by_agent(rows):
        for level, played in by_level(mine):
            asked, answered = _total(played, "requests"), _total(played, "responses")
            if asked or answered:
                of_requests = _ratio(_total(played, "ITES of requests"), asked)
                of_answers = _ratio(_total(played, "ITES of responses"), answered)
                table.append((agent, level, int(asked), of_requests, int(answered), of_answers))
    if table:
        yield Section(
            "What requests and answers add",
            "The mean ITES of what was asked for in a dialogue, and of what was planned in answer to it: by "
            "how much it would raise the partner's TES (equation 3 of the article).",
            ("agent", "level", "asked", "ITES of requests", "answered", "ITES of answers"),
            tuple(table),
        )


def failed_requests(rows: Rows) -> Iterator[tuple[str, str, int, dict[Failure, int]]]:
    """(agent, level, dialogues with a request, those that failed by kind), where anything was asked for."""
    for agent, mine in by_agent(rows):
        for level, played in by_level(mine):
            asked = int(_total(played, "requests"))
            if asked:
                yield agent, level, asked, {kind: int(_total(played, f"request {kind}")) for kind in FAILURES}


def _failures(rows: Rows) -> Iterator[Section]:
    table = [
        (agent, level, asked, sum(failed.values()), *failed.values())
        for agent, level, asked, failed in failed_requests(rows)
    ]
    if table:
        yield Section(
            "Failed requests",
            "Dialogues in which something was asked for, those in which that brought nothing forward, and of "
            "these by the first request that was not due: it came too early, was done already, or is nothing "
            "the order takes (Figure 9 of the article).",
            ("agent", "level", "asked", "failed", *FAILURES),
            tuple(table),
        )


def _left_out(rows: Rows, references: str) -> Iterator[Section]:
    """The scenarios that the references say nothing about."""
    table = []
    for id, scenario in {e.header.id: e.header.scenario for e, _ in rows}.items():
        try:
            references_for(convert(scenario, Scenario), references)
        except Refused as refusal:
            table.append((id.partition("/")[2], str(refusal)))
    if table:
        text = "TES, ROUGE-L, PC, IC and RC compare with references; these scenarios have none."
        yield Section("Without references", text, ("order", "why"), tuple(table))


def _total(rows: Sequence[Measures], key: str) -> float:
    return sum(row.get(key, 0.0) for row in rows)


def _mean(rows: Sequence[Measures], key: str) -> float | str:
    values = [row[key] for row in rows if key in row]
    return _ratio(sum(values), len(values))


def _ratio(part: float, whole: float) -> float | str:
    return round(part / whole, 3) if whole else "–"


def _share(part: float, whole: float) -> float | str:
    return round(100 * part / whole, 1) if whole else "–"


def _percent(share: float | None) -> float | str:
    return "–" if share is None else round(100 * share, 1)
