"""Who waits for whom: partners by who came first, games when all who have come that far are there."""

from __future__ import annotations

import pytest

from backburner.study.design import Study
from backburner.study.entries import Arrived, Assigned, Ended, Entered, Left, Opened
from backburner.study.games import Partners
from backburner.study.participants import Cohort
from support.study.studies import PAIRS, Clock, found

TRIALS, GAME = 3, 4
"""Positions in the study of pairs: where partners are found, and its first game."""


class Waiting:
    """Participants of the study of pairs, by their entries alone."""

    def __init__(self, study: Study) -> None:
        self.clock, self.cohort = Clock(), Cohort()
        self.partners = Partners(study, self.cohort, self.clock)

    def at_trials(self, *ids: str) -> None:
        for id in ids:
            self.cohort.follow(id, Arrived(self.clock(), "en"))
            for position in range(TRIALS):
                self.cohort.follow(id, Left(self.clock(), position))
            self.cohort.follow(id, Entered(self.clock(), TRIALS))
            self.partners.come(id)
            self.clock.now += 1

    def team(self, *ids: str) -> None:
        for member, id in enumerate(ids):
            self.cohort.follow(id, Assigned(self.clock(), "t", 0, 0, member, ids))
            self.cohort.follow(id, Left(self.clock(), TRIALS))
            self.cohort.follow(id, Entered(self.clock(), GAME))

    def waiting(self) -> list[str]:
        return [one.id for one in self.partners.waiting()]


@pytest.fixture
def pairs() -> Waiting:
    return Waiting(found(**PAIRS).study)


def test_those_without_partners_wait_in_the_order_in_which_they_came(pairs: Waiting) -> None:
    pairs.at_trials("a", "b", "c")
    assert pairs.waiting() == ["a", "b", "c"]
    pairs.partners.go("b")
    assert pairs.waiting() == ["a", "c"], "nobody is looked at whose page is closed"
    pairs.team("a", "c")
    assert pairs.waiting() == []


def test_a_second_tab_is_the_same_participant(pairs: Waiting) -> None:
    pairs.at_trials("a")
    assert not pairs.partners.come("a")
    assert not pairs.partners.go("a") and pairs.waiting() == ["a"]
    assert pairs.partners.go("a") and pairs.waiting() == []


def test_a_game_is_wanted_once_when_both_are_there_each_at_a_seat(pairs: Waiting) -> None:
    pairs.at_trials("a", "b")
    pairs.team("a", "b")
    (game,) = pairs.partners.wanted()
    assert (game.people, game.here, game.position) == ({"a": "chef", "b": "assistant"}, 2, GAME)
    for id, seat in game.people.items():
        pairs.cohort.follow(id, Opened(pairs.clock(), GAME, "g", seat, "token", "host", 2))
    assert pairs.partners.wanted() == []


def test_whoever_is_still_on_the_way_is_waited_for_and_then_left_to_a_stand_in(pairs: Waiting) -> None:
    pairs.at_trials("a", "b")
    pairs.team("a", "b")
    pairs.partners.go("b")
    assert pairs.partners.wanted() == []
    told = pairs.partners.told(pairs.cohort.one("a"))
    assert told is not None and (told.present, told.needed) == (1, 2)
    pairs.clock.now += 100  # groups.waiting_seconds of this study
    (game,) = pairs.partners.wanted()
    assert (game.people, game.here) == ({"a": "chef", "b": "assistant"}, 1), "who is late has the seat still"


def test_whoever_has_stopped_is_waited_for_by_nobody(pairs: Waiting) -> None:
    pairs.at_trials("a", "b")
    pairs.team("a", "b")
    pairs.cohort.follow("b", Ended(pairs.clock(), "withdrawn"))
    (game,) = pairs.partners.wanted()
    assert game.people == {"a": "chef"}
    assert pairs.partners.told(pairs.cohort.one("a")) is None


def test_waiting_begins_when_the_page_is_open_again(pairs: Waiting) -> None:
    pairs.at_trials("a")
    one = pairs.cohort.one("a")
    assert pairs.partners.since(one, TRIALS) == pairs.clock() - 1
    pairs.partners.go("a")
    pairs.clock.now += 1000
    pairs.partners.come("a")
    assert pairs.partners.since(one, TRIALS) == pairs.clock()
    told = pairs.partners.told(one)
    assert told is not None and told.seconds_left == 100


def test_the_study_of_single_people_waits_for_nobody() -> None:
    alone = Waiting(found().study)
    alone.at_trials("a", "b")
    alone.team("a")
    (game,) = alone.partners.wanted()
    assert list(game.people) == ["a"] and game.here == 1
    assert alone.partners.told(alone.cohort.one("a")) is None
