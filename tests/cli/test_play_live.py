"""Play on a server without Node or a server: bots that do all they are told, and a person at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from backburner.cli import app
from backburner.cli.on_server import NODE_FOLDER
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.policy import Reply
from support.live.bots import asked_of, bots_in

INSTRUCTED = "minecraft/level_1@instructor=yes"
FOLLOWER = "cli.test_play_live:Follower"


class Follower:
    """Goes where the person says, and keeps what it was told."""

    name, informed, settings = "follower", False, {}

    async def decide(self, turn, memory):
        goal = next((word for word in ("sheep", "chicken") if f"says: go to the {word}" in turn.text), "")
        return Reply(f"[goto(alex, {goal})]" if goal else "[]")


def ran(command: str, folder: Path, *more: str, typed: str = "") -> Result:
    where = ("--out", str(folder / "played.jsonl"))
    env = {NODE_FOLDER: str(folder)}
    return CliRunner().invoke(app, [command, *more, *where], input=typed, env=env)


def played(folder: Path) -> Episode:
    episode = read_episode(folder / "played.jsonl")
    assert check(episode) == len(episode.entries)
    return episode


def calls(folder: Path) -> list[list[str]]:
    return [[call["verb"] for call in act["calls"]] for act in asked_of(folder, "act")]


def test_a_person_at_the_terminal_has_bots_do_it(tmp_path: Path) -> None:
    """What friendly play explains is asked of no bot."""
    bots_in(tmp_path)
    typed = "killMob(alex, sheep)\ngoto(alex, sheep)\nstate\ngoto alex chest\nquit\n"
    done = ran("play", tmp_path, "minecraft/level_1", "--live", "localhost:1@agreed=yes", typed=typed)
    assert "alex: no sheep near me" in done.output
    assert calls(tmp_path) == [["goto"], ["goto"]]
    assert [line["do"] for line in asked_of(tmp_path)][-2:] == ["restore", "leave"]
    episode = played(tmp_path)
    players = episode.header.players
    assert (players["dispatcher"].name, players["server"].name) == ("human", "live")
    assert episode.ending and episode.ending.status == "interrupted" and len(episode.entries) == 4
    assert "Maya, a person:" in done.output  # who is seen there


def test_slips_cost_what_they_cost_a_model_where_play_is_strict(tmp_path: Path) -> None:
    bots_in(tmp_path)
    ran(
        "play",
        tmp_path,
        "minecraft/level_1",
        "--live",
        "localhost:1@agreed=yes",
        "--strict",
        typed="dance\nquit\n",
    )
    assert calls(tmp_path) == [[]]
    refused = [refusal.code for entry in played(tmp_path).entries for refusal in entry.refusals]
    assert refused == ["no_call"]


def test_a_person_instructs_at_the_terminal_and_an_agent_plays_the_others(tmp_path: Path) -> None:
    bots_in(tmp_path)
    seats = ("--seat", "instructor", "--partner", "cli.test_play_live:Follower")
    typed = "go to the sheep\nkeep\ngo to the chicken\n"
    done = ran("play", tmp_path, INSTRUCTED, "--live", "localhost:1@agreed=yes", *seats, typed=typed)
    assert calls(tmp_path) == [["goto"], [], ["goto"]], done.output
    assert [act["calls"][0]["things"] for act in asked_of(tmp_path, "act")[::2]] == [["sheep"], ["chicken"]]


def test_whoever_plays_a_body_hears_the_chat_as_the_instructor(tmp_path: Path) -> None:
    bots_in(tmp_path, chat={1: ["go to the sheep", "hurry"]})
    typed = "goto alex chest\ngoto alex chest\nquit\n"
    game = (INSTRUCTED, "--live", "localhost:1@agreed=yes", "--seat", "dispatcher")
    done = ran("play", tmp_path, *game, typed=typed)
    assert "The person says: go to the sheep | hurry" in done.output
    assert played(tmp_path).header.players["instructor"].name == "chat"


def test_agents_hear_the_chat_by_themselves(tmp_path: Path) -> None:
    bots_in(tmp_path, chat={1: ["go to the sheep"], 2: ["revoke"], 3: ["go to the chicken"]})
    agent = (
        "--server",
        "localhost:1@agreed=yes,person=maya",
        "--steps",
        "5",
        "--agent",
        "cli.test_play_live:Follower",
    )
    done = ran("live", tmp_path, INSTRUCTED, *agent)
    assert done.exit_code == 0, done.output
    assert calls(tmp_path) == [[], ["goto"], [], ["goto"], []]
    assert played(tmp_path).header.players["instructor"].settings == {"persons": ["maya"]}


def test_only_those_who_are_named_are_heard(tmp_path: Path) -> None:
    bots_in(tmp_path, chat={1: ["go to the sheep"]})
    agent = (
        "--server",
        "localhost:1@agreed=yes,person=Bo",
        "--steps",
        "3",
        "--agent",
        "cli.test_play_live:Follower",
    )
    ran("live", tmp_path, INSTRUCTED, *agent)
    assert calls(tmp_path) == [[], [], []]


def test_a_team_that_names_its_instructor_has_it(tmp_path: Path) -> None:
    bots_in(tmp_path, chat={1: ["go to the sheep"]})
    team = "first-legal+cli.test_play_live:Follower"
    ran("live", tmp_path, INSTRUCTED, "--server", "localhost:1@agreed=yes", "--steps", "2", "--agent", team)
    assert played(tmp_path).header.players["instructor"].name == "first-legal" and calls(tmp_path) == [[], []]


def test_a_plus_in_the_path_of_a_record_makes_no_team(tmp_path: Path) -> None:
    three = "minecraft/level_1@instructor=yes,seats=person"
    record = tmp_path / "one+two.jsonl"
    CliRunner().invoke(app, ["play", three, "--out", str(record)], input="keep\nquit\n")
    bots_in(tmp_path, chat={1: ["go to the sheep"]})
    seats = ("--seat", "alex", "--partner", f"replay:{record}")
    ran("play", tmp_path, three, "--live", "localhost:1@agreed=yes", *seats, typed="quit\n")
    assert played(tmp_path).header.players["instructor"].name == "chat"


def test_a_server_that_goes_ends_play_with_one_line_and_the_record_is_kept(tmp_path: Path) -> None:
    bots_in(tmp_path, gone_at=2)
    typed = "goto alex chest\n" * 3
    done = ran("play", tmp_path, "minecraft/level_1", "--live", "localhost:1@agreed=yes", typed=typed)
    assert isinstance(done.exception, BackburnerError), done.output
    assert str(done.exception).startswith("no Minecraft server answers any more")
    ending = played(tmp_path).ending
    assert ending and (ending.status, ending.reason) == ("failed", "server")
    assert asked_of(tmp_path, "restore")


def test_nothing_is_changed_where_nobody_can_agree(tmp_path: Path) -> None:
    bots_in(tmp_path)
    done = ran("play", tmp_path, "minecraft/level_1", "--live", "localhost:1")
    assert "nothing was changed" in str(done.exception)
    assert all(request["dry_run"] for request in asked_of(tmp_path, "prepare"))
    assert not (tmp_path / "played.jsonl").exists() and not list(tmp_path.glob("*.part*"))


def test_where_play_does_not_begin_no_folder_is_made(tmp_path: Path) -> None:
    env = {NODE_FOLDER: str(bots_in(tmp_path / "bots"))}
    new = tmp_path / "new"
    arguments = ["play", "minecraft/level_1", "--out", str(new / "folder" / "played.jsonl"), "--live"]
    refused = CliRunner().invoke(app, [*arguments, "localhost:1"], env=env)
    assert "nothing was changed" in str(refused.exception)
    assert not new.exists()
    CliRunner().invoke(app, [*arguments, "localhost:1@agreed=yes"], input="quit\n", env=env)
    assert (new / "folder" / "played.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("minecraft/level_1", "--live", "nowhere"), "--live 'nowhere' is no HOST:PORT"),
        (("minecraft/level_1", "--live", "h:1@auth=odd"), "unknown value 'odd' in --live: auth"),
        (("minecraft/level_1", "--live", "h:1@corner=1,2"), "--live: corner '1,2' is no X,Y,Z"),
        (
            ("minecraft/level_1", "--live", "h:1@persn=Maya"),
            "unknown key 'persn' in --live; did you mean person",
        ),
        (("minecraft/level_1", "--live", "h:1@person=Maya"), "person=Maya: nobody instructs in"),
        (("cuisineworld/level_1", "--live", "h:1"), "cannot be played on a live server"),
        (("minecraft/level_1@live=yes", "--seat", "server"), "unknown seat 'server'"),
        (("minecraft/level_1@live=yes", "--partner", "greedy"), "has one seat only, dispatcher"),
    ],
)
def test_what_is_wrong_is_told(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = (
        ran("play", bots_in(tmp_path), *arguments)
        if "--live" in arguments
        else CliRunner().invoke(app, ["play", *arguments, "--out", str(tmp_path / "played.jsonl")])
    )
    assert isinstance(done.exception, BackburnerError), done.output
    assert told in str(done.exception) and not asked_of(tmp_path)


def test_without_a_server_all_is_as_predicted(tmp_path: Path) -> None:
    record = tmp_path / "played.jsonl"
    typed = "goto alex chest\nquit\n"
    CliRunner().invoke(app, ["play", "minecraft/level_1@live=yes", "--out", str(record)], input=typed)
    episode = played(tmp_path)
    assert episode.header.players["server"].name == "as-predicted" and len(episode.entries) == 2
