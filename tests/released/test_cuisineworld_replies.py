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
from backburner.evaluation.records import records
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run as run_jobs
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.scoring import mean
from backburner.kernel.values import Refusal, Step
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.state import Commands, State
from backburner.worlds.cuisineworld.game.text import AT_THE_BEGINNING, refusal_text
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter
from support.cuisineworld.play import DISPATCHER
from support.cuisineworld.recordings import dish_of, kind, replayed, seen, usual
from support.recordings import Case, Compare, each, recorded_in

FILE = "cuisineworld_replies.json.gz"

ENDS_WITH = {"AttributeError": {"no_place", "no_command"}, "IndexError": {"no_such_agent"}}
"""The codes with which we refuse what ends the released program, by its exception."""


IDLED = "ALL_NOOP"
"""The recordings' word for the complaint that every command was a noop."""


def test_recorded_replies_replay_exactly(vectors: Path, compare: Compare) -> None:
    cells = (
        {"id": f"{run['id']}, τ {cell['tau']}", "run": run, "cell": cell}
        for run in recorded_in(vectors, FILE)["runs"]
        for cell in run["cells"]
    )
    compare(FILE, "turns", each(cells, lambda case: check_cell(case["run"], case["cell"])))


def test_what_ended_the_released_program_is_refused_and_says_why(vectors: Path, compare: Compare) -> None:
    compare(f"{FILE}, crashes", "turns", each(recorded_in(vectors, FILE)["crashes"], check_crash))


def check_crash(crash: Case) -> int:
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
    return len(crash["turns"])


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
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compare: Compare
) -> None:
    """The runner plays the cells, the report's metric scores the records."""

    def check(run: Case) -> int:
        monkeypatch.setattr(Recorded, "run", run)
        suite = f"cuisineworld/{run['level']}/all@bodies={run['num_agents']},stream=coupled"
        jobs = jobs_of([suite], [AgentSpec(f"{__name__}:{Recorded.__name__}")], 1, "released", "article")
        out = tmp_path / run["id"]
        assert run_jobs(jobs, out).played == 15
        scoring = registry.scoring("cuisineworld")
        rows = [scoring.measure(read_episode(path)) for path in records(out)]
        (metric,) = (metric for metric in scoring.metrics if metric.key == "CoS")
        shares = [metric.over([row for row in rows if row["tau"] == cell["tau"]]) for cell in run["cells"]]
        assert [rounded(share) for share in shares] == [cell["served_share"] for cell in run["cells"]]
        assert rounded(mean(rounded(share) for share in shares)) == run["cos"]
        # The recorded score is the mean of shares that were rounded before; the metric's of what they are.
        assert metric.over(rows) == pytest.approx(run["cos"], abs=1e-6)
        return len(rows)

    whole = [run for run in recorded_in(vectors, FILE)["runs"] if "cos" in run]
    compare(f"{FILE}, CoS", "episodes", each(whole, check))


def rounded(value: float | None) -> float | None:
    """As the recordings have shares and scores; a share of nothing is none."""
    return None if value is None else round(value, 6)


def check_cell(run: Case, cell: Case) -> int:
    """Play a cell; the turns compared."""
    ends = replay_cell(run, cell)
    served, failed = (sum(end[name] for end in ends) for name in ("completed", "failed"))
    opened = sum(end["open"] for end in ends)
    table = {"total": served + failed + opened, "success": served, "failed": failed}
    assert table == cell["table"]
    share = served / (served + failed) if served + failed else None
    assert rounded(share) == cell["served_share"]
    return int(sum(end["turns"] for end in ends))


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
        seen_now = world.observe(after, DISPATCHER)
        told = [kind(refusal) for refusal in seen_now.refusals] + [IDLED] * seen_now.idle
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


def test_a_complaint_about_idling_is_read_again_in_a_silent_turn() -> None:
    world = registry.world("cuisineworld/level_0@bodies=2", rules="released")
    assert isinstance(world, CuisineWorld)
    meter = RewardMeter(world.compiled, world.scenario.book, world.start())
    state = answer(world, world.start(), {"text": "noop_agent0", "read": ["noop_agent0"]}).state
    silent = {"text": "hm", "read": [], "frozen": True}
    with pytest.raises(AssertionError):
        check_turn(world, state, silent, meter)
    assert check_turn(world, state, silent | {"told_again": [IDLED]}, meter).turns == 2


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
