"""What each call of a boiled egg brought, by hand.

16 steps are the fewest. The assistant takes an egg (3) and puts it down (5); the chef takes it from the
counter (7), puts it into the pot (9), starts that (10), waits (12), takes the egg (13) and delivers it (16).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from backburner.kernel.episode import Episode
from backburner.kernel.oracle import Kept
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Measures
from backburner.worlds.collab_overcooked.game.layout import Layout
from backburner.worlds.collab_overcooked.game.rule_set import Limits
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import Snapshot, timeline
from backburner.worlds.collab_overcooked.metrics.measures import Advance
from backburner.worlds.collab_overcooked.metrics.score import METRICS
from backburner.worlds.collab_overcooked.oracle.search import StepsToGo
from backburner.worlds.collab_overcooked.oracle.steps_to_go import NEVER, SPACE, advances, to_go_of_calls
from support.collab_overcooked.cooks import Followers, spoken
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of

EGG, DISH = "pickup(egg,ingredient_dispenser)", "pickup(dish,dish_dispenser)"
PUT_DOWN = "place_obj_on_counter()"
CHEFS = ("pickup(egg,counter)", "put_obj_in_utensil(pot0)", "cook(pot0)", "wait(2)",
         "pickup(boiled_egg,pot0)", "deliver_soup()")  # fmt: skip


def egg(late: int, *assistants: str, limit: int = 40) -> tuple[CollabOvercooked, Episode]:
    """The egg, its chef waiting first; the assistant waits at the end."""
    world = world_of("boiled_egg", limits=Limits(limit, 10))
    calls = {"chef": (f"wait({late})", *CHEFS), "assistant": (*assistants, "wait(11)")}
    return world, play_now(world, Followers(calls))


def advances_of(played: tuple[CollabOvercooked, Episode]) -> list[list[Advance]]:
    world, episode = played
    to_go = StepsToGo(world.compiled, "calls", "own")
    told = timeline(episode, world)
    return [list(mine) for mine in advances(told, lambda at: to_go.of(at.kitchen, at.under_way))]


def lost(mine: Sequence[Advance]) -> list[int | None]:
    return [advance.lost_steps for advance in mine]


def measured(folder: Path, episode: Episode, seconds: float = 60.0) -> Measures:
    return to_go_of_calls(Kept(folder / "kept"), seconds)(episode)


def test_a_shortest_plan_loses_nothing() -> None:
    """Every call brings the egg nearer by as many steps as it takes."""
    chef, assistant = advances_of(egg(5, EGG, PUT_DOWN))
    assert [(one.before_steps, one.after_steps) for one in chef] == [
        (16, 11), (11, 9), (9, 7), (7, 6), (6, 4), (4, 3), (3, 0),
    ]  # fmt: skip
    assert [(one.before_steps, one.after_steps) for one in assistant] == [(16, 13), (13, 11), (11, 0)]
    assert lost(chef) == [0] * 7 and lost(assistant) == [0] * 3


def test_a_wasted_wait_loses_what_it_takes() -> None:
    """Three steps, in which the chef waits as well: what both do at once counts for both."""
    chef, assistant = advances_of(egg(8, "wait(3)", EGG, PUT_DOWN))
    assert lost(assistant) == [3, 0, 0, 0]
    assert lost(chef) == [3, 0, 0, 0, 0, 0, 0]


def test_a_wrong_pickup_loses_the_way_there_and_back() -> None:
    """A dish is taken (3) and put down (5); it takes four steps to the egg (9) and two to the counter (11)
    in place of five: six are lost. Nothing is to blame but the pickup; until it is over there is no way
    back, so that 16 - 3 + 6 = 19 steps are to go after it."""
    chef, assistant = advances_of(egg(11, DISH, PUT_DOWN, EGG, PUT_DOWN))
    assert assistant[0] == Advance(DISH, 16, 19, elapsed_steps=3)
    assert lost(assistant) == [6, 0, 0, 0, 0]
    assert lost(chef) == [6, 0, 0, 0, 0, 0, 0]


def test_what_play_cuts_off_loses_as_much() -> None:
    """After one step towards the dish 16 - 1 + 6 = 21 steps are to go."""
    _, (only,) = advances_of(egg(11, DISH, limit=1))
    assert only == Advance(DISH, 16, 21, elapsed_steps=1)


@pytest.mark.parametrize("assistants", [(DISH, PUT_DOWN, "wait(2)", EGG, PUT_DOWN), (EGG, PUT_DOWN)])
def test_few_searches_find_what_many_would(assistants: tuple[str, ...]) -> None:
    world, episode = egg(1, "wait(1)", *assistants)
    told, to_go = timeline(episode, world), StepsToGo(world.compiled, "calls", "own")
    searched: list[int] = []

    def steps(at: Snapshot) -> int | None:
        searched.append(at.kitchen.steps)
        return to_go.of(at.kitchen, at.under_way)

    of_all = [to_go.of(at.kitchen, at.under_way) for at in told.snapshots]
    found = [advance for mine in advances(told, steps) for advance in mine]
    spans = sorted(told.spans, key=lambda span: span.cook)
    assert [(one.before_steps, one.after_steps) for one in found] == [
        (of_all[span.began_steps], of_all[span.over_steps]) for span in spans
    ]
    assert len(searched) == len(set(searched)) < len({span.over_steps for span in spans})


def test_measures_are_means_over_each_cooks_calls(tmp_path: Path) -> None:
    """16 steps in seven calls and three; six lost by the first of seven and of five, so that the change is
    (22 - 6) / 7 and (22 - 6) / 5."""
    assert measured(tmp_path, egg(5, EGG, PUT_DOWN)[1]) == pytest.approx(
        {"change chef": 16 / 7, "lost chef": 0, "change assistant": 16 / 3, "lost assistant": 0}
    )
    found = measured(tmp_path, egg(11, DISH, PUT_DOWN, EGG, PUT_DOWN)[1])
    expected = {
        "change chef": 16 / 7,
        "lost chef": 6 / 7,
        "change assistant": 16 / 5,
        "lost assistant": 6 / 5,
    }
    assert found == pytest.approx(expected)
    shown = {metric.key: metric.over([found]) for metric in METRICS[-4:]}
    assert shown == pytest.approx(
        dict(zip(("Near c", "Lost c", "Near a", "Lost a"), expected.values(), strict=True))
    )
    assert all("steps_to_go" in metric.formula for metric in METRICS[-4:])


def test_what_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    """A shortest plan takes one search: of the beginning; its end is known. No time suffices for another."""
    _, episode = egg(5, EGG, PUT_DOWN)
    found = measured(tmp_path, episode)
    kept = (tmp_path / "kept").read_bytes()
    assert len(kept.splitlines()) == 1 and SPACE.encode() in kept
    assert measured(tmp_path, episode, seconds=0.0) == found
    assert (tmp_path / "kept").read_bytes() == kept


def test_without_the_time_nothing_is_said(tmp_path: Path) -> None:
    world = world_of("potato_carrot_and_onion_patty", limits=Limits(1, 10))
    assert measured(tmp_path, spoken(world), seconds=0.0) == {}
    assert b'"unknown"' in (tmp_path / "kept").read_bytes()


def test_without_a_way_nothing_is_said(tmp_path: Path) -> None:
    """The chef cannot get to the assistant's egg. What cannot be met at the beginning and at
    the end cannot be met in between."""
    walled = Layout(
        grid=("XPXXXXX", "I1XXX2S", "XXXXXXX"),
        utensils=OPEN_KITCHEN.utensils,
        ingredients=OPEN_KITCHEN.ingredients,
        recipes=OPEN_KITCHEN.recipes,
        needs_dish={"boiled_egg": False},
    )
    world = world_of("boiled_egg", layout=walled, limits=Limits(4, 10))
    episode = spoken(world, ("wait(1);wait(2)", "[NOTHING]"), ("wait(2);wait(2)", "[NOTHING]"))
    searched: list[int] = []

    def steps(at: Snapshot) -> float:
        searched.append(at.kitchen.steps)
        return NEVER

    told = advances(timeline(episode, world), steps)
    assert all(one.lost_steps is None for mine in told for one in mine) and any(told)
    assert searched == [0, 4]
    assert measured(tmp_path, episode) == {}


def test_orders_that_never_end_have_no_steps_to_go(tmp_path: Path) -> None:
    world = world_of(order_weights={"boiled_egg": 1.0}, limits=Limits(2, 10))
    assert measured(tmp_path, spoken(world)) == {}
    assert not (tmp_path / "kept").exists()
