"""A domain that is no kitchen: nothing in the rules, the text or the records knows the published one.

The greenhouse has all five kinds of effect, nested three deep, things without a place, facts about
nothing, predicates without a sentence, and its own words for where things are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel.activities import activities
from backburner.kernel.claims import check
from backburner.kernel.episode import EpisodeFile, read_episode
from backburner.kernel.exact import Searchable
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.schedule import Schedulable
from backburner.kernel.testing import check_world
from backburner.kernel.text import Examples
from backburner.kernel.values import Event, digest
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, STANDARD, article_limits
from backburner.worlds.robotouille.game.state import MOST_FACTS, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.conformance import checks_of
from support.robotouille.greenhouse import CLOSING, OPENING, greenhouse
from support.robotouille.kitchens import attempt, facts, holds, say
from support.robotouille.small_kitchen import opened

WATER, WAIT, WEED, FEED = (
    "Water bed1 as gardener1",
    "Wait",
    "Weed bed1 as gardener1",
    "Feed seedling1 as gardener1",
)

PLANS = {
    # 8 steps of opening; two pourings make the bed moist in step 10; germination takes 3 steps more, so
    # that the seedling is there after step 13; weeds came up after step 10; two feeds; 5 steps to close.
    "standard": (*OPENING, WATER, WATER, WEED, WAIT, WAIT, FEED, FEED, *CLOSING),
    # All counts are 3 and all delays 4 ticks: three pourings, moist in step 11 and germinating in its
    # tick, the seedling after step 14, three feeds. What is weedy can be harvested (see `unless`).
    "released": (*OPENING, WATER, WATER, WATER, WAIT, WAIT, WAIT, FEED, FEED, FEED, *CLOSING),
}


@pytest.mark.parametrize(("rules", "steps"), [("standard", 20), ("released", 22)])
def test_the_goal_is_reached(rules: str, steps: int) -> None:
    world = greenhouse(rules)
    state = say(world, world.start(), *PLANS[rules])
    assert (state.ended, state.steps) == ("completed", steps)
    assert world.outcome(state).status == "ended"


def test_what_was_deleted_is_gone() -> None:
    world = greenhouse()
    state = say(world, world.start(), *OPENING[:2])
    assert not any("snail1" in fact for fact in facts(world, state))
    assert "snail1" not in world.describe(world.observe(state, "gardener1"))
    _, (refusal,) = attempt(world, state, "Pick snail1 off bed1 as gardener1")
    assert refusal.code == "unknown_action"


def test_a_condition_holds_a_creation_back_and_what_it_makes_grows_by_itself() -> None:
    """Sown in step 8 into a dry bed, moist from step 10 to 16: drying takes 6 steps. The seedling comes
    after step 13 and would be ripe after 4 steps more; its last tick waits for water."""
    world = greenhouse()
    state = say(world, world.start(), *OPENING)
    assert not state.jobs[1:], "the weeds alone have begun to grow"
    state = say(world, state, WATER, WATER)
    assert holds(world, state, "moist(bed1)") and holds(world, state, "stirs(bed1)")
    state = say(world, state, WAIT, WAIT)
    assert not holds(world, state, "grows_in(seedling1,bed1)")
    state = say(world, state, WAIT)
    assert holds(world, state, "grows_in(seedling1,bed1)") and not holds(world, state, "stirs(bed1)")
    state = say(world, state, *[WAIT] * 3)
    assert state.steps == 16 and not holds(world, state, "moist(bed1)")
    state = say(world, state, *[WAIT] * 3)
    assert holds(world, state, "tender(seedling1)")
    state = say(world, state, WATER, WATER)
    assert holds(world, state, "ripe(seedling1)")


def test_work_that_is_under_way_is_not_started_again_but_pushed_on() -> None:
    """Two pourings are one piece of work; a third would do nothing while the bed is moist."""
    world = greenhouse()
    state = say(world, world.start(), *OPENING, WATER, WATER)
    _, (refusal,) = attempt(world, state, WATER)
    assert refusal.code == "runs_already"


def test_a_delay_in_a_delay_never_ends_as_released() -> None:
    world = greenhouse("released")
    state = say(world, world.start(), *OPENING, *[WATER] * 3, *[WAIT] * 40)
    assert holds(world, state, "tender(seedling1)") and holds(world, state, "moist(bed1)")


def events_of(world: Robotouille, *answers: str) -> list[Event]:
    state, found = world.start(), []
    for answer in answers:
        seat = world.deciders(state)[0]
        step = world.step(state, {seat: world.parse(state, seat, answer)})
        state = step.state
        found += step.events
    return found


def test_jobs_are_intervals_on_the_lane_of_their_station() -> None:
    """The condition becomes true in the last step of watering and false when the bed is dry."""
    answers = (*OPENING, WATER, WATER, *[WAIT] * 9, WATER, WATER)
    found = activities(event for event in events_of(greenhouse(), *answers) if event.lane == "bed1")
    jobs = [(one.label, one.start, one.end, one.complete) for one in found]
    assert ("water bed1", 8, 16, True) in jobs
    sown = [job for job in jobs if job[0] == "sow bed1"]
    assert sown[0][1] == 7 and sown[0][3], "weeds"
    # dried up after step 16, waters again in steps 20 and 21, ripe with the tick of step 21
    assert [job[3] for job in sown[1:]] == [False, True]
    assert sown[1][1] in (9, 10) and sown[2][2] == 21


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_foreign_domain_is_told_in_its_own_words(rules: str) -> None:
    world = greenhouse(rules)
    seat = "gardener1"
    assert "- plant: what has come up" in world.briefing(seat)
    assert "- Water {s} as {p}: only while the tap is open" in world.briefing(seat)
    told = world.describe(world.observe(world.start(), seat))
    assert "Station bed1:\nbed1 is a bed of earth\nNobody stands at bed1" in told
    assert "gardener1 stands at bench1" in told and "gardener1 stands here" in told
    assert "Pest snail1:\ncreeps_in(snail1,bed1)" in told, "a predicate without a sentence"
    assert "Goal: Lay cress on the bench, and shut the tap" in told


class Says:
    """Gives these answers, one after the other."""

    informed = False
    settings: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, answers: tuple[str, ...]) -> None:
        self.name = "says"
        self.answers = answers

    async def decide(self, turn: Turn, memory: int | None) -> Reply:
        said = memory or 0
        return Reply(f"Action: {self.answers[said]}", memory=said + 1)


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_records_replay_with_the_domain_that_they_hold(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "episode.jsonl"
    with EpisodeFile(path) as file:
        play_now(greenhouse(rules), Says(PLANS[rules]), sink=file.write)
        file.finish()
    episode = read_episode(path)
    assert check(episode) == len(PLANS[rules])
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize(("play", "n_gardeners"), [("turns", 1), ("together", 2), ("dispatcher", 2)])
def test_the_contract_is_kept(rules: str, play: str, n_gardeners: int) -> None:
    world = greenhouse(rules, play, n_gardeners, article_limits(40), ahead=True)
    checked = check_world(world, episodes=2, max_steps=50)
    assert checked.ran["records_replay"] > 0
    assert set(checked.not_checked) <= checks_of(Examples, Schedulable, Searchable, "assessment") | {
        "hidden_facts_stay_hidden",  # everything is seen
        "simultaneous_decisions_have_no_order",  # robots act in the order of their seats
        "what_a_complete_menu_lacks_is_refused",  # a dispatcher may combine what is on the menu
        "what_is_over_stays_as_it_is",  # not every walk comes to its end
    }


def test_things_are_made_as_long_as_there_is_room_for_what_may_be_true_of_them() -> None:
    """A pot a step: with n pots there are n facts of being full, n (n - 1) of being beside another, and
    one about the potter. A state holds 14,000 facts at most, that is 118 pots; the next one waits."""
    make = {
        "name": "make",
        "precons": [{"predicate": "at", "params": ["p", "s"]}],
        "sfx": [
            {
                "type": "delayed",
                "param": "s",
                "sfx": [
                    {
                        "type": "creation",
                        "param": "s",
                        "created_obj": {"name": "pot", "type": "item", "param": "i"},
                        "fx": [{"predicate": "full", "params": ["i"]}],
                    }
                ],
            }
        ],
    }
    domain = {
        "name": "pottery",
        "object_types": ["station", "player", "item"],
        "predicate_defs": [
            {"name": "at", "param_types": ["player", "station"]},
            {"name": "beside", "param_types": ["item", "item"]},
            {"name": "full", "param_types": ["item"]},
        ],
        "placement": {"player_at": "at"},
        "action_defs": [make],
    }
    problem = {
        "width": 1,
        "height": 2,
        "config": {"make_time": {"default": 0}},
        "stations": [{"name": "wheel", "x": 0, "y": 1}],
        "players": [{"name": "potter", "x": 0, "y": 0}],
        "goal": [{"predicate": "beside", "args": ["pot", "pot"], "ids": [1, 2]}],
    }
    scenario = opened({"world": "robotouille", "id": "pots", "problem": problem, "domain": domain})
    world = Robotouille("robotouille/user/pots", scenario, STANDARD, NO_LIMITS)
    state: State = world.start()
    for _ in range(125):
        option = world.menu(state, "potter1").options[0]
        state = world.step(state, {"potter1": option.decision}).state
        assert digest(state)
    assert len(state.kitchen.made) == 118
    assert len(world.compiled.layout(state.kitchen).atoms) == 118 + 118 * 117 + 1 <= MOST_FACTS
