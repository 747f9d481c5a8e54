"""Single exchanges: what is asked for where one more call of the partner's is due, and what it answers.

They are the article's Experiments A to C (section C.3): A with whole recipes, B with one action of the
partner's to a step, C with the action that is due at the front of the recipe. Each exchange is one required
collaboration, initiated if what was asked for has ITES > 0, and responded to if what the partner then plans
has. The article sorted what failed by hand (its Figure 9); here the references decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in
from backburner.kernel.scoring import Measured, Measures, Section, by_agent, grouped
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
            (agent, telling, action, len(mine), *became(mine).values())
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


def became(rows: Sequence[Measures]) -> dict[str, int]:
    """How many exchanges had a request that brought the task forward, one that failed (by kind), or none."""
    found = {FORWARD: sum(bool(row["requests"]) and row["ITES of requests"] > 0 for row in rows)}
    for kind in FAILURES:
        found[kind] = sum(f"request {kind}" in row for row in rows)
    return {**found, NOTHING_ASKED: sum(not row["requests"] for row in rows)}
