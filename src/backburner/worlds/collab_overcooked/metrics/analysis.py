"""The article's analyses as tables: orders, collaborations, requests, success over gamma, as released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import convert

from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Measured, Measures, Section, by_agent, grouped, mean
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    CUT,
    FAILURES,
    OUTCOMES,
    Capability,
    Counted,
    Failure,
    capability,
)
from backburner.worlds.collab_overcooked.metrics.measures import (
    Completion,
    Counting,
    mean_and_deviation,
    progress_completeness,
    success_rate,
)
from backburner.worlds.collab_overcooked.metrics.references import references_for

Rows = Sequence[Measured]

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
    found = grouped(rows, lambda row: row[0].header.id)
    return {id: [measures for _, measures in played] for id, played in found.items()}


def level_name(measures: Measures) -> str:
    """The level of an episode, or "other"."""
    return f"{measures['level']:g}" if "level" in measures else "other"


def by_level(rows: Rows) -> Iterator[tuple[str, list[Measures]]]:
    """(level or "other", the numbers of its episodes), and all of them where there are several."""
    levels = grouped((measures for _, measures in rows), level_name)
    yield from sorted(levels.items())
    if len(levels) > 1:
        yield "all", [measures for _, measures in rows]


def _by_agent_and_level(rows: Rows) -> Iterator[tuple[str, str, list[Measures]]]:
    for agent, of_agent in by_agent(rows):
        for level, played in by_level(of_agent):
            yield agent, level, played


def _orders(rows: Rows) -> Section:
    table = []
    for agent, of_agent in by_agent(rows):
        for id, played in by_scenario(of_agent).items():
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
    for agent, level, played in _by_agent_and_level(rows):
        for reading in READINGS:
            pooled = capability(played, reading)
            if pooled.collaborations:
                yield agent, level, reading, pooled


def _outcomes(rows: Rows) -> Section:
    table = []
    for agent, level, reading, pooled in capabilities(rows):
        counts = (pooled.outcomes[outcome] for outcome in OUTCOMES)
        ic, rc = _percent(pooled.ic), _percent(pooled.rc)
        table.append((agent, level, reading, pooled.collaborations, *counts, ic, rc))
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
    for agent, level, played in _by_agent_and_level(rows):
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
    for agent, level, played in _by_agent_and_level(rows):
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


GAMMAS = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)

TEXTS: dict[Counting, str] = {
    "steps": "The limit is gamma times the least steps of the order, where those are known.",
    "released": "The limit is gamma times the number recorded for the level (16, 23, 35, 32, 55, 64), as the "
    "released program compares it with the number of the last step, counted from 0.",
}


def gamma_sections(rows: Rows) -> Iterator[Section]:
    """Success by level over gamma, for each way of counting that some episode can be counted in."""
    for counting, text in TEXTS.items():
        table = tuple(
            (*cell, *("–" if share is None else share for share in shares))
            for *cell, shares in success_over_gamma(rows, counting)
        )
        if table:
            yield Section(
                f"Success over gamma, {'least' if counting == 'steps' else 'recorded'} steps",
                f"In per cent (Figure 8 of the article). {text} A dash: some episode was cut off earlier.",
                ("agent", "level", "episodes", *(f"{gamma:g}" for gamma in GAMMAS)),
                table,
            )


def success_over_gamma(rows: Rows, counting: Counting) -> Iterator[tuple[str, str, int, list[float | None]]]:
    """(agent, level, episodes, per cent of them in time for each of ``GAMMAS``, one decimal).

    ``None`` stands where some episode was cut off before that time.
    """
    for agent, of_agent in by_agent(rows):
        counted = [each for _, each in of_agent if completion_of(each).success(1, counting) is not None]
        for level, played in sorted(grouped(counted, level_name).items()):
            shares = (share_within(played, gamma, counting) for gamma in GAMMAS)
            yield agent, level, len(played), [None if s is None else round(100 * s, 1) for s in shares]


def completion_of(measures: Measures) -> Completion:
    """When an episode delivered, out of its numbers."""
    numbers = (measures.get(key) for key in ("steps", "level", "optimum"))
    steps, level, optimum = (None if number is None else int(number) for number in numbers)
    return Completion(steps, level, optimum)


def share_within(rows: Sequence[Measures], gamma: float, counting: Counting) -> float | None:
    """The share that delivered in time; ``None`` where an episode was cut off before that time."""
    completions = [completion_of(row) for row in rows]
    for row, completion in zip(rows, completions, strict=True):
        if "played" in row and row["played"] < (completion.allowed_steps(gamma, counting) or 0):
            return None
    return success_rate(completions, gamma, counting)


RELEASED_TEXT = (
    "What the released scripts say of each order, oddities included: a run is a success if the number of its "
    "last step, counted from 0, is at most 1.5 times the level's recorded one, any other is cut off there; "
    "IC and RC over dialogues that the chef opened, 0 if there are none, and a dash where nobody says "
    "anything in one of them, at which the scripts stop with an error. A level is the mean of its orders. "
    "Comparable with the release under released rules only."
)
RELEASED_COLUMNS = (
    "agent",
    "order",
    "runs",
    "success",
    "last step",
    "deviation",
    "TES chef",
    "TES assistant",
    "PC",
    "IC",
    "RC",
)


def released_section(rows: Rows) -> Iterator[Section]:
    """The table, if there are published orders."""
    table = tuple(_released_rows(rows))
    if table:
        yield Section("As the release evaluates", RELEASED_TEXT, RELEASED_COLUMNS, table)


def _released_rows(rows: Rows) -> Iterator[tuple[object, ...]]:
    for agent, of_agent in by_agent(rows):
        counted = [row for row in of_agent if f"{CUT}: success" in row[1]]
        for level, played in sorted(grouped(counted, lambda row: int(row[1]["level"])).items()):
            orders = by_scenario(played)
            figures = [of_order(runs) for runs in orders.values()]
            for (id, runs), own in zip(orders.items(), figures, strict=True):
                yield (agent, id.partition("/")[2], len(runs), *map(_cell, own))
            means = map(mean, zip(*figures, strict=True))
            yield (agent, f"level {level}", len(played), *map(_cell, means))


def of_order(runs: Sequence[Measures]) -> tuple[float | None, ...]:
    """Success rate, mean and deviation of the last index, TES of both cooks, PC, IC and RC of an order.

    There is no last index without a success, and no IC and RC where a talk is without a word.
    """
    taken = [run[f"{CUT}: last index"] for run in runs if f"{CUT}: last index" in run]
    last, deviation = mean_and_deviation(taken) or (None, None)
    scores = [_exact_mean(runs, f"{CUT}: TES {cook}") for cook in ("chef", "assistant")]
    success = _exact_mean(runs, f"{CUT}: success")
    pc = progress_completeness(scores)
    if any(f"{CUT}: undefined" in run for run in runs):
        return success, last, deviation, *scores, pc, None, None
    pooled = capability(runs, CUT)
    return success, last, deviation, *scores, pc, pooled.ic or 0.0, pooled.rc or 0.0


def _exact_mean(runs: Sequence[Measures], key: str) -> float:
    return sum(run[key] for run in runs) / len(runs)


def _cell(value: float | None) -> float | str:
    return "–" if value is None else round(value, 3)
