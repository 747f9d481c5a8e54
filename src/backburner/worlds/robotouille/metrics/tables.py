"""The article's tables and questions as tables over what was played, its printed numbers beneath.

Methods and models side by side (Tables 2, 3 and 4), then the answers to questions 2 to 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.files import shipped
from backburner.kernel.scoring import Measured, Measures, Published, Section, by_agent, grouped
from backburner.worlds.robotouille.game.scenarios import HERE
from backburner.worlds.robotouille.metrics.analysis import (
    FAILURES,
    LABELS,
    OPEN,
    OPTIMALITY_BINS,
    TO_GO_BINS,
    Bins,
    bin_of,
    failure_of,
    quartiles,
    task_of,
)


class Task(Struct, frozen=True):
    """A row of Table 3: success in per cent, and the task's horizon in steps."""

    task: str
    io: float
    io_cot: float
    react: float
    horizon: int


class Variant(Struct, frozen=True):
    """A row of Table 4: a variant of ReAct, solved so many of nine."""

    variant: str
    solved: int
    of: int
    mean_steps: float
    dollars: float


class Share(Struct, frozen=True):
    """A percentage that a figure or the text gives."""

    group: str
    figure: str
    percent: float
    source: str


class Failure(Struct, frozen=True):
    """A slice of Figure 5: failed runs of gpt4-o ReAct by family and cause."""

    group: str
    family: str
    cause: str
    count: int


class Tables(Struct, forbid_unknown_fields=True):
    source: str
    table2: tuple[Published, ...]
    table3: tuple[Task, ...]
    table4: tuple[Variant, ...]
    figures: tuple[Share, ...]
    failures: tuple[Failure, ...]


def published_tables() -> Tables:
    """The article's tables as numbers."""
    return shipped(HERE, "published", Tables)


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
"""The article's names of what a prompt repeats of earlier turns, and ours."""

PLANS = "-mpc"
"""The end of the article's name for a variant whose thoughts hold a whole plan."""


class Asked(Struct, frozen=True):
    """How a language model was asked: its method, the choices of that, and whether all are the usual ones."""

    model: str
    method: str
    plain: bool
    choices: Mapping[str, str]


def asked(episode: Episode) -> Asked | None:
    """How the model of an episode was asked; ``None`` if no model played it, or more than one."""
    players = {(player.name, str(player.settings)): player for player in episode.header.players.values()}
    settings = next(iter(players.values())).settings if len(players) == 1 else {}
    if "method" not in settings:
        return None
    method, _, chosen = str(settings["method"]).partition("@")
    choices: Any = settings.get("choices", {})
    rules = episode.header.rules_name
    model = str(settings.get("model", "?")) + ("" if rules == "standard" else f", {rules}")
    return Asked(model, method, not chosen, choices if isinstance(choices, Mapping) else {})


def comparisons(rows: Rows) -> Iterator[Section]:
    """The article's Tables 2 to 4, as far as these episodes say something of them."""
    by_model = [(asked(row[0]), row) for row in rows]
    played = [(how, row) for how, row in by_model if how is not None]
    yield from _models([(how, row) for how, row in played if how.plain and how.method in METHODS])
    yield from _tasks_beside_the_article(rows)
    yield from _variants([(how, row) for how, row in played if how.method == "react"])


