"""Broken rules, recovery and sources of failure, in small episodes (article, sections A.9 and A.12)."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.assessment import Case
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.errors import PolicyFailure
from backburner.kernel.play import play_now
from backburner.kernel.policy import Turn
from backburner.worlds.robotouille.game.rule_set import Limits
from backburner.worlds.robotouille.game.state import Acts
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.metrics.analysis import (
    AT_STATIONS,
    GOALS,
    HANDS,
    OTHER,
    PRESENCE,
    ROBOT_ROOM,
    STATE,
    STATION_ROOM,
    Course,
    Mistake,
    case_of,
    cases,
    counts,
    courses,
    failure_of,
)
from support.policies import Answers, Calls
from support.robotouille.kitchens import world_in

LIMITS = Limits(steps=9, attempts=3, failed_calls=2)
KITCHEN = ["board bread", "table lettuce", "board tomato", "table cheese", "table"]
"""The robot stands at the first board."""

TAKE_BREAD = "robot1 takes bread1 from board1"
PUT_BREAD = "robot1 puts bread1 on board1"
TAKE_TOMATO = "robot1 takes tomato1 from board2"
PUT_ON_SECOND = "robot1 puts bread1 on board2"
GO = "robot1 goes from board1 to board2"
BACK = "robot1 goes from board2 to board1"
TO_TABLE = "robot1 goes from board2 to table2"
PUT_ON_TABLE = "robot1 puts bread1 on table2"


def played(*answers: str, world: Robotouille | None = None) -> tuple[Episode, Robotouille]:
    """The answers one after the other, then ``Finish``."""
    world = world or world_in(KITCHEN, limits=LIMITS)
    return play_now(world, Answers(*answers, "Finish")), world


def made(*answers: str) -> list[Course]:
    return courses(*played(*answers))


# --- which rule is broken -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "mistake"),
    [
        ([TAKE_BREAD, GO, TAKE_TOMATO], Mistake(HANDS, "pick-up-item", "board")),
        ([TAKE_BREAD, GO, PUT_ON_SECOND], Mistake(STATION_ROOM, "place-item", "board")),
        (["robot1 takes cheese1 from table2"], Mistake(PRESENCE, "pick-up-item", "table")),
        ([TAKE_BREAD, "robot1 cuts lettuce1 on board1"], Mistake(HANDS, "cut", "board")),
        (["robot1 cuts lettuce1 on board1"], Mistake(OTHER, "cut", "board")),
        (["robot1 cooks bread1 on board1"], Mistake(OTHER, "cook", "board")),
    ],
)
def test_which_rule_an_impossible_action_breaks(answers: list[str], mistake: Mistake) -> None:
    (course,) = made(*answers)
    assert course.mistake == mistake


def test_a_station_where_another_robot_stands() -> None:
    world = world_in(["table", "stove"], robots=(0, 1))
    (course,) = courses(*played("robot1 goes from table1 to stove1", world=world))
    assert course.mistake == Mistake(ROBOT_ROOM, "move", "stove")


def test_an_item_within_a_stack_has_no_room_to_itself() -> None:
    """The lettuce lies on a bread: it cannot be cut there, and neither can what has something on it."""
    world = world_in(["board bread lettuce", "board lettuce cheese"])
    episode, _ = played(
        "robot1 cuts lettuce1 on board1",
        "robot1 goes from board1 to board2",
        "robot1 cuts lettuce2 on board2",
        world=world,
    )
    assert [course.mistake for course in courses(episode, world)] == [Mistake(STATION_ROOM, "cut", "board")]


def test_what_is_no_action_breaks_no_rule() -> None:
    assert made("robot1 flies", "Hello", "") == []


# --- the four cases of section A.12 -------------------------------------------------------------------


def test_case_1_no_recovery() -> None:
    (course,) = made(TAKE_BREAD, GO, PUT_ON_SECOND)
    assert (course.recovered, course.repeated, course.elsewhere) == (False, False, False)


def test_case_2_recovery() -> None:
    """The bread goes back to the first board: the same action at the same kind of station."""
    (course,) = made(TAKE_BREAD, GO, PUT_ON_SECOND, BACK, PUT_BREAD)
    assert (course.recovered, course.repeated, course.elsewhere) == (True, False, False)


def test_case_3_the_same_mistake_after_recovery() -> None:
    (course,) = made(TAKE_BREAD, GO, PUT_ON_SECOND, BACK, PUT_BREAD, TAKE_BREAD, GO, PUT_ON_SECOND)
    assert (course.recovered, course.repeated, course.elsewhere) == (True, True, False)


def test_case_4_the_same_rule_at_another_kind_of_station() -> None:
    """After the recovery, a table that is not empty: a mistake of its own, with no recovery."""
    first, second = made(
        TAKE_BREAD, GO, PUT_ON_SECOND, BACK, PUT_BREAD, TAKE_BREAD, GO, TO_TABLE, PUT_ON_TABLE
    )
    assert first == Course(Mistake(STATION_ROOM, "place-item", "board"), True, False, True)
    assert second == Course(Mistake(STATION_ROOM, "place-item", "table"), False, False, False)


def test_the_mistake_again_before_recovery_is_no_repetition() -> None:
    (course,) = made(TAKE_BREAD, GO, PUT_ON_SECOND, PUT_ON_SECOND, BACK, PUT_BREAD)
    assert (course.recovered, course.repeated) == (True, False)


def test_another_station_of_the_same_kind_is_a_recovery_and_another_kind_is_none() -> None:
    (course,) = made(TAKE_BREAD, GO, TO_TABLE, PUT_ON_TABLE, "robot1 goes from table2 to table3")
    assert not course.recovered
    (course,) = made(
        TAKE_BREAD,
        GO,
        TO_TABLE,
        PUT_ON_TABLE,
        "robot1 goes from table2 to table3",
        "robot1 puts bread1 on table3",
    )
    assert course.recovered


def test_what_another_robot_does_in_the_same_step_is_no_recovery() -> None:
    """Both take something from a table, the first with its hands full; only in the next step does the
    same action succeed."""
    world = world_in(["table bread", "table cheese", "table"], robots=(0, 1), play="dispatcher")

    def take(robot: int, item: str) -> str:
        return f"pick-up-item(i1={item}1,p1=robot{robot},s1=table{robot})"

    decisions = (Acts((take(1, "bread"),)), Acts((take(1, "cheese"), take(2, "cheese"))))
    (course,) = courses(play_now(world, Answers(*decisions, Acts(finish=True))), world)
    assert course == Course(Mistake(HANDS, "pick-up-item", "table"), False, False, False)


# --- sources of failure (section A.9) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "source"),
    [
        ([TAKE_BREAD, GO, PUT_ON_SECOND, *["Wait"] * 9], AT_STATIONS),
        ([TAKE_BREAD, GO, TAKE_TOMATO, *["Wait"] * 9], "transition: hands"),
        ([TAKE_BREAD, GO, TAKE_TOMATO, PUT_ON_SECOND, *["Wait"] * 9], "transition: both"),
        # Recovered, then gave up without a word: nothing lies wrong, and the bread is not prepared.
        ([TAKE_BREAD, GO, PUT_ON_SECOND, BACK, PUT_BREAD], "goal: ingredients"),
        ([TAKE_BREAD, GO, PUT_ON_SECOND], AT_STATIONS),  # never recovered, then gave up
        (["Wait"], "goal: ingredients"),
        (["nonsense"] * 6, "action"),
        # Recovered at first, broken again until play was over.
        ([TAKE_BREAD, GO, PUT_ON_SECOND, BACK, PUT_BREAD, TAKE_BREAD, GO, *[PUT_ON_SECOND] * 6], AT_STATIONS),
        (["Wait"] * 9, ""),
    ],
)
def test_where_a_failure_comes_from(answers: list[str], source: str) -> None:
    episode, world = played(*answers)
    assert case_of(episode, world, courses(episode, world)).decided == source


ON_TABLE = {"predicate": "item_on", "args": ["bread", "table"], "ids": [1, 2]}
"""A goal about how things lie, which no test reaches either: there is bread on a board alone."""


def given_up(*answers: str, **more: Any) -> Case:
    """The case of play that ends with ``Finish``."""
    episode, _ = played(*answers, world=world_in(KITCHEN, limits=LIMITS, **more))
    (case,) = cases(episode)
    return case


def test_who_gives_up_without_a_word_misunderstood_the_goal_but_the_cause_is_open_where_things_lie_wrong():
    case = given_up("Wait", goal=[ON_TABLE])
    assert (case.decided, set(case.possible)) == ("", {*GOALS, "other"})


def test_who_gives_up_with_reasons_may_have_misread_the_state():
    """What it thought decides between the two, and no rule of ours reads that."""
    case = given_up("Reasoning: the bread is cut.\nAction: Wait")
    assert (case.decided, set(case.possible)) == ("", {STATE, *GOALS, "other"})


def test_a_success_and_a_failed_call_are_no_cases():
    there = {"predicate": "item_at", "args": ["bread", "board"], "ids": [1, 2]}
    world = world_in(KITCHEN, limits=LIMITS, goal=[there])
    assert cases(play_now(world, Answers("Wait"))) == ()

    async def fails(turn: Turn) -> str:
        raise PolicyFailure("model", "nobody there")

    assert cases(play_now(world_in(KITCHEN, limits=LIMITS), Calls(fails))) == ()


def test_what_the_record_decides_stands_whatever_people_say_and_the_rest_is_theirs():
    def labelled(decided: str, label: str = "") -> str:
        said = {f"label: failures: {label}": 1.0} if label else {}
        return failure_of({f"failure: {decided}": 1.0, **said})

    assert labelled("action", "state") == "action"
    assert labelled("unlabelled", "state") == "state"
    assert labelled("goal: unlabelled", "goal: order") == "goal: order"
    assert labelled("goal: unlabelled") == "goal: unlabelled"
    assert labelled("unlabelled") == "unlabelled"


def test_facts_tell_what_the_record_says():
    case = given_up(TAKE_BREAD, GO, PUT_ON_SECOND)
    assert case.facts == (
        "It ended because the agent said that it was done, and the goal was not reached.",
        "1 of 4 decisions were refused.",
        "Broken: one item at a station (place-item at a board), never recovered from.",
    )


@pytest.mark.parametrize(
    "answers",
    [
        [TAKE_BREAD, GO, PUT_ON_SECOND, BACK, PUT_BREAD, TAKE_BREAD, GO, PUT_ON_SECOND],
        [TAKE_BREAD, GO, BACK, GO, BACK],
        [TAKE_BREAD, GO, *[PUT_ON_SECOND] * 6],
        ["nonsense"] * 6,
    ],
)
def test_two_steps_of_thought_before_each_decision_change_no_verdict(answers: list[str]):
    """They are no decisions: nothing is done again in them, and they are not between errors in a row."""
    world = world_in(KITCHEN, limits=Limits(attempts=3, failed_calls=2))
    clock = Timing("latency").bound(world, {"robot1": "2"})
    at_once, slow = (play_now(world, Answers(*answers, "Finish"), clock=kept) for kept in (None, clock))
    assert len(slow.entries) == 2 * len(at_once.entries)
    assert list(counts(slow, world)) == list(counts(at_once, world))
    assert cases(slow) == cases(at_once)
