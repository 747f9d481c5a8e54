"""A person plays: keys, numbers and words; looking things up is free; slips are noted."""

from __future__ import annotations

import pytest

import backburner
from backburner.agents.person.keys import Keys
from backburner.agents.person.policy import MOST_SLIPS, SLIP, HumanPolicy
from backburner.agents.person.reading import Reader
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.text import Text
from backburner.kernel.view import View
from support.robotouille.kitchens import world_in
from support.typist import QUICK, Typist, screen_of

KITCHEN = ["table bread", "stove patty", "board"]


def person_in(world: World, typist: Typist, strict: bool = False) -> HumanPolicy:
    assert isinstance(world, Text)
    keys = Keys(world.controls, world.verbs, world.together) if isinstance(world, View) else None
    return HumanPolicy(
        typist, lambda: 0.0, Reader(keys, world.typed, world.phrases, strict), seats=world.seats
    )


def played(world: World, *lines: str, strict: bool = False) -> tuple[Episode, Typist]:
    """A whole game of a person who types these lines."""
    typist = Typist(*lines)
    return play_now(world, person_in(world, typist, strict)), typist


def decided(episode: Episode) -> list[str]:
    return [
        act for entry in episode.entries for answer in entry.answers.values() for act in answer.decision.acts
    ]


def slips_in(episode: Episode) -> list[str]:
    answers = (answer for entry in episode.entries for answer in entry.answers.values())
    return [thought.text for answer in answers for thought in answer.thoughts if thought.purpose == SLIP]


def test_a_person_cooks_with_keys_numbers_and_words() -> None:
    goal = [{"predicate": "iscooked", "args": ["patty"], "ids": [1]}]
    world = world_in(KITCHEN, goal=goal)
    # to the stove, cook; a blank is the space bar; the menu's first entry goes to the table; then in words:
    # done with the third step after the one that started it
    episode, typist = played(world, "B", "e", " ", "", "99", "?", "1", "wait")
    assert episode.ending is not None and episode.ending.reason == "completed"
    assert decided(episode) == [
        "move(p1=robot1,s1=table1,s2=stove1)",
        "cook(i1=patty1,p1=robot1,s1=stove1)",
        "wait()",
        "move(p1=robot1,s1=stove1,s2=table1)",
        "wait()",
    ]
    assert [list(sight.labels.values()) for sight in typist.shown] == [["A", "B", "C"]] * 5
    assert any(text.startswith("no number 99") for text in typist.told)
    assert any(text.startswith("   1 robot1 goes from stove1 to table1") for text in typist.told)
    assert slips_in(episode) == [], "a number that is not there is no slip that rules know"


def test_slips_cost_nothing_and_are_noted() -> None:
    """As a stranger began: with these lines TimeArena's clock stood at minute 2 before."""
    world = backburner.world("timearena/cooking1")
    episode, _ = played(world, "wash teapt", "hlep", "wash dish", *["1"] * 30)
    first = episode.entries[0]
    assert first.refusals == () and first.events[0].time == 0
    assert [slip.partition(" | ")[0] for slip in slips_in(episode)] == ["wash teapt", "hlep"]
    assert episode.header.players["agent"].settings == {"play": "friendly"}


def test_strict_play_charges_as_it_charges_a_model() -> None:
    world = backburner.world("timearena/cooking1")
    episode, _ = played(world, "wash teapt", "wash dish", *["1"] * 30, strict=True)
    assert [refusal.code for refusal in episode.entries[0].refusals]
    assert slips_in(episode) == []
    assert episode.header.players["agent"].settings == {"play": "strict"}


def test_of_many_slips_a_bounded_number_is_kept() -> None:
    episode, _ = played(backburner.world("timearena/cooking1"), *["x" * 5000] * 80, *["1"] * 30)
    assert len(slips_in(episode)) == MOST_SLIPS
    assert max(map(len, slips_in(episode))) <= 300


@pytest.mark.parametrize("line", ["help", "?", "briefing", "state", "recipes"])
def test_looking_things_up_is_free(line: str) -> None:
    for strict in (False, True):
        episode, typist = played(backburner.world("timearena/cooking1"), line, *["1"] * 30, strict=strict)
        assert not episode.entries[0].refusals and not slips_in(episode)
        assert len(typist.told) >= 3  # the briefing, where help is, and what was asked for


def test_giving_up_is_asked_twice() -> None:
    world = world_in(KITCHEN)
    episode, typist = played(world, "finish", "finish")
    assert episode.ending is not None and episode.ending.reason == "finish"
    assert sum("ends the play" in text for text in typist.told) == 1
    episode, _ = played(world, "finish", strict=True)
    assert episode.ending is not None and episode.ending.reason == "finish"


def test_quit_and_the_end_of_input_keep_the_record() -> None:
    for lines in (("1", "quit"), ("1",)):
        typist = Typist(*lines)
        world = backburner.world("collab_overcooked/boiled_egg")
        kept: list[object] = []
        with pytest.raises(KeyboardInterrupt):
            play_now(world, person_in(world, typist), sink=kept.append)
        assert len(kept) == 3, "header, one step, ending"


