"""Teams: one agent for each seat, in the order of the seats. The relay has a reader and a runner."""

from __future__ import annotations

from pathlib import Path

import pytest

import backburner
from backburner.agents.models.client import ScriptedModel
from backburner.agents.roster import check_spec, make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel.episode import Episode, write_episode
from backburner.kernel.errors import BadFile, Refused, UnknownName
from support.evaluation.forged import forge
from support.small_worlds.relay import Relay, Rest

PATIENT = "support.own_agents:Patient"


def played(agent: str, seed: int = 0) -> Episode:
    return backburner.play_now(Relay(), make_policies(AgentSpec(agent), Relay()), seed)


def answers(episode: Episode, seat: str) -> list[object]:
    return [entry.answers[seat].decision for entry in episode.entries if seat in entry.answers]


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("random", ["random"]),
        ("greedy+random", ["greedy", "random"]),
        ("random + mine:Agent", ["random", "mine:Agent"]),
        # names of records hold a '+', for they are those of scenarios and of teams
        ("replay:a/cooking1+cooking2.seed0.jsonl", ["replay:a/cooking1+cooking2.seed0.jsonl"]),
        ("replay:a+b.jsonl+random", ["replay:a+b.jsonl", "random"]),
        ("replay:runs/greedy+random+serial/1.jsonl", ["replay:runs/greedy+random+serial/1.jsonl"]),
        ("random+replay:a+b.jsonl+replay:c+d.jsonl", ["random", "replay:a+b.jsonl", "replay:c+d.jsonl"]),
        ("replay:x.jsonl+random/1.jsonl", ["replay:x.jsonl+random/1.jsonl"]),
        ("replay:no suffix+random+mine:Agent", ["replay:no suffix", "random", "mine:Agent"]),
    ],
)
def test_a_name_is_taken_apart_at_its_plus_signs(name: str, members: list[str]) -> None:
    assert list(AgentSpec(name).members) == members


def test_each_seat_is_played_by_its_own_agent() -> None:
    episode = played(f"random+{PATIENT}")
    players = {seat: player.name for seat, player in episode.header.players.items()}
    assert players == {"reader": "random", "runner": "patient"}
    assert episode.header.agent == "random + patient"
    assert set(answers(episode, "runner")) == {Rest()}
    other = played(f"{PATIENT}+random")
    assert set(answers(other, "reader")) == {Rest()}


def test_one_name_alone_plays_every_seat_and_so_does_a_team_of_equals() -> None:
    assert played("random+random") == played("random")
    assert AgentSpec("random+random").label == AgentSpec("random").label == "random"


def test_labels_keep_different_teams_apart() -> None:
    names = ("random+first-legal+first-legal", "random+random+first-legal", "first-legal+random+random")
    assert [AgentSpec(name).label for name in names] == list(names)
    assert AgentSpec("act+random", model="m").label == "act(m)+random"
    assert AgentSpec("act+act", model="m").label == "act(m)"


@pytest.mark.parametrize("name", ["random+random+random", "random+serial+serial+serial"])
def test_a_number_that_does_not_fit_names_the_seats(name: str) -> None:
    number = name.count("+") + 1
    with pytest.raises(
        Refused, match=f"relay/door has 2 seats \\(reader, runner\\), .* names {number} agents"
    ):
        make_policies(AgentSpec(name), Relay())


def test_members_are_checked_one_by_one() -> None:
    with pytest.raises(UnknownName, match="unknown agent 'gredy'; did you mean greedy"):
        check_spec(AgentSpec("random+gredy"))
    with pytest.raises(Refused, match="backburner play"):
        check_spec(AgentSpec("random+human"))
    with pytest.raises(Refused, match="agent 'react' needs a model: --model NAME"):
        check_spec(AgentSpec("random+react"))
    with pytest.raises(BadFile, match=r"nowhere\.jsonl: No such file"):
        check_spec(AgentSpec("replay:nowhere.jsonl+random"))
    for name in ("random+", "+random", "random++random", "+"):
        with pytest.raises(Refused, match="a name is missing beside a '\\+'"):
            check_spec(AgentSpec(name))


def test_a_language_model_plays_beside_a_scripted_agent() -> None:
    client = ScriptedModel(["rest"], name="m")
    team = make_policies(AgentSpec("random+act", model="m"), Relay(), lambda _: client)
    episode = backburner.play_now(Relay(), team)
    assert episode.header.agent == "random + act(m)"
    assert {seat for entry in episode.entries for seat in entry.usage} == {"runner"}


def test_a_record_of_several_seats_plays_again_as_a_whole(tmp_path: Path) -> None:
    first = played("random", seed=3)
    write_episode(first, tmp_path / "first.jsonl")
    again = played(f"replay:{tmp_path / 'first.jsonl'}", seed=3)
    assert [entry.digest for entry in again.entries] == [entry.digest for entry in first.entries]
    player = again.header.players["runner"]
    assert player.name == "replay" and not player.informed
    assert player.settings["file"] == str(tmp_path / "first.jsonl")


def test_as_a_member_a_record_plays_its_seat_only(tmp_path: Path) -> None:
    first = played("random", seed=3)
    write_episode(first, tmp_path / "first.jsonl")
    episode = played(f"{PATIENT}+replay:{tmp_path / 'first.jsonl'}", seed=3)
    again, before = answers(episode, "runner"), answers(first, "runner")
    # nobody says anything now, so the runner's answers stand until they are used up
    assert again == before[: len(again)] and len(again) > 3
    assert set(answers(episode, "reader")) == {Rest()}
    assert episode.header.agent == "patient + replay"


def test_a_record_of_other_seats_or_another_world_is_refused(tmp_path: Path) -> None:
    world = backburner.world("timearena/household9")
    elsewhere = backburner.play_now(world, backburner.RandomPolicy())
    write_episode(elsewhere, tmp_path / "elsewhere.jsonl")
    with pytest.raises(Refused, match=r"elsewhere\.jsonl: recorded in timearena, and relay"):
        played(f"replay:{tmp_path / 'elsewhere.jsonl'}")
    alone = forge(
        tmp_path / "elsewhere.jsonl",
        lambda objects: objects[0].update(world="relay"),
        tmp_path / "alone.jsonl",
    )
    with pytest.raises(Refused, match=r"alone\.jsonl: recorded with seats agent; none of them is reader"):
        played(f"replay:{alone}+random")
    with pytest.raises(Refused, match="none of them is reader, runner"):
        played(f"replay:{alone}")


def test_the_settings_of_a_replay_tell_recordings_apart(tmp_path: Path) -> None:
    digests = []
    for seed in (3, 4):
        write_episode(played("random", seed), tmp_path / "one.jsonl")
        digests.append(played(f"replay:{tmp_path / 'one.jsonl'}").header.players["reader"].settings)
    assert digests[0]["file"] == digests[1]["file"] and digests[0]["recording"] != digests[1]["recording"]
