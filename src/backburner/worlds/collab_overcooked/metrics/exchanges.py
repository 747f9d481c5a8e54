"""Single exchanges: what is asked for where one more call of the partner's is due, and what it answers.

They are the article's Experiments A to C (section C.3): A with whole recipes, B with one action of the
partner's to a step, C with the action that is due at the front of the recipe. Each exchange is one required
collaboration, initiated if what was asked for has ITES > 0, and responded to if what the partner then plans
has. The article sorted what failed by hand (its Figure 9); here the references decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.charts import Chart, Figure, Line, Lines, Point, Stack, Stacks
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in
from backburner.kernel.scoring import Estimator, Measured, Measures, Metric, Section, by_agent, grouped
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Ask, Reply
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import Histories
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    FAILURES,
    FORWARD,
    OUTCOMES,
    Dialogue,
    Turn,
    capability,
    capability_of,
    contribution,
    exchange,
    failure,
    outcome_measures,
)
from backburner.worlds.collab_overcooked.metrics.levels import asked_cook
from backburner.worlds.collab_overcooked.metrics.measures import BETA
from backburner.worlds.collab_overcooked.metrics.references import Reference, call_spaces, calls_of

ACTION, FIRST = "action", "first action"
"""The numbers of an exchange that say which action of the partner's was due, and how the recipe was told
(``Scenario.first_action``)."""

NOTHING_ASKED = "nothing asked"

Rows = Sequence[Measured]


def exchange_measures(
    world: CollabOvercooked, episode: Episode, references: Sequence[Reference], beta: float = BETA
) -> Iterator[tuple[str, float]]:
    """The numbers of an episode that is one exchange; see the module.

    ``requests`` and ``responses``: whether anything was asked for, and planned in answer; ``ITES of`` each:
    what they add. ``request premature`` and its like: why a request adds nothing.
    """
    asked = asked_cook(world.scenario)
    heard = _Heard()
    rules = world.rulebook.with_listener(heard)
    state = rules.start(episode.header.seed)
    began, heard.turns = state.kitchen.steps, []
    for entry in episode.entries:
        state = rules.step(state, decisions_in(world, entry)).state
    space, own = call_spaces(world.compiled)[asked], calls_of(references, asked)
    happened = exchange(Dialogue(began, 1 - asked, tuple(heard.turns)), asked, heard.histories[asked], space)
    gain = contribution(happened, own, beta)
    yield ACTION, float(len(world.scenario.opening) + 1)
    yield FIRST, float(world.scenario.first_action)
    yield from outcome_measures("required", capability_of([gain]))
    yield "requests", float(bool(happened.asked_for))
    yield "responses", float(bool(happened.responded))
    yield "ITES of requests", gain.ites_request
    yield "ITES of responses", gain.ites_response
    kind = failure(happened.asked_for, happened.history, own, space, beta) if happened.asked_for else None
    if kind is not None:
        yield f"request {kind}", 1.0


class _Heard(Histories):
    """What the cooks do, and the plans with which they ask and answer."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []

    def planned(self, cook: int, now: int, ask: Ask, reply: Reply, requests: tuple[str, ...]) -> None:
        if ask in ("plan", "answer"):
            self.turns.append(Turn(cook, ";".join(reply.plan), reply.say))


def group_of(scenario: Scenario) -> str:
    """How the cell of a table is called that an exchange belongs to, behind its level."""
    told = ("", ", recipe in steps")
    first = scenario.first_action
    return f", action {len(scenario.opening) + 1}{told[first] if first < 2 else f', recipe from {first}'}"


def _telling(row: Measures) -> str:
    """How the recipe was told, in the words of tables."""
    first = int(row[FIRST])
    if first < 2:
        return ("whole", "in steps")[first]
    return "due action first" if first == row[ACTION] else f"from action {first}"


# --- tables ---------------------------------------------------------------------------------------------


def sections(rows: Rows) -> Iterator[Section]:
    """Both tables, if there were exchanges."""
    cells = list(_cells(rows))
    if not cells:
        return
    yield Section(
        "Experiments A to C",
        "One exchange where an action of the partner's is due: shares in per cent in which the request, and "
        "the answer to it, brings the task forward (IC, RC), and how often both did or only one, which is "
        "the confusion matrix of Figure 5 of the article. Recipes are whole (A), in steps (B), or in steps "
        "with the action that is due first (C).",
        ("agent", "recipe", "action", "exchanges", "IC", "RC", *OUTCOMES),
        tuple(_outcome_row(*cell) for cell in cells),
    )
    yield Section(
        "Failed requests by action",
        "Exchanges by what became of the request: it brought the task forward, or the first call that was "
        "not due came too early, was done already or is nothing the order takes (Figure 9 of the article), "
        "or there was none.",
        ("agent", "recipe", "action", "exchanges", FORWARD, *FAILURES, NOTHING_ASKED),
        tuple(
            (agent, telling, action, len(mine), *_requests(mine).values())
            for agent, telling, action, mine in cells
        ),
    )


def _cells(rows: Rows) -> Iterator[tuple[str, str, str, list[Measures]]]:
    """(agent, recipe, action or ``all``, its exchanges)."""
    for agent, of_agent in by_agent(rows):
        for telling, mine in sorted(grouped([row for _, row in of_agent], _telling).items(), key=_first):
            by_action = grouped(mine, lambda row: int(row[ACTION]))
            for action, found in sorted(by_action.items()):
                yield agent, telling, str(action), found
            if len(by_action) > 1:
                yield agent, telling, "all", mine


