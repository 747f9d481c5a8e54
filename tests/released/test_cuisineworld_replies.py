"""Recorded runs of the released loop of CuisineWorld: reply texts in, every recorded field out.

A cell's episodes follow one another: the stream of orders goes on where the one before stopped, and so do
the errors that are told again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.spec import AgentSpec
from backburner.evaluation.jobs import jobs_of, records
from backburner.evaluation.runner import run as run_jobs
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Refusal, Step
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.actions import Commands
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.text import AT_THE_BEGINNING, refusal_text
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter
from backburner.worlds.orders import cos
from support.cuisineworld import DISPATCHER
from support.cuisineworld_recordings import dish_of, kind, recorded_in, replayed, seen, usual

FILE = "cuisineworld_replies.json.gz"

ENDS_WITH = {"AttributeError": {"no_place", "no_command"}, "IndexError": {"no_such_agent"}}
"""The codes with which we refuse what ends the released program, by its exception."""


def test_recorded_replies_replay_exactly(vectors: Path, record_property: Any) -> None:
    runs = recorded_in(vectors / FILE)["runs"]
    cells = [cell for run in runs for cell in replay_run(run)]
    turns = sum(cells)
    assert turns > 0
    compared = f"CuisineWorld's replies: {len(runs)} runs, {len(cells)} cells, {turns} turns, all equal"
    record_property("compared", compared)


def test_what_ended_the_released_program_is_refused_and_says_why(vectors: Path) -> None:
    for crash in recorded_in(vectors / FILE)["crashes"]:
        world = world_in(crash, crash["tau"], episode=0)
        check_pace(world, crash)
        state = world.start()
        assert dish_of(world, state) == crash["first_order"]
        *turns, last = crash["turns"]
        meter = RewardMeter(world.compiled, world.scenario.book, state)
        for turn in turns:
            state = check_turn(world, state, turn, meter)
        step = answer(world, state, last)
        assert {refusal.code for refusal in step.refusals} <= ENDS_WITH[last["exception"]], last
        assert step.refusals, last
        assert (step.state.at, step.state.held, step.state.inside) == (state.at, state.held, state.inside)


class Recorded:
    """Says what was said in a recorded run."""

    name = "recorded"
    informed = False
    settings: Mapping[str, Any] = {}
    run: Mapping[str, Any] = {}

    def __init__(self, world: CuisineWorld) -> None:
        scenario = world.scenario
        (cell,) = (cell for cell in self.run["cells"] if cell["tau"] == scenario.tau)
        self.turns = cell["episodes"][scenario.episode]["turns"]

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The text of the turn."""
        return Reply(self.turns[turn.index]["text"])


