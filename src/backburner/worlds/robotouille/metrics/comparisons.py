"""Methods and models side by side in the shapes of the article's Tables 2, 3 and 4, its numbers beneath."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.worlds.robotouille.metrics.published import Variant, published_tables

Rows = Sequence[Measured]

SETS = ("synchronous", "asynchronous")
METHODS: Mapping[str, str] = {"io": "I/O", "io-cot": "I/O CoT", "react": "ReAct"}
"""Our names of the article's methods."""

HISTORIES: Mapping[str, str] = {
    "no-history": "none",
    "last-action": "last-action",
    "last-reasoning-action": "last-reasoning-action",
    "last-obs-reasoning-action": "last-observation-reasoning-action",
}
"""The article's names of what is told again of earlier turns, and ours."""

PLANS = "-mpc"
"""What the article adds to the name of a variant whose thoughts hold a whole plan."""


class Asked(Struct, frozen=True):
    """How a language model was asked: ``method`` without its choices; ``plain`` if none was chosen."""

    model: str
    method: str
    plain: bool
    choices: Mapping[str, str]


def asked(episode: Episode) -> Asked | None:
    """How the model of an episode was asked; ``None`` if it was no model's, or more than one played."""
    players = {(player.name, str(player.settings)): player for player in episode.header.players.values()}
    settings = next(iter(players.values())).settings if len(players) == 1 else {}
    if "method" not in settings:
        return None
    method, _, chosen = str(settings["method"]).partition("@")
    choices: Any = settings.get("choices", {})
    rules = episode.header.rules_name
    model = str(settings.get("model", "?")) + ("" if rules == "standard" else f", {rules}")
    return Asked(model, method, not chosen, choices if isinstance(choices, Mapping) else {})


def sections(rows: Rows) -> Iterator[Section]:
    """The tables that say something of these episodes."""
    by_model = [(asked(row[0]), row) for row in rows]
    played = [(how, row) for how, row in by_model if how is not None]
    yield from _models([(how, row) for how, row in played if how.plain and how.method in METHODS])
    yield from _tasks(rows)
    yield from _variants([(how, row) for how, row in played if how.method == "react"])


def _models(played: Sequence[tuple[Asked, Measured]]) -> Iterator[Section]:
    """The shape of Table 2: a line for each model, a column for each method in each set."""
    if not played:
        return
    keys = [(name, method) for name in SETS for method in METHODS]
    table: list[tuple[Any, ...]] = []
    for model in dict.fromkeys(how.model for how, _ in played):
        mine = [(how, row) for how, row in played if how.model == model]
        cells = (
            [m for how, (episode, m) in mine if how.method == method and _set(episode) == name]
            for name, method in keys
        )
        table.append((model, *map(_success, cells)))
    printed: dict[str, dict[tuple[str, str], float]] = {}
    for one in published_tables().table2:
        model, _, method = one.agent.partition(" ")
        printed.setdefault(model, {})[one.group, method] = one.figures["Success"]
    for model, figures in printed.items():
        table.append((f"{model}, article", *(figures[name, METHODS[method]] for name, method in keys)))
    yield Section(
        "Success by method and model",
        "Successes in per cent (Table 2 of the article), of methods with their usual choices.",
        ("model", *(f"{name} {METHODS[method]}" for name, method in keys)),
        tuple(table),
    )


def _tasks(rows: Rows) -> Iterator[Section]:
    """The shape of Table 3: a line for each task, a column for each agent."""
    agents = dict(by_agent([row for row in rows if _set(row[0]) in SETS]))
    played = {str(episode.header.scenario.get("task")) for mine in agents.values() for episode, _ in mine}
    table = []
    for task in published_tables().table3:
        if task.task in played:
            ours = (_success([m for e, m in mine if _task(e) == task.task]) for mine in agents.values())
            table.append((task.task, *ours, task.io, task.io_cot, task.react, task.horizon))
    if table:
        article = tuple(f"{method}, article" for method in METHODS.values())
        yield Section(
            "Tasks beside the article",
            "Successes in per cent by task, beside Table 3 of the article (gpt4-o) and its horizon.",
            ("task", *agents, *article, "horizon"),
            tuple(table),
        )


def _variants(played: Sequence[tuple[Asked, Measured]]) -> Iterator[Section]:
    """The shape of Table 4: a line for each form of ReAct."""
    if not played:
        return
    found: dict[tuple[str, str], list[Measured]] = {}
    for how, row in played:
        found.setdefault((how.model, _variant(how.choices)), []).append(row)
    table: list[tuple[Any, ...]] = []
    for (model, variant), mine in found.items():
        solved = sum(int(measures["success"]) for _, measures in mine)
        steps = sum(measures["steps"] for _, measures in mine) / len(mine)
        table.append((model, variant, solved, len(mine), steps, sum(_tokens(e) for e, _ in mine), "–"))
    for one in published_tables().table4:
        line = ("article", _printed_variant(one), one.solved, one.of, one.mean_steps, "–", one.dollars)
        table.append(line)
    yield Section(
        "Forms of ReAct",
        "What is told again of earlier turns, whether thoughts hold a plan, and rules are recalled (Table 4 "
        "of the article, which does not tell its nine kitchens; steps of all episodes, tokens of all calls).",
        ("model", "form", "solved", "of", "mean steps", "tokens", "dollars"),
        tuple(table),
    )


def _variant(choices: Mapping[str, str]) -> str:
    extras = [name for name in ("plan", "prior") if choices.get(name) == "on"]
    return ", ".join((f"history={choices.get('history', '?')}", *extras))


def _printed_variant(printed: Variant) -> str:
    history = HISTORIES[printed.variant.removesuffix(PLANS)]
    return _variant({"history": history, "plan": "on" if printed.variant.endswith(PLANS) else "off"})


def _task(episode: Episode) -> str:
    return str(episode.header.scenario.get("task", ""))


def _set(episode: Episode) -> str:
    return _task(episode).partition("/")[0]


def _success(rows: Sequence[Measures]) -> float | str:
    return round(100 * sum(row["success"] for row in rows) / len(rows), 1) if rows else "–"


def _tokens(episode: Episode) -> int:
    costs = [cost for entry in episode.entries for cost in entry.spent.values()]
    return sum(cost.input_tokens + cost.output_tokens for cost in costs)