def _first(item: tuple[str, Sequence[Measures]]) -> tuple[bool, float]:
    """Whole recipes, then those in steps, then those in which an action was moved."""
    return item[1][0][FIRST] > 1, item[1][0][FIRST]


def _outcome_row(agent: str, telling: str, action: str, rows: Sequence[Measures]) -> tuple[object, ...]:
    found = capability(rows, "required")
    shares = (None if share is None else round(100 * share, 1) for share in (found.ic, found.rc))
    return agent, telling, action, len(rows), *shares, *found.outcomes.values()


def _requests(rows: Sequence[Measures]) -> dict[str, int]:
    """How many exchanges became what."""
    found = {FORWARD: sum(bool(row["requests"]) and row["ITES of requests"] > 0 for row in rows)}
    for kind in FAILURES:
        found[kind] = sum(f"request {kind}" in row for row in rows)
    return {**found, NOTHING_ASKED: sum(not row["requests"] for row in rows)}


# --- figures --------------------------------------------------------------------------------------------

DRAWN_ONLY = "The article draws its figure and prints no numbers that could stand beside."
OF_BOTH = (("IC", "initiating"), ("RC", "responding"))
ALL_PARTS = (FORWARD, *FAILURES, NOTHING_ASKED)


def figures(rows: Rows, metrics: Sequence[Metric], estimate: Estimator) -> Iterator[Figure]:
    """Figures 5 (a) to (c), and 9, over exchanges; those without charts where there were none."""
    by_key = {metric.key: metric for metric in metrics}
    both = [(by_key[key], what) for key, what in OF_BOTH]
    whole, steps = ([row for row in rows if row[1][FIRST] == first] for first in (0, 1))
    moved = [row for row in rows if row[1][FIRST] in (row[1][ACTION], 1)]
    yield Figure(
        "figure-5a",
        "Experiment A: the action that is due",
        "IC and RC by the partner's action that is due, and which of asking and answering brought the task "
        f"forward (the confusion matrix): Figure 5 (a) of the article. {DRAWN_ONLY}",
        (*_lines(whole, both, estimate), *_matrix(whole)),
    )
    yield Figure(
        "figure-5b",
        "Experiment B: recipes in steps",
        f"The same with one action of the partner's to a step: Figure 5 (b) of the article. {DRAWN_ONLY}",
        (*_lines(steps, both, estimate), *_matrix(steps)),
    )
    yield Figure(
        "figure-5c",
        "Experiment C: the action that is due comes first",
        "Recipes in steps, with every action in its place, and with the one that is due moved to the front: "
        f"Figure 5 (c) of the article. {DRAWN_ONLY}",
        tuple(_lines(moved, both, estimate, apart=True)) if any(row[1][FIRST] > 1 for row in moved) else (),
    )
    yield Figure(
        "figure-9",
        "What became of requests by action",
        f"Exchanges with whole recipes, in per cent: Figure 9 of the article. {DRAWN_ONLY}",
        tuple(_stacks(whole)),
    )


def _lines(
    rows: Rows, metrics: Sequence[tuple[Metric, str]], estimate: Estimator, apart: bool = False
) -> Iterator[Chart]:
    """A line for each agent; with ``apart`` two, for recipes in their order and with the due action first.

    The first action is first either way, so that both lines begin there.
    """
    for metric, what in metrics:
        lines = []
        for agent, mine in by_agent(rows):
            for name, found in _tellings(mine) if apart else [("", mine)]:
                points = tuple(_points(found, metric, estimate))
                lines.append(Line(f"{agent}{name}", points))
        if lines:
            title = f"{metric.key}, {what}"
            yield Lines(title, "action of the partner", "% of exchanges", tuple(lines), 100.0)


def _tellings(rows: Rows) -> list[tuple[str, Rows]]:
    in_place = [row for row in rows if row[1][FIRST] == 1]
    moved = [row for row in rows if row[1][FIRST] == row[1][ACTION]]
    return [(name, found) for name, found in ((", in its place", in_place), (", first", moved)) if found]


def _points(rows: Rows, metric: Metric, estimate: Estimator) -> Iterator[Point]:
    for action, mine in sorted(grouped(rows, lambda row: row[1][ACTION]).items()):
        found = estimate(metric, mine)
        if found.value is not None:
            yield Point(action, round(found.value, 1), found.low, found.high)


def _matrix(rows: Rows) -> Iterator[Chart]:
    stacks = []
    for agent, mine in by_agent(rows):
        outcomes = capability([row for _, row in mine], "required").outcomes
        shares: dict[str, float] = {name: 100 * number / len(mine) for name, number in outcomes.items()}
        stacks.append(Stack(f"{agent} ({len(mine)})", shares))
    if stacks:
        title = "Which of asking and answering brought the task forward"
        yield Stacks(title, "% of exchanges", tuple(OUTCOMES), tuple(stacks), 100.0)


def _stacks(rows: Rows) -> Iterator[Chart]:
    for agent, mine in by_agent(rows):
        stacks = []
        for action, found in sorted(grouped([row for _, row in mine], lambda row: row[ACTION]).items()):
            shares = {what: 100 * number / len(found) for what, number in _requests(found).items()}
            stacks.append(Stack(f"action {action:g} ({len(found)})", shares))
        yield Stacks(agent, "% of exchanges", ALL_PARTS, tuple(stacks), 100.0)