def test_a_run_of_coupled_episodes_gives_the_recorded_score(
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runner plays the cells, the report's metric scores the records."""
    whole = [run for run in recorded_in(vectors / FILE)["runs"] if "cos" in run]
    for run in whole:
        monkeypatch.setattr(Recorded, "run", run)
        suite = f"cuisineworld/{run['level']}/all@bodies={run['num_agents']},stream=coupled"
        jobs = jobs_of([suite], [AgentSpec(f"{__name__}:{Recorded.__name__}")], 1, "released", "article")
        out = tmp_path / run["id"]
        assert run_jobs(jobs, out).played == 15
        scoring = registry.scoring("cuisineworld")
        rows = [scoring.measure(read_episode(path)) for path in records(out)]
        (metric,) = (metric for metric in scoring.metrics if metric.key == "CoS")
        score = metric.over(rows)
        assert score is not None and round(score, 6) == run["cos"], run["id"]
    assert whole


def replay_run(run: dict[str, Any]) -> list[int]:
    """Play a run's cells; the turns compared in each."""
    rows = []
    turns = []
    for cell in run["cells"]:
        ends = replay_cell(run, cell)
        served, failed = (sum(end[name] for end in ends) for name in ("completed", "failed"))
        opened = sum(end["open"] for end in ends)
        table = {"total": served + failed + opened, "success": served, "failed": failed}
        assert table == cell["table"], (run["id"], cell["tau"])
        share = round(served / (served + failed), 6) if served + failed else None
        assert share == cell["served_share"], (run["id"], cell["tau"])
        rows += [{"tau": cell["tau"], **end} for end in ends]
        turns.append(int(sum(end["turns"] for end in ends)))
    if "cos" in run:
        score = cos(rows)
        assert score is not None and round(score, 6) == run["cos"], run["id"]
    return turns


def replay_cell(run: dict[str, Any], cell: dict[str, Any]) -> list[dict[str, Any]]:
    """Play a cell's three episodes, each after the one before; their last numbers."""
    ends: list[dict[str, Any]] = []
    world: CuisineWorld | None = None
    state: State | None = None
    for number, episode in enumerate(cell["episodes"]):
        named = world_in(run, cell["tau"], number)
        if world is not None and state is not None:
            offered = registry.catalogue("cuisineworld")
            scenario = offered.continued(named.scenario, world, state)
            named = CuisineWorld(named.id, scenario, named.rules, named.limits)
        world = named
        check_pace(world, cell)
        state = replay_episode(world, episode, f"{run['id']}, τ {cell['tau']}, episode {number}")
        ends.append(dict(world.outcome(state).numbers))
    return ends


def replay_episode(world: CuisineWorld, episode: dict[str, Any], where: str) -> State:
    """Play an episode; its last state."""
    assert world.scenario.first_draw == episode["draws_before"], where
    state = world.start()
    assert dish_of(world, state) == episode["first_order"], where
    assert seen(world, state)["orders"] == episode["orders_at_start"], where
    meter = RewardMeter(world.compiled, world.scenario.book, state)
    for number, turn in enumerate(episode["turns"]):
        state = check_turn(world, state, turn, meter, f"{where}, turn {number}: {turn['text']!r}")
    assert state.ended
    numbers = world.outcome(state).numbers
    assert episode["result"] == {
        "completed": numbers["completed"],
        "failed": numbers["failed"],
        "still_open": numbers["open"],
        "steps_made": numbers["steps"],
        "draws_after": world.scenario.first_draw + state.arrived,
    }, where
    return state


def check_turn(
    world: CuisineWorld, state: State, turn: dict[str, Any], meter: RewardMeter, where: str = ""
) -> State:
    """Answer with a turn's text; the next state, in which everything recorded is the same."""
    step = answer(world, state, turn, where)
    after = step.state
    kept = "".join(f"{command}\n" for command in turn["read"][: world.scenario.bodies])
    assert world.remembered(DISPATCHER, turn["text"]) == kept, where
    if turn.get("frozen"):
        told = [kind(refusal) for refusal in world.observe(after, DISPATCHER).refusals]
        assert told == turn.get("told_again", []), where
        unchanged = replace(after, turns=state.turns, feedback=state.feedback, ended=state.ended)
        assert unchanged == state and after.turns == state.turns + 1, where
        return after
    recorded = usual({"commands": turn["read"], **turn})
    if "rejected" in turn:  # nothing was carried out, and nothing is recorded of the single commands
        recorded["ok"] = [False] * len(turn["read"])
    for ours in ("text", "read", "game_over"):
        recorded.pop(ours, None)
    found = replayed(world, state, after, {"commands": turn["read"]}, meter)
    found.pop("game_over")
    assert found == recorded, where
    return after


def answer(world: CuisineWorld, state: State, turn: dict[str, Any], where: str = "") -> Step[State]:
    """What follows from a reply, which is read as recorded."""
    read = world.parse(state, DISPATCHER, turn["text"])
    assert (list(read.commands) if isinstance(read, Commands) else []) == turn["read"], where or turn
    assert isinstance(read, Commands | Refusal)
    return world.step(state, {DISPATCHER: read})


def world_in(run: dict[str, Any], tau: float, episode: int) -> CuisineWorld:
    name = (
        f"cuisineworld/{run['level']}@bodies={run['num_agents']},episode={episode},stream=coupled,tau={tau}"
    )
    found = registry.world(name, rules="released")
    assert isinstance(found, CuisineWorld)
    return found


def check_pace(world: CuisineWorld, cell: dict[str, Any]) -> None:
    """Interval, lifetimes and tools are as recorded."""
    scenario = world.scenario
    assert scenario.interval == cell["interval"]
    assert dict(zip(scenario.dishes, scenario.lifetimes, strict=True)) == cell["lifetimes"]
    assert list(world.compiled.places) == cell.get("kitchen", list(world.compiled.places))


@pytest.mark.parametrize("text", ["wait_agent0", "Goto_agent0_storage0", ""])
def test_a_silent_first_turn_says_nothing_to_the_agent(text: str) -> None:
    """It ended the released program; here the refusal says so, and play goes on."""
    found = registry.world("cuisineworld/level_0", rules="released")
    assert isinstance(found, CuisineWorld)
    step = answer(found, found.start(), {"text": text, "read": []})
    assert [refusal_text(refusal) for refusal in step.refusals] == [AT_THE_BEGINNING]
    assert found.describe(found.observe(step.state, DISPATCHER)) == found.describe(
        found.observe(found.start(), DISPATCHER)
    )
