"""Fast and slow: one model decides, and hears in virtual time what another one says meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models import Message, ScriptedModel, model_policy
from backburner.agents.models.client import Completion, Settings
from backburner.agents.models.methods.agile import Advice, Colleague
from backburner.agents.models.stand_in import StandIn
from backburner.agents.roster import check_spec, make_policies
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.running import runner
from backburner.evaluation.running.clocks import clocked
from backburner.evaluation.running.jobs import jobs_of
from backburner.kernel import claims, registry
from backburner.kernel.clock import Clock, Profile, Timing
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now

COOKING = "timearena/cooking1"
MINUTE = 60_000_000


class Telling:
    """Says its texts one after the other, with these tokens; ``heard``: the last messages it was sent."""

    def __init__(self, name: str, *texts: str, tokens: int = 0, reasoning: str = "") -> None:
        self.name, self.origin = name, {"model": name}
        self.texts, self.tokens, self.reasoning = texts, tokens, reasoning
        self.heard: list[str] = []
        self.told: list[int] = []

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        text = self.texts[len(self.heard) % len(self.texts)]
        self.heard.append(messages[-1].content)
        self.told.append(sum(len(message.content) for message in messages))
        return Completion(text, 0, self.tokens, reasoning=self.reasoning)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def clock(speed: str = "60/minute", **more: Any) -> Clock:
    return Timing(speed=speed, **more).bound(registry.world(COOKING))


FREE = Timing(profile=Profile()).bound(registry.world(COOKING))
"""A clock by which thoughts cost nothing."""


def played(fast: Any, slow: Any, kept: Clock | None, steps: int = 6, name: str = "agile") -> Episode:
    world = registry.world(COOKING)
    return play_now(world, model_policy(name, world, fast, slow=slow), max_steps=steps, clock=kept)


# --- how much has been said -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "price", "elapsed", "heard"),
    [
        ("abcdefghij", 100, 0, ""),
        ("abcdefghij", 100, 1, "a"),  # a tenth of a byte is a byte begun
        ("abcdefghij", 100, 10, "a"),
        ("abcdefghij", 100, 11, "ab"),
        ("abcdefghij", 100, 99, "abcdefghij"),
        ("abcdefghij", 100, 100, "abcdefghij"),
        ("abcdefghij", 0, 0, "abcdefghij"),
        # 洗碗 are 6 bytes: of 4 the fourth begins a character that has not been said
        ("洗碗", 6, 2, ""),
        ("洗碗", 6, 3, "洗"),
        ("洗碗", 6, 4, "洗"),
        ("洗碗", 6, 5, "洗"),
        ("洗碗", 6, 6, "洗碗"),
        ("a🍅b", 6, 4, "a"),  # 1, 4 and 1 bytes
        ("a🍅b", 6, 5, "a🍅"),
    ],
)
def test_what_has_been_said_is_a_prefix_of_whole_characters(
    words: str, price: int, elapsed: int, heard: str
) -> None:
    assert Advice(words, 1000, price).heard(1000 + elapsed) == heard


def test_finished_advice_stays_until_the_next_is_finished() -> None:
    first, second = Advice("first", 0, 10), Advice("second", 10, 10)
    assert Colleague(None, first).at(9) == Colleague(None, first)
    assert Colleague(None, first).at(10) == Colleague(first, None)
    assert Colleague(first, second).at(19) == Colleague(first, second)
    assert Colleague(first, second).at(20) == Colleague(second, None)


# --- in play ----------------------------------------------------------------------------------------------


def test_the_fast_one_hears_what_has_been_said_by_now() -> None:
    """60 tokens a minute; the fast one's 60 take a minute, the slow one's 240 four, for 8 + 2 + 10 bytes."""
    fast = Telling("fast", "wait", tokens=60)
    slow = Telling("slow", "0123456789", "ABCDEFGHIJ", tokens=240, reasoning="thinking")
    episode = played(fast, slow, clock())
    said = "A slower colleague began to think at minute 0, and has said so far:\n"
    # each turn ends two minutes after the last: a minute of thought, and one that the decision waits
    assert said not in fast.heard[0]
    assert f"{said}thinking\n\n\n" in fast.heard[1]  # 2 of 4 minutes: 10 of 20 bytes
    over = (
        "A slower colleague thought about how things stood at minute 0, and said:\nthinking\n\n0123456789\n\n"
    )
    assert over in fast.heard[2] and "ABC" not in fast.heard[2]  # and the next thought begins
    began = "A slower colleague began to think at minute 4, and has said so far:\nthinking"
    assert over in fast.heard[3] and began in fast.heard[3]
    assert "at minute 4, and said:\nthinking\n\nABCDEFGHIJ" in fast.heard[4] and over not in fast.heard[4]
    assert len(slow.heard) == 3
    advice = [
        thought.text
        for entry in episode.entries
        for answer in entry.answers.values()
        for thought in answer.thoughts
        if thought.purpose == "advice"
    ]
    assert advice[:2] == ["thinking\n\n0123456789", "thinking\n\nABCDEFGHIJ"]


def test_the_slow_one_is_paid_for_and_not_waited_for() -> None:
    fast, slow = Telling("fast", "wait", tokens=60), Telling("slow", "later", tokens=6000)
    episode = played(fast, slow, clock())
    thoughts = [a.thought for entry in episode.entries for a in entry.answers.values() if not a.silent]
    assert {thought.charge for thought in thoughts if thought is not None} == {MINUTE}
    spent = [usage for entry in episode.entries for usage in entry.usage.values()]
    assert spent[0].calls == 2 and spent[0].output_tokens == 6060 and len(spent[0].requests) == 1
    assert sum(usage.output_tokens for usage in spent[1:]) == 60 * (len(fast.heard) - 1)
    assert claims.check(episode) == len(episode.entries)
    (player,) = episode.header.players.values()
    assert player.name == "agile(fast,slow=slow)"
    assert player.settings["slow"] == {"model": "slow"} and player.settings["prompts_version"] == "clock 1"


def test_without_a_price_all_of_it_is_heard_at_once() -> None:
    fast, slow = Telling("fast", "wait", tokens=60), Telling("slow", "first A, then B", tokens=600)
    played(fast, slow, FREE)
    assert "at minute 0, and said:\nfirst A, then B" in fast.heard[0]
    assert "at minute 1, and said:\nfirst A, then B" in fast.heard[1] and "at minute 0" not in fast.heard[1]
    assert len(slow.heard) == len(fast.heard)  # it is asked anew at each turn


def test_advice_does_not_stay_in_the_conversation() -> None:
    fast, slow = Telling("fast", "wait", tokens=1), Telling("slow", "x" * 5000, tokens=1)
    played(fast, slow, FREE, steps=5)
    assert all("x" * 5000 in heard for heard in fast.heard)
    assert fast.told[-1] - fast.told[0] < 5000


def test_a_slow_one_may_have_a_speed_of_its_own() -> None:
    fast, slow = Telling("fast", "wait", tokens=60), Telling("slow", "0123456789", tokens=240)
    played(fast, slow, clock(), name="agile@slow_speed=2")  # 240 tokens are two minutes
    assert "at minute 0, and said:\n0123456789" in fast.heard[1]


@pytest.mark.parametrize("id", [COOKING, "timearena/household9", "collab_grid/baked_bell_pepper"])
@pytest.mark.parametrize("words", ["pick up everything", "Action: wait", ""])
def test_with_a_fast_model_that_is_greedy_it_plays_as_greedy(id: str, words: str) -> None:
    world = registry.world(id)
    kept = Timing(profile=Profile()).bound(world)
    greedy = play_now(world, make_policies(AgentSpec("greedy"), world), clock=kept)
    agile = play_now(
        world, model_policy("agile", world, StandIn(1.0), slow=ScriptedModel([words])), clock=kept
    )
    assert agile.ending is not None and greedy.ending is not None
    assert agile.ending.numbers == greedy.ending.numbers and agile.ending.reason == greedy.ending.reason


# --- when it is refused -----------------------------------------------------------------------------------


def test_without_a_clock_it_is_refused() -> None:
    with pytest.raises(Refused, match="agile needs a clock by which calls take time"):
        played(Telling("fast", "wait"), Telling("slow", "later"), None)
    with pytest.raises(Refused, match="agile needs a clock by which calls take time"):
        played(Telling("fast", "wait"), Telling("slow", "later"), clock("", mode="latency"))
    with pytest.raises(Refused, match="it asks a second model, --model slow=NAME"):
        played(Telling("fast", "wait"), None, clock())
    with pytest.raises(Refused, match="slow_speed is a number of tokens in a second, such as 20, not 'fast'"):
        played(Telling("fast", "wait"), Telling("slow", "later"), clock(), name="agile@slow_speed=fast")


def test_a_second_model_is_named_for_those_who_ask_it() -> None:
    slow = (("slow", Endpoint("b")),)
    spec = AgentSpec("agile", "a", seats=slow)
    check_spec(spec)
    assert spec.label == "agile(a,slow=b)" and spec.endpoints == (Endpoint("a"), Endpoint("b"))
    assert spec.needs_clock and not AgentSpec("act", "a").needs_clock
    with pytest.raises(Refused, match="agent 'agile' needs a second model: --model slow=NAME"):
        check_spec(AgentSpec("agile", "a"))
    with pytest.raises(Refused, match="agent 'act' asks no slow model; agile does"):
        check_spec(AgentSpec("act", "a", seats=slow))
    with pytest.raises(Refused, match="agent 'agile' plays only where calls take time"):
        clocked(jobs_of([COOKING], [spec], 1, "standard", "article"), [None])


def test_a_run_of_it_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    """The answers of both models are kept beside the record, and heard at the same moments again."""
    spec = AgentSpec("agile", "fast", seats=(("slow", Endpoint("slow")),))
    jobs = clocked(jobs_of([COOKING], [spec], 1, "standard", "article"), [Timing(speed="60/minute")])

    class Dying(Telling):
        async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
            if len(self.heard) == 3:
                raise KeyboardInterrupt
            return await super().complete(messages, settings)

    def run(out: Path, fast: type[Telling]) -> list[Telling]:
        asked = {
            "fast": fast("fast", "wait", tokens=60),
            "slow": Telling("slow", "0123456789", tokens=240),
        }
        runner.run(jobs, out, client_of=lambda endpoint: asked[endpoint.model])
        return list(asked.values())

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "killed", Dying)
    rest, _ = run(tmp_path / "killed", Telling)
    whole, _ = run(tmp_path / "whole", Telling)
    assert len(rest.heard) == len(whole.heard) - 3 and rest.heard == whole.heard[3:]
    (killed,), (once,) = ((tmp_path / name).rglob("*.jsonl") for name in ("killed", "whole"))
    first, second = read_episode(killed), read_episode(once)
    assert [entry.digest for entry in first.entries] == [entry.digest for entry in second.entries]
    assert [entry.answers for entry in first.entries] == [entry.answers for entry in second.entries]


def test_another_slow_model_is_another_experiment(tmp_path: Path) -> None:
    spec = AgentSpec("agile", "fast", seats=(("slow", Endpoint("slow")),))
    jobs = clocked(jobs_of([COOKING], [spec], 1, "standard", "article"), [Timing(speed="60/minute")])

    def run(server: str) -> Any:
        asked = {name: Telling(name, "wait", tokens=60) for name in ("fast", "slow")}
        asked["slow"].origin = {"model": "slow", "base_url": server}
        return runner.run(jobs, tmp_path, client_of=lambda endpoint: asked[endpoint.model])

    assert run("http://a").played == run("http://a").kept == 1
    with pytest.raises(Refused, match="recorded with another slow"):
        run("http://b")
