"""Options of calls to models on the command line: what is sent, how long it is tried, what may be spent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from backburner.agents.models.openai_client import Patience
from backburner.cli import app
from backburner.evaluation.records import records
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.values import total

LINE = ("run", "timearena/household5", "--agent", "act", "--json")


def played(server: Any, out: Path, *more: str, model: str = "good", keys: tuple[str, ...] = ()) -> Result:
    asked = ",".join((f"{model}@base_url={server.url},at_once=1", *keys))
    return CliRunner().invoke(app, [*LINE, "--model", asked, "--out", str(out), *more])


def test_what_is_chosen_is_sent_and_recorded(server, tmp_path: Path) -> None:
    keys = ("top_p=0.9", "stop=Minute", "reasoning_effort=low", 'extra_body={"top_k": 20}')
    assert played(server, tmp_path, keys=keys).exit_code == 0
    sent = server.requests[0]
    assert (sent["top_p"], sent["stop"], sent["reasoning_effort"], sent["top_k"]) == (
        0.9,
        ["Minute"],
        "low",
        20,
    )
    (path,) = records(tmp_path)
    kept = read_episode(path).header.players["agent"].settings
    assert (kept["top_p"], kept["stop"], kept["extra_body"]) == (0.9, ["Minute"], '{"top_k":20}')


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (("extra_body=[1]",), "write a JSON object"),
        (("extra_body={",), "no JSON"),
        (('extra_body={"messages": []}',), "'messages' is not set there"),
        (("header=X-Team",), "write NAME=VALUE"),
        (("header=Authorization=Bearer x",), "a key belongs in the environment"),
        (("header=X-Team=$NOWHERE",), "write NAME=VALUE, or NAME=$VARIABLE"),
        (("temprature=1",), "did you mean temperature"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_sent(server, tmp_path, keys, why) -> None:
    result = played(server, tmp_path, keys=keys)
    assert isinstance(result.exception, Refused | UnknownName)
    assert why in str(result.exception)
    assert server.requests == []


def test_a_budget_of_money_needs_prices(server, tmp_path: Path) -> None:
    result = played(server, tmp_path, "--budget", "cost=1")
    assert isinstance(result.exception, Refused) and "needs the prices" in str(result.exception)
    assert server.requests == []


def test_a_header_of_ones_own_is_sent_and_recorded_nowhere(server, tmp_path: Path, environment) -> None:
    environment.setenv("TEAM_TOKEN", "a-token-of-the-team")
    assert played(server, tmp_path, keys=("header=X-Team=$TEAM_TOKEN",)).exit_code == 0
    assert server.headers["X-Team"] == "a-token-of-the-team"
    assert all("a-token-of-the-team" not in path.read_text() for path in records(tmp_path))


@pytest.mark.parametrize(
    ("budget", "calls"),
    [("calls=3", 3), ("tokens=30", 3), ("calls=0", 0)],
)
def test_a_budget_stops_the_run_and_another_goes_on(server, tmp_path: Path, budget, calls) -> None:
    """An answer has 11 tokens in and 3 out: the third passes 30. The episode takes five calls in all."""
    stopped = json.loads(played(server, tmp_path, "--budget", budget).stdout)
    assert "is used up; with more, the same command goes on" in stopped["stopped"]
    assert len(server.requests) == calls
    assert not list(records(tmp_path))
    assert json.loads(played(server, tmp_path).stdout)["played"] == 1
    assert len(server.requests) == 5
    (path,) = records(tmp_path)
    assert total(cost for entry in read_episode(path).entries for cost in entry.usage.values()).calls == 5


def test_a_budget_of_money_goes_by_the_prices(server, tmp_path: Path) -> None:
    """At 100 a million in and 1000 out, an answer costs 11 * 0.0001 + 3 * 0.001 = 0.0041; two pass 0.005."""
    prices = tmp_path / "prices.json"
    price = {"input_per_million": 100, "output_per_million": 1000}
    prices.write_text(json.dumps({"models": {"good": price}}))
    more = ("--budget", f"cost=0.005,prices={prices}")
    assert "0.005 money is used up" in json.loads(played(server, tmp_path / "runs", *more).stdout)["stopped"]
    assert len(server.requests) == 2


def test_the_time_of_an_episode_ends(server, tmp_path: Path) -> None:
    result = played(server, tmp_path, "--budget", "episode_time=0.1", model="silent")
    (path,) = records(tmp_path)
    assert result.exit_code == 1
    assert read_episode(path).ending.error == "silent: the time of the episode is over"


@pytest.mark.parametrize(
    ("tried", "asked", "chance", "seconds"),
    [
        (1, None, 0.0, 0.5),
        (4, None, 0.0, 4.0),
        (4, None, 1.0, 3.0),
        (30, None, 0.0, 60.0),
        (10_000, None, 0.0, 60.0),
        (1, 7.0, 0.0, 7.0),
        (1, 7.0, 1.0, 7.125),
    ],
)
def test_pauses_double_up_to_the_longest_and_what_is_asked_for_is_waited(
    tried, asked, chance, seconds
) -> None:
    assert Patience().pause_seconds(tried, asked, chance) == seconds


def test_a_server_that_asks_for_more_time_than_a_call_has_is_not_waited_for(server, tmp_path: Path) -> None:
    result = played(server, tmp_path, model="later")
    (path,) = records(tmp_path)
    assert result.exit_code == 1
    assert "the next try would be in 3600 s, after the time of this call" in read_episode(path).ending.error
