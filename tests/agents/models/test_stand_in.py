"""A stand-in plays every world by every method that makes sense there, well or badly as it is told to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.attempts import play_attempts
from backburner.agents.models import model_policy
from backburner.agents.models.client import Message, Settings
from backburner.agents.models.methods import METHODS
from backburner.agents.models.stand_in import STAND_IN, StandIn, stand_in_named
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import JOURNAL
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.kernel import registry
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import PolicyFailure, Refused, UnknownName
from backburner.kernel.play import play_now

PLAYED = {
    "timearena/cooking1+cooking2": ("score", "minutes"),
    "recipe2plan/Tacos+Vada": ("progress_percent", "seconds"),
    "recipe2plan/Tacos+Vada@knowledge=beliefs": ("progress_percent", "seconds"),
    "robotouille/asynchronous/3@seed=84": ("completed", "steps"),
    "robotouille/multi_agent/1@seed=42": ("completed", "steps"),
    "collab_overcooked/boiled_egg": ("completed", "steps"),
    "cuisineworld/level_0": ("completed", "steps"),
}
"""A scenario of each world and what its article varies; the number that counts, and the time it took."""

PLANS = ("io", "io-cot", "plan-and-solve", "modulo")

VARIED = ("react@calls=apart", "react@calls=together", "react@history=none", "reflexion@after=error")


def _fitting(id: str) -> list[str]:
    made = []
    for name in (*METHODS, *VARIED):
        try:
            model_policy(name, registry.world(id), StandIn())
        except Refused:
            continue
        made.append(name)
    return made


CASES = [(id, method) for id in PLAYED for method in _fitting(id)]


def _played(id: str, method: str, skill: float, seed: int = 0) -> Episode:
    world = registry.world(id)
    policy = model_policy(method, world, StandIn(skill, seed))
    return asyncio.run(play_attempts(world, policy))[-1]


def _number(episode: Episode, name: str) -> float:
    assert episode.ending is not None
    return float(episode.ending.numbers[name])


@pytest.fixture(scope="module")
def best() -> dict[str, Episode]:
    """How the oracle plays each; in CuisineWorld, where it takes a minute, the greedy dispatcher."""
    agents = {id: "greedy" if id.startswith("cuisineworld") else "oracle" for id in PLAYED}
    worlds = {id: registry.world(id) for id in PLAYED}
    return {id: play_now(worlds[id], make_policies(AgentSpec(agents[id]), worlds[id])) for id in PLAYED}


def test_every_method_fits_some_world() -> None:
    assert {method.partition("@")[0] for _, method in CASES} == {
        name for name, method in METHODS.items() if not method.advised
    }


@pytest.mark.parametrize(("id", "method"), CASES)
def test_without_slips_it_is_nearly_as_good_as_the_oracle(
    id: str, method: str, best: dict[str, Episode]
) -> None:
    counts, time = PLAYED[id]
    episode = _played(id, method, 1)
    assert _number(episode, counts) == _number(best[id], counts)
    assert _number(episode, time) <= 1.05 * _number(best[id], time)
    assert not any(entry.refusals for entry in episode.entries)


@pytest.mark.parametrize(("id", "method"), CASES)
def test_the_less_skill_the_worse(id: str, method: str, best: dict[str, Episode]) -> None:
    """Less comes of it; or it takes longer, where a problem is mended until it can be carried out."""
    counts, time = PLAYED[id]
    poor = [_played(id, method, 0, seed) for seed in range(2)]
    worse = sum(_number(episode, counts) for episode in poor) / 2 < 0.9 * _number(best[id], counts)
    later = sum(_number(episode, time) for episode in poor) / 2 > 1.1 * _number(best[id], time)
    assert worse or (later and method == "formalise")


@pytest.mark.parametrize(("id", "method"), [case for case in CASES if case[1] in (*PLANS, "react", "cook")])
def test_the_same_seed_gives_the_same_record_and_another_one_another(id: str, method: str) -> None:
    episodes = [_played(id, method, 0.3, seed) for seed in (1, 1, 2)]
    told = [[entry.answers for entry in episode.entries] for episode in episodes]
    assert told[0] == told[1]
    assert method in PLANS or told[0] != told[2]


def test_slips_are_of_every_kind() -> None:
    """Refused, unreadable, silent, early at the end, and accepted but not what should be done."""
    entries = [e for seed in range(8) for e in _played("recipe2plan/Tacos+Vada", "act", 0, seed).entries]
    texts = [answer.text for entry in entries for answer in entry.answers.values()]
    codes = {refusal.code for entry in entries for refusal in entry.refusals}
    assert "" in texts
    assert any("Finish" in (text or "") for text in texts)
    assert "no_action" in codes
    assert len(codes) > 2
    assert any(not entry.refusals for entry in entries)


def test_its_record_says_that_it_is_no_model() -> None:
    player = _played("timearena/cooking1", "act", 0.5).header.players["agent"]
    assert player.name == "act(stand-in:skill=0.5)"
    assert player.informed
    assert player.settings[STAND_IN] == {"skill": 0.5, "seed": 0}


def test_its_answers_take_no_tokens() -> None:
    episode = _played("timearena/cooking1", "react", 0.5)
    usages = [usage for entry in episode.entries for usage in entry.usage.values()]
    assert all(usage.calls and not usage.input_tokens and not usage.output_tokens for usage in usages)


def _client(endpoint: Endpoint) -> StandIn:
    return stand_in_named(endpoint.model)


def _jobs(*scenarios: str, methods: tuple[str, ...] = ("react",)) -> list[Job]:
    spec = [AgentSpec(method, "stand-in:skill=0.6") for method in methods]
    return [Job(id, agent, seed) for id in scenarios for agent in spec for seed in range(2)]


def test_it_plays_in_the_runner_and_goes_on_from_a_journal(tmp_path: Path) -> None:
    """The answers of a broken run, asked by a client that fails in its midst, lead to the same records."""
    jobs = _jobs("timearena/cooking1", "collab_overcooked/boiled_egg")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run(jobs, whole, client_of=_client)

    class Breaking(StandIn, frozen=True):
        async def complete(self, messages: Any, settings: Settings) -> Any:
            if len(messages) > 7:
                raise PolicyFailure("model", "broken off")
            return await super().complete(messages, settings)

    first = run(jobs, broken, client_of=lambda endpoint: Breaking(0.6))
    assert first.failed
    assert list(broken.rglob(f"*{JOURNAL}"))
    assert not run(jobs, broken, client_of=_client, retry_failed=True).failed
    for path in whole.rglob("*.jsonl"):
        other = read_episode(broken / path.relative_to(whole))
        assert [e.digest for e in read_episode(path).entries] == [e.digest for e in other.entries]


def test_names_are_read_and_faults_in_them_told() -> None:
    assert stand_in_named("stand-in") == StandIn()
    assert stand_in_named("stand-in:seed=3,skill=0.25").name == "stand-in:skill=0.25,seed=3"
    with pytest.raises(UnknownName, match="did you mean skill"):
        stand_in_named("stand-in:skil=1")
    for name in ("stand-in:skill=2", "stand-in:skill=nan", "stand-in:skill=much", "stand-in:seed=0.5"):
        with pytest.raises(Refused, match="number"):
            stand_in_named(name)


def test_outside_of_a_game_it_says_so() -> None:
    with pytest.raises(PolicyFailure, match="outside of a game"):
        asyncio.run(StandIn().complete([Message("user", "Hello")], Settings()))