def test_with_several_seats_the_prompt_says_which_is_asked() -> None:
    world = world_in(KITCHEN, robots=(0, 2))
    _, typist = played(world, "space", "B", "finish", "finish")
    assert typist.prompts == ["robot1> ", "robot2> ", "robot1> ", "robot1> "]


@pytest.mark.parametrize("id", QUICK)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 24), (200, 50)])
def test_a_turn_fits_the_screen_with_goal_and_refusal_in_sight(id: str, width: int, height: int) -> None:
    """In strict play, so that refusals come back from the world."""
    world = backburner.world(id)
    typist = Typist("1", "sing a song", "1")
    with pytest.raises(KeyboardInterrupt):
        play_now(world, person_in(world, typist, strict=True))
    assert len(typist.shown) >= 3
    for sight in typist.shown:
        lines = screen_of(sight, width, height)
        assert len(lines) < height, "one line is left for the prompt"
        assert max(map(len, lines)) <= width
        assert lines[0].startswith("Goal: ")
        if sight.refused and sight.glance.news:
            assert sight.glance.news.split()[0] in " ".join(lines[1:4])
        assert any(line.lstrip().startswith("1 ") for line in lines), "the menu begins"
    assert any(sight.refused for sight in typist.shown)


def test_quit_is_the_worlds_where_the_world_knows_it() -> None:
    episode, _ = played(backburner.world("timearena/household9"), "fold quilt", "quit")
    assert episode.ending is not None and episode.ending.reason == "quit"


def test_where_the_world_tells_changes_only_they_can_be_read_again() -> None:
    """TimeArena says what has changed since the last decision, and never how all things are."""
    _, typist = played(
        backburner.world("timearena/household1"), "activate kettle", "wash teapot", "state", *["1"] * 30
    )
    shown = typist.told[2]
    assert shown.index("begin to activate kettle") < shown.index("teapot is clean") < shown.index("Minute 2")
    third = "\n".join(screen_of(typist.shown[2]))
    assert "Until now:" in third and "You begin to activate kettle; this takes 4 minutes." in third
    assert third.count("teapot is clean") == 1
    assert not screen_of(typist.shown[0])[0].count("Until now")


def test_a_person_is_told_how_to_type_and_not_how_a_model_answers() -> None:
    for id in QUICK:
        world = backburner.world(id)
        for strict in (False, True):
            typist = Typist()
            with pytest.raises(KeyboardInterrupt):
                play_now(world, person_in(world, typist, strict))
            briefing, help, *_ = typist.told
            assert isinstance(world, Text)
            told = world.briefing(world.seats[0])
            assert briefing == told if strict else len(briefing) <= len(told)
            for form in ("How to answer", "Write nothing but", "\n\n\n"):
                assert strict or form not in briefing
            assert ("beginnings of its words" in help) == (not strict)


def test_a_turn_on_a_wide_farm_shows_who_and_what_is_where() -> None:
    """28 rows of cells, nearly all of them empty, have no room on a screen."""
    typist = Typist("goto chicken; goto sheep", "kill chicken; kill sheep")
    with pytest.raises(KeyboardInterrupt):
        world = backburner.world("minecraft/level_1@tau=1.5")
        play_now(world, person_in(world, typist))
    shown = "\n".join(screen_of(typist.shown[-1]))
    for told in ("furnace", "chest", "oak_log", "sheep", "chicken", "cooked_chicken, order 0"):
        assert told in shown
    assert "holds chicken" in shown and "1 killMob(alex, chicken)" in shown and "'state' shows" not in shown


def test_a_farm_with_more_than_a_screen_has_room_for_is_told_in_a_list() -> None:
    typist = Typist()
    with pytest.raises(KeyboardInterrupt):
        world = backburner.world("minecraft/farm/0@tau=1.5")
        play_now(world, person_in(world, typist))
    sight = typist.shown[0]
    shown = " ".join(" ".join(screen_of(sight)).split())
    assert sight.scene is not None
    for place in sight.scene.places:
        assert f"{sight.labels[place.name]} {place.name} (" in shown
    assert "'state' shows" not in shown


def test_the_help_speaks_of_several_bodies_and_of_keys_where_they_are() -> None:
    def help_in(id: str) -> str:
        world, typist = backburner.world(id), Typist()
        with pytest.raises(KeyboardInterrupt):
            play_now(world, person_in(world, typist))
        return typist.told[1]

    level = "cuisineworld/level_0@tau=1.5"
    assert "numbers: 1 4" in help_in(level) and "e: activate" in help_in(level)
    chef = help_in(f"{level},head_chef=yes")
    assert "e: activate" not in chef and "letter" not in chef, "a head chef presses no keys"
    assert "numbers: 1 4" not in help_in("robotouille/synchronous/1@seed=42")
