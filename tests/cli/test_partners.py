"""``play`` with a partner: a person takes one seat, an agent the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from backburner.cli import app
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName

EGG = "collab_overcooked/boiled_egg"


def play(record: Path, *lines: str, options: tuple[str, ...] = (), id: str = EGG, code: int = 130) -> Result:
    """The output of a person who types these lines and then stops."""
    arguments = ["play", id, "--out", str(record), *options]
    result = CliRunner().invoke(app, arguments, input="\n".join((*lines, "")))
    assert result.exit_code in (code, 1), result.output
    return result


def test_a_person_cooks_one_part_with_a_scripted_partner(tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    lines = (
        "pickup(egg, ingredient_dispenser) say: I bring an egg. [END]",
        "place_obj_on_counter()",
        "wait(9)",
    )
    shown = play(record, *lines, options=("--seat", "assistant", "--partner", "first-legal")).stdout
    assert "To speak, put 'say:' and your words" in " ".join(shown.split())
    episode = read_episode(record)
    assert (episode.header.players["assistant"].name, episode.header.players["chef"].name) == (
        "human",
        "first-legal",
    )
    said = [event.label for event in episode.events() if event.what == "said"]
    begun = [event.label for event in episode.events() if event.what == "start"]
    assert said == ["I bring an egg. [END]"]
    assert {"pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"} <= set(begun)
    assert "chef>" not in shown


def test_a_partner_may_take_a_while_for_each_decision(tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    play(record, "wait(3)", "wait(3)", options=("--seat", "assistant", "--partner", "first-legal@latency=2"))
    episode = read_episode(record)
    assert episode.header.clock is not None and episode.header.clock.mode == "latency"
    assert {seat: each.latency for seat, each in episode.header.clock.profiles.items()} == {
        "chef": "2",
        "assistant": "0",
    }
    assert any(entry.answers["chef"].silent for entry in episode.entries if "chef" in entry.answers)


def test_a_person_plays_both_parts_and_is_told_whose_turn_it_is(tmp_path: Path) -> None:
    shown = play(tmp_path / "play.jsonl", "wait(3)", "wait(2)").stdout
    assert "chef>" in shown and "assistant>" in shown


def test_who_plays_what_must_be_clear(tmp_path: Path) -> None:
    def error(*options: str, id: str = EGG) -> BaseException | None:
        return CliRunner().invoke(app, ["play", id, *options, "--out", str(tmp_path / "x.jsonl")]).exception

    assert isinstance(error("--seat", "chef"), Refused)
    assert "who plays assistant? Name an agent with --partner" in str(error("--seat", "chef"))
    assert "name your own seat with --seat, of chef, assistant" in str(error("--partner", "random"))
    assert isinstance(error("--seat", "cheff", "--partner", "random"), UnknownName)
    assert "random" in str(error("--seat", "chef", "--partner", "randon"))
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize("seat", ["agent"])
def test_who_plays_alone_needs_no_partner(seat: str, tmp_path: Path) -> None:
    shown = play(tmp_path / "play.jsonl", "wait", options=("--seat", seat), id="timearena/household9").stdout
    assert "> " in shown and f"{seat}>" not in shown


def test_there_is_no_partner_in_a_world_of_one_seat(tmp_path: Path) -> None:
    for options in (("--partner", "greedy"), ("--seat", "agent", "--partner", "greedy")):
        arguments = ["play", "timearena/household9", *options, "--out", str(tmp_path / "x.jsonl")]
        error = CliRunner().invoke(app, arguments).exception
        assert isinstance(error, Refused) and "one seat only" in str(error)


def test_the_last_news_is_told_when_play_is_over_and_the_limits_before(tmp_path: Path) -> None:
    record, tea = tmp_path / "play.jsonl", "timearena/household1"
    lines = ("activate kettle", "wash teapot", "wash cup", "pour kettle", "brew tea", *["1"] * 9)
    result = CliRunner().invoke(app, ["play", tea, "--out", str(record)], input="\n".join((*lines, "")))
    assert result.exit_code == 0 and "score 100, completed 1" in result.output
    assert "You begin to pour teapot into cup" in result.output.rpartition("> ")[2]
    assert "cut off, at the latest, by: minutes" in " ".join(result.output.split())


def test_a_person_cooks_with_a_language_model(tmp_path: Path) -> None:
    """A stand-in for one, by the article's method; its tokens and words are in the record."""
    record = tmp_path / "play.jsonl"
    options = ("--seat", "chef", "--partner", "cook", "--model", "stand-in:skill=1")
    shown = play(record, "ask pick egg", "wait(3)", "wait(3)", options=options).stdout
    assert "ask the assistant to pickup(egg,ingredient_dispenser)" in shown
    episode = read_episode(record)
    assert episode.header.players["assistant"].name == "cook(stand-in:skill=1)"
    answers = [entry.answers["assistant"] for entry in episode.entries if "assistant" in entry.answers]
    assert answers and all(answer.text for answer in answers)


def test_options_of_models_need_somebody_who_asks_one(tmp_path: Path) -> None:
    for options in (("--model", "x"), ("--model", "x", "--seat", "chef", "--partner", "greedy")):
        arguments = ["play", EGG, "--out", str(tmp_path / "x.jsonl"), *options]
        assert isinstance(CliRunner().invoke(app, arguments).exception, Refused)
