"""A person at a real terminal: keys that need no Enter, completion by Tab, a turn that fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.agents.person.policy import Sight
from backburner.cli.terminal import keys_without_enter, lines_of
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.menu import Option
from backburner.kernel.text import Glance, Suggestion
from support.at_terminal import Person


def acts(episode: Episode) -> list[str]:
    return [act for entry in episode.entries for act in entry.answers["robot1"].decision.get("acts", ())]


HINT = "recipes  state  quit)"


def test_single_keys_act_at_once(tmp_path: Path) -> None:
    """The place B, then the blank, then the number 1: no Enter is pressed until words are typed."""
    record = tmp_path / "play.jsonl"
    person = Person("play", "robotouille/synchronous/1", "--limits", "none", "--out", str(record))
    person.waits_for(HINT)
    for key in ("B", " ", "2"):
        person.types(key)
        person.waits_for(HINT)
    person.types("Wai\t\r")  # Tab completes it
    person.waits_for(HINT)
    person.types("finish\r")
    person.waits_for("Again, if you mean it")
    person.types("finish\r")
    person.waits_for("that was it")
    person.types("\r")
    assert person.ends() == 0, person.seen
    done = acts(read_episode(record))
    assert done[0].startswith("move(") and done[1] == "wait()" and done[3] == "wait()" and len(done) == 4


def test_ctrl_c_keeps_the_record(tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    person = Person("play", "timearena/cooking1", "--out", str(record))
    person.waits_for(HINT)
    person.types("1")
    person.waits_for(HINT)
    person.types("\x03")
    assert person.ends() == 130, person.seen
    episode = read_episode(record)
    assert episode.ending is not None and (episode.ending.status, len(episode.entries)) == ("interrupted", 1)


def sight_of(n_options: int, bodies: tuple[str, ...] = ("",), **others: object) -> Sight:
    options = tuple(Option(n, f"act {n}", body=bodies[n % len(bodies)]) for n in range(n_options))
    return Sight("cook", Glance(suggestions=(Suggestion("say: "),)), options, **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n_options", "digits"),
    [(0, ""), (3, "123"), (9, "123456789"), (15, "23456789"), (39, "456789"), (120, "")],
)
def test_a_digit_acts_at_once_where_no_longer_number_begins_with_it(n_options: int, digits: str) -> None:
    """With 15 actions, 1 may be the beginning of 10 to 15, and 2 is nothing but 2."""
    assert keys_without_enter(sight_of(n_options)) == {*digits, "?"}


def test_letters_and_keys_act_at_once_but_for_several_bodies() -> None:
    shown = {"labels": {"stove1": "A", "far": "AA"}, "keys": ("e", "space")}
    assert keys_without_enter(sight_of(2, **shown)) == {"A", "e", "space", "1", "2", "?"}
    assert keys_without_enter(sight_of(2, ("agent0", "agent1"), **shown)) == {"?"}


def test_what_tab_completes() -> None:
    own = ["help", "briefing", "state", "recipes", "running", "undo", "why ", "quit"]
    assert list(lines_of(sight_of(1))) == ["act 0", "say: ", *own]


def test_who_plays_several_seats_is_asked_one_after_the_other(tmp_path: Path) -> None:
    """Also where all of them decide at once: two prompts cannot share one terminal."""
    record = tmp_path / "play.jsonl"
    person = Person("play", "cuisineworld/level_0@tau=1.5,seats=person", "--out", str(record))
    for key in ("1", "2"):
        person.waits_for(HINT)
        person.types(key)
    person.waits_for(HINT)
    person.types("\x03")
    assert person.ends() == 130, person.seen
    entry = read_episode(record).entries[0]
    commands = {seat: answer.decision["commands"] for seat, answer in entry.answers.items()}
    assert commands == {"agent0": ["goto_agent0_storage0"], "agent1": ["goto_agent1_blender0"]}


def test_arrow_keys_act_where_a_world_has_them(tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    options = ("--seat", "agent0", "--partner", "random", "--out", str(record))
    person = Person("play", "clocked_kitchen/level_0", *options)
    person.waits_for(HINT)
    person.types("\x1b[A")
    person.waits_for(HINT)
    person.types("\x03")
    assert person.ends() == 130, person.seen
    answer = read_episode(record).entries[0].answers["agent0"]
    assert "up" in str(answer.decision)