def _models(played: Sequence[tuple[Asked, Measured]]) -> Iterator[Section]:
    """Table 2 of the article: a line for each model, a column for each method in each set."""
    if not played:
        return
    keys = [(name, method) for name in SETS for method in METHODS]
    table: list[tuple[Any, ...]] = []
    for model in dict.fromkeys(how.model for how, _ in played):
        episodes = [(how, row) for how, row in played if how.model == model]
        cells = (
            [m for how, (episode, m) in episodes if how.method == method and _set(episode) == name]
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


def _tasks_beside_the_article(rows: Rows) -> Iterator[Section]:
    """Table 3 of the article: a line for each task, a column for each agent."""
    agents = dict(by_agent([row for row in rows if _set(row[0]) in SETS]))
    played = {
        str(episode.header.scenario.get("task")) for episodes in agents.values() for episode, _ in episodes
    }
    table = []
    for task in published_tables().table3:
        if task.task in played:
            ours = (
                _success([m for e, m in episodes if _task(e) == task.task]) for episodes in agents.values()
            )
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
    """Table 4 of the article: a line for each form of ReAct."""
    if not played:
        return
    table: list[tuple[Any, ...]] = []
    for (model, variant), episodes in grouped(
        played, lambda one: (one[0].model, _variant(one[0].choices))
    ).items():
        solved = sum(int(measures["success"]) for _, (_, measures) in episodes)
        steps = sum(measures["steps"] for _, (_, measures) in episodes) / len(episodes)
        tokens = sum(_tokens(episode) for _, (episode, _) in episodes)
        table.append((model, variant, solved, len(episodes), steps, tokens, "–"))
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
    costs = [cost for _, cost in episode.costs()]
    return sum(cost.input_tokens + cost.output_tokens for cost in costs)


def questions(rows: Rows) -> list[Section]:
    """The article's questions 2 to 6 as tables."""
    return [
        _tasks(rows),
        _bins(rows, "Optimality rate", "optimality", OPTIMALITY_BINS, "successes", OPTIMALITY_TEXT),
        _bins(rows, "Steps to go", "to go", TO_GO_BINS, "failures", TO_GO_TEXT),
        _repeated(rows),
        _priority(rows),
        _recovery(rows),
        _failures(rows),
    ]


OPTIMALITY_TEXT = (
    "Steps taken over those of the shortest plan, of the successes whose shortest plan is proven; shares "
    "in per cent (Figure 3 of the article)."
)
TO_GO_TEXT = (
    "Steps of the shortest plan from where a failure ended over those from the beginning; shares in per "
    "cent (Figure 4 of the article). Worked out where it was asked for (--count steps_to_go)."
)


def _tasks(rows: Rows) -> Section:
    table = []
    for agent, episodes in by_agent(rows):
        for task, rows_of_task in grouped(episodes, lambda row: task_of(row[0])).items():
            played = [measures for _, measures in rows_of_task]
            table.append((agent, task, len(played), _percent(played, "success"), _percent(played, "within")))
    return Section(
        "Success by task",
        "Successes within the limit that was played, and within 1.5 times the shortest plan where that is "
        "known, in per cent (Table 3 of the article).",
        ("agent", "task", "episodes", "success", "within 1.5"),
        tuple(table),
    )


def _bins(rows: Rows, title: str, key: str, bins: Bins, what: str, text: str) -> Section:
    table = []
    for agent, episodes in by_agent(rows):
        values = [measures[key] for _, measures in episodes if key in measures]
        n_in = Counter(bin_of(bins, value) for value in values)
        shares = (_share(n_in[name], len(values)) for name, _ in bins)
        table.append((agent, len(values), *shares))
    return Section(title, text, ("agent", what, *(name for name, _ in bins)), tuple(table))


def _repeated(rows: Rows) -> Section:
    table = []
    for agent, episodes in by_agent(rows):
        for ending, wanted in (("success", 1.0), ("failure", 0.0)):
            values = [measures["repeated"] for _, measures in episodes if measures["success"] == wanted]
            if values:
                table.append((agent, ending, len(values), *quartiles(values), max(values)))
    return Section(
        "Repeated transitions",
        "Steps that do what was done before in the same kitchen, for each episode (Figure 6 of the article).",
        ("agent", "ending", "episodes", "lower quartile", "median", "upper quartile", "most"),
        tuple(table),
    )


def _priority(rows: Rows) -> Section:
    table = []
    for agent, episodes in by_agent(rows):
        for name, wanted in (("first", 1.0), ("later", 0.0)):
            played = [m for _, m in episodes if m.get("asynchronous first") == wanted]
            table.append((agent, name, len(played), _percent(played, "success")))
    return Section(
        "Asynchronous work first",
        "Success of episodes whose first work on a thing goes on by itself (cooking, filling ...), and of "
        "the others, in per cent (question 6 of the article).",
        ("agent", "asynchronous work", "episodes", "success"),
        tuple(table),
    )


def _recovery(rows: Rows) -> Section:
    table = []
    for agent, episodes in by_agent(rows):
        sums = {
            key: sum(m[key] for _, m in episodes)
            for key in ("mistakes", "recovered", "made again", "made elsewhere")
        }
        table.append(
            (
                agent,
                int(sums["mistakes"]),
                _share(sums["recovered"], sums["mistakes"]),
                _share(sums["made again"], sums["recovered"]),
                _share(sums["made elsewhere"], sums["recovered"]),
            )
        )
    return Section(
        "Broken rules and recovery",
        "A mistake is a rule broken with an action at a kind of station. It is recovered from when that "
        "action is carried out there later; of the recovered ones, some are made again, and for some the "
        "same rule is broken elsewhere; in per cent (section A.12 of the article).",
        ("agent", "mistakes", "recovered", "made again", "made elsewhere"),
        tuple(table),
    )


def _failures(rows: Rows) -> Section:
    """Figure 5 of the article as a table. A class that occurs nowhere has no column, but for that of none."""
    of_agents = [
        (agent, Counter(failure_of(measures) for _, measures in episodes if not measures["success"]))
        for agent, episodes in by_agent(rows)
    ]
    met = [name for name in FAILURES if name == OPEN or any(counts[name] for _, counts in of_agents)]
    table = [
        (agent, counts.total(), *(_share(counts[name], counts.total()) for name in met))
        for agent, counts in of_agents
    ]
    return Section(
        LABELS.title,
        "By the classes of section A.9 of the article, in per cent of failures (its Figure 5): what the "
        "record decides, else its label (backburner annotate). A class that nobody is in has no column.",
        ("agent", "failures", *met),
        tuple(table),
    )


def _percent(rows: Sequence[Measures], key: str) -> float | str:
    values = [row[key] for row in rows if key in row]
    return _share(sum(values), len(values))


def _share(part: float, whole: float) -> float | str:
    return round(100 * part / whole, 1) if whole else "–"
