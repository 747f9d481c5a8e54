"""What a policy of all scenarios sees: bounds and numbers by hand, the same from a state and from a row."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.arrays.entities import UNDECIDED, Entities
from backburner.kernel import registry
from backburner.kernel.play import play, play_now
from backburner.training.batches import Episodes
from backburner.worlds.timearena.arrays.entities import CODE_NAMES, CONTEXT_NAMES, entities
from backburner.worlds.timearena.arrays.works import minutes_to_end
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.catalogue import known_optima
from backburner.worlds.timearena.game.state import WAIT, State
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import paths, rule_sets, world_of
from support.timearena.small_tasks import Doing, doings, search_everything, small_world


def row_of(made: Entities, state: State) -> Any:
    rows = made.batch.rows(1)
    for name, value in made.batch.fields(state).items():
        getattr(rows, name)[0] = value
    return rows


def seen(made: Entities, rows: Any, e: int = 0) -> tuple[float, Any, Any, Any]:
    """The potential, the mask, the context, and the numbers of each allowed code."""
    mask = np.zeros(len(made.batch.encoding.actions), np.uint8)
    context = np.zeros(len(CONTEXT_NAMES), np.float32)
    codes = np.full((len(mask), len(CODE_NAMES)), np.nan, np.float32)
    chosen = np.array([UNDECIDED])
    potential = made.look(made.batch.tables, made.tables, rows, e, 0, chosen, mask, context, codes)
    return potential, mask, context, np.where(mask[:, None] == 1, codes, 0)


def told(names: tuple[str, ...], numbers: Any) -> dict[str, float]:
    """What is not 0, by name."""
    return {name: round(float(x), 4) for name, x in zip(names, numbers, strict=True) if x}


def end_of(made: Entities, state: State) -> int:
    """The minute at which everything is finished at the earliest, by the bound."""
    known = made.tables
    return state.minute + int(
        minutes_to_end(made.batch.tables, known.works, known.room, row_of(made, state), 0)
    )


# --- by hand ---------------------------------------------------------------------------------------------

# household8: the faucet runs 5 minutes by itself, then the mop is rinsed (3); the sweeper runs 4 by itself,
# then it is stored (2); the floor is mopped (3) after both, then the mop stored (2). The agent has 12 minutes
# of work: 1 and 1 to start the two that run, 3, 3, 2 and 2.


def test_the_numbers_of_a_scenario_by_hand() -> None:
    """Whoever starts the sweeper first can store it while the faucet still runs, and ends at 14; with the
    faucet first both end at minute 5, with 10 minutes of the agent left: 15."""
    made = entities(world_of("household8", limits="article"))
    encoding = made.batch.encoding
    potential, mask, context, codes = seen(made, row_of(made, made.batch.encoding.world.start()))  # type: ignore[attr-defined]
    names = [encoding.actions[code] for code in np.flatnonzero(mask)]
    assert names == ["wait", "activate faucet", "activate sweeper"]
    faucet, sweeper = (codes[encoding.actions.index(name)] for name in names[1:])
    assert potential == pytest.approx(1 + 1 - 14 / 40)
    assert told(CONTEXT_NAMES, context) == {
        "minutes left": round(40 / 60, 4),
        "minutes to the end": round(14 / 60, 4),
        "longest chain left": round(13 / 60, 4),  # faucet 5, mop 3, floor 3, mop 2
        "agent's minutes left": round(12 / 60, 4),
        "chain longer than the agent's minutes": 0.05,
        "spare minutes": 1.0,  # 26 of 20
        "startable works": 0.2,
        "startable works that go on by themselves": 0.2,
        "works left": 0.2,
    }
    assert told(CODE_NAMES, codes[0]) == {
        "wait": 1.0,
        "something can be started": 1.0,
        "minutes the end moves": 0.1,
    }
    assert told(CODE_NAMES, faucet) == {
        "minutes the end moves": 0.1,
        "work of a task": 1.0,
        "goes on by itself": 1.0,
        "minutes": 0.5,
        "minutes of the agent": 0.1,
        "progress": round(5 / 19, 4),
        "longest chain": round(13 / 60, 4),
        "share of the longest chain left": 1.0,
        "slack": 0.05,
        "minutes alone in its chain": 0.2,  # 5 less the one in which it is started
        "agent's minutes after it": 0.4,  # 3, 3 and 2
        "works that need it": 0.1,
        "works that it opens": 0.1,
        "leads to what goes on by itself": 1.0,
    }
    assert told(CODE_NAMES, sweeper) == {
        "the end stays": 1.0,
        "work of a task": 1.0,
        "goes on by itself": 1.0,
        "minutes": 0.4,
        "minutes of the agent": 0.1,
        "progress": round(4 / 19, 4),
        "longest chain": 0.15,  # 4, 3 and 2
        "share of the longest chain left": round(9 / 13, 4),
        "slack": 0.25,
        "minutes alone in its chain": 0.15,
        "agent's minutes after it": 0.35,  # 3, 2 and 2
        "works that need it": 0.2,
        "works that it opens": 0.1,  # the floor needs the mop as well
        "leads to what goes on by itself": 1.0,
        "minutes that want its things": 0.1,  # 2 to store it
    }


def test_what_waits_for_the_agent_is_opened_and_led_to() -> None:
    """Rice is washed (2), then cooked (4, by itself), while a dish is washed (3)."""
    world = small_world(
        [
            Doing("wash", "rice", minutes=2),
            Doing("cook in", "rice", "pot", minutes=4, after=(0,)),
            Doing("wash", "dish", minutes=3),
        ]
    )
    made = entities(world)
    _, _, _, codes = seen(made, row_of(made, world.start()))
    by_name = {name: told(CODE_NAMES, codes[i]) for i, name in enumerate(made.batch.encoding.actions)}
    rice, dish = by_name["wash rice"], by_name["wash dish"]
    assert rice["opens what goes on by itself"] == rice["leads to what goes on by itself"] == 1
    assert rice["agent's minutes until that"] == 0.2
    assert rice["minutes alone in its chain"] == 0.15  # 4 less the one in which it is put on
    assert rice["minutes that want its things"] == 0.2  # 4 to cook it
    assert "leads to what goes on by itself" not in dish
    assert dish["nothing needs it"] == 1
    assert "the end stays" in rice and dish["minutes the end moves"] == 0.3  # 2 + 4; 3 + 2 + 4


def test_a_thing_that_two_works_want_holds_both_up() -> None:
    """One pot for 5 and 4 minutes: 9, though the agent has but 2 minutes of work."""
    fish = Doing("cook in", "beef", "pot", minutes=5)
    rice = Doing("cook in", "rice", "pot", minutes=4)
    world = small_world([fish, rice])
    made = entities(world)
    assert end_of(made, world.start()) == 9
    assert search_everything(small_world([fish, rice], limits=Limits(minutes=20))).minutes == 9


# --- bounds ----------------------------------------------------------------------------------------------


def test_no_plan_is_shorter_than_its_bound_and_most_are_as_long() -> None:
    """All scenarios whose optimum is proven: never more, and the same in 116 of 120."""
    same = 0
    for id, optimum in known_optima().items():
        world = registry.world(id)
        assert isinstance(world, TimeArena)
        end = end_of(entities(world), world.start())
        assert end <= optimum.minutes, id
        same += end == optimum.minutes
    assert (same, len(known_optima())) == (116, 120)


@settings(max_examples=60)
@given(st.lists(doings(), min_size=1, max_size=2), st.sampled_from(["own", "one"]), st.integers(0, 999))
def test_no_play_of_any_tasks_ends_before_its_bound(tasks: list[list[Doing]], kit: str, seed: int) -> None:
    """The shortest of all plays, from its start; and one by chance, from each of its states."""
    world = small_world(*tasks, kit=kit, limits=Limits(minutes=24))
    made, shortest = entities(world), search_everything(world).minutes
    assert shortest is None or end_of(made, world.start()) <= shortest
    draw, state, ends = Random(seed), world.start(), []
    while world.deciders(state):
        ends.append(end_of(made, state))
        options = [option.decision for option in world.menu(state, AGENT).options]
        state = world.step(state, {AGENT: draw.choice(options)}).state
    if state.ended == "completed":
        assert max(ends) <= state.minute


@pytest.mark.parametrize("path", ["household4", "cooking7@kit=one", "lab7+lab8+lab9"])
def test_the_best_play_never_ends_before_a_bound_on_its_way(path: str) -> None:
    world = world_of(path, limits="article")
    made = entities(world)
    states: list[State] = []
    policies = make_policies(AgentSpec("oracle"), world)
    episode = asyncio.run(play(world, policies, 0, watch=states.append))
    assert episode.ending is not None
    assert max(end_of(made, state) for state in states[:-1]) == episode.ending.numbers["minutes"]


# --- rows and states -------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(paths(2), rule_sets(), st.integers(0, 999))
def test_rows_and_states_are_seen_alike(path: str, rules: Any, seed: int) -> None:
    """The same numbers, within 1, and the row stays as it was."""
    world = world_of(path, rules, "article")
    made, draw, state = entities(world), Random(seed), world.start()
    episodes = Episodes(world, 1, autoreset="disabled")
    while not episodes.over[0]:
        before = [array.copy() for array in episodes.rows]
        mine, exact = seen(made, episodes.rows), seen(made, row_of(made, state))
        assert all(np.array_equal(one, other) for one, other in zip(mine, exact, strict=True))
        assert all(np.array_equal(was, now) for was, now in zip(before, episodes.rows, strict=True))
        carries = np.concatenate(([1], made.batch.tables.work >= 0))
        assert (mine[1] == episodes.masks[0, 0] * carries).all()
        assert np.abs(mine[2]).max() <= 1 and np.abs(mine[3]).max() <= 1
        code = draw.choice(np.flatnonzero(mine[1]).tolist())
        decision = made.batch.encoding.decision(state, AGENT, [code])
        state = world.step(state, {AGENT: decision}).state
        episodes.step(np.array([[code]]))
    assert not world.deciders(state)


@settings(max_examples=25)
@given(paths(), st.sampled_from(["standard", "released"]), st.integers(0, 999), st.integers(5, 60))
def test_an_episode_is_measured_as_its_record_is(path: str, rules: str, seed: int, minutes: int) -> None:
    """Also one that the limit ends with the score as it was many minutes ago, and refusals that delay it."""
    world = world_of(path, rules, Limits(minutes=minutes))
    made, draw = entities(world), Random(seed)
    episodes = Episodes(world, 1, autoreset="disabled")
    codes: list[int] = []
    while not episodes.over[0]:
        any_code = draw.randrange(episodes.n_codes)
        drawn = draw.choice(np.flatnonzero(episodes.masks[0, 0]).tolist())
        codes.append(any_code if draw.random() < 0.3 else drawn)
        episodes.step(np.array([[codes[-1]]]))
    encoding, state = made.batch.encoding, world.start()
    events = []
    for code in codes:
        step = world.step(state, {AGENT: encoding.decision(state, AGENT, [code])})
        state = step.state
        events += step.events
    scores = [(event.time, event.value) for event in events if event.what == "score"]
    minute, score = scores[-1] if scores else (1, 0)
    measured = made.measures(episodes.rows, 0)
    assert (measured["P"], measured["T"]) == (score, max(minute, 1))


def test_what_is_measured_has_the_metric_of_the_world() -> None:
    """Under released rules no optimum is known."""
    for rules in ("standard", "released"):
        world = world_of("household9", rules, "article")
        made = entities(world)
        episode = play_now(world, make_policies(AgentSpec("first-legal"), world), 0)
        scoring = registry.scoring("timearena")
        rows = Episodes(world, 1, autoreset="disabled").rows
        exact = scoring.measure(episode)
        assert made.measures(rows, 0) == {"P": 0, "T": 1, "optimum": exact["optimum"]}
        assert bool(exact["optimum"]) == (rules == "standard")
        assert made.metric in {metric.key for metric in scoring.metrics}


def test_what_carries_no_progress_is_not_offered() -> None:
    """Under released rules a thing with itself is accepted, and as good as waiting."""
    world = world_of("cooking4", "released", "article")
    made = entities(world)
    code = made.batch.encoding.actions.index("bake oven in oven")
    state = world.start()
    assert made.batch.encoding.mask(state, AGENT)[0][code]
    _, mask, _, _ = seen(made, row_of(made, state))
    assert not mask[code]


def test_when_it_is_over_nothing_can_rise() -> None:
    world = world_of("household9", limits="article")
    made, state = entities(world), world.start()
    while world.deciders(state):
        state = world.step(state, {AGENT: WAIT}).state
    potential, mask, _, _ = seen(made, row_of(made, state))
    assert potential == 0 and mask.sum() == 1


def test_the_numbers_have_the_same_names_in_all_scenarios() -> None:
    several = ["cooking1", "lab3+household4", "cooking2+cooking3+cooking4@kit=one"]
    assert len({entities(world_of(path)).reads for path in several}) == 1
    assert len(set(CODE_NAMES)) == len(CODE_NAMES)
    assert len(set(CONTEXT_NAMES)) == len(CONTEXT_NAMES)
