"""A recorded decision asked for again: the same moment for every answer, and what the answers come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import backburner
from backburner.agents.models.client import ScriptedModel
from backburner.agents.models.policy import model_policy
from backburner.evaluation.labels.probing import Answered, probe, verdicts
from backburner.kernel.assessment import Assessment, Judgement
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.assessment import INITIATING
from support.collab_overcooked.kitchens import world_of
from support.collab_overcooked.pairs import ReferencePair
from support.small_worlds.relay import Press, Relay

WORLD = world_of("boiled_egg")


class Drawing:
    """Requests the egg from every second probe, told apart by the seed; notes what it was shown."""

    name = "drawing"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self.turns: list[tuple[Turn, Any]] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self.turns.append((turn, memory))
        call = "request('pickup(egg,ingredient_dispenser)')" if turn.seed % 2 == 0 else "wait(1)"
        return Reply(f"plan: {call}\nsay: Hello", memory="never seen again")


def both(policy: Policy) -> dict[str, Policy]:
    return dict.fromkeys(WORLD.seats, policy)


def saying(answer: str) -> Policy:
    """Gives the same answer every time."""
    return model_policy("act", WORLD, ScriptedModel([answer]))


def record(world: CollabOvercooked = WORLD) -> Episode:
    return play_now(world, ReferencePair("boiled_egg", talking=False))


def test_every_answer_stands_alone_before_the_same_moment() -> None:
    """Decision 0 is the chef's first: half of 4 answers ask for the egg (0.6555), so the mean is 0.3277."""
    agent = Drawing()
    found = probe(record(), 0, both(agent), 4, world=WORLD)
    assert [memory for _, memory in agent.turns] == [None] * 4
    assert {turn.text for turn, _ in agent.turns} == {WORLD.describe(WORLD.observe(WORLD.start(), "chef"))}
    verdict = found.verdicts[0]
    assert (verdict.criterion, round(verdict.mean, 4), verdict.success) == (INITIATING, 0.3277, 50.0)
    assert verdict.low < 50 < verdict.high and verdict.notes == {"nothing asked": 2}
    assert (found.at, found.seat, found.agent, len(found.answers)) == (0, "chef", "drawing", 4)


def test_a_later_decision_is_judged_after_what_was_done_before_it() -> None:
    """Decisions 0 and 1 are the first of both; the assistant's next comes when it holds the egg."""
    episode = record()
    at = next(i for i, entry in enumerate(episode.entries) if i > 1 and "assistant" in entry.answers)
    found = probe(episode, at, both(saying("plan: place_obj_on_counter()")), 1, world=WORLD)
    assert found.answers[0].words == "plan: place_obj_on_counter()"
    assert [round(judgement.score, 4) for judgement in found.answers[0].judgements] == [0.0, 0.3445]


def test_what_cannot_be_read_counts_as_an_answer_worth_nothing() -> None:
    (answered,) = probe(record(), 0, both(saying("I sing.")), 1, world=WORLD).answers
    assert [(j.score, j.note) for j in answered.judgements] == [(0.0, "unreadable")] * 2


def test_calls_that_fail_are_told_and_count_in_no_verdict() -> None:
    model = model_policy("act", WORLD, ScriptedModel(["x"], fail_at_call=1))
    found = probe(record(), 0, both(model), 3, world=WORLD)
    assert (found.failed, found.verdicts) == (3, ())


def test_verdicts_count_scores_above_zero() -> None:
    """Of 3 answers one is above 0: a third. The mean of 0.5, 0 and -0.2 is 0.1."""
    answers = [
        Answered("a", (Judgement("one", 0.5),)),
        Answered("b", (Judgement("one", 0.0, "late"),)),
        Answered("c", (Judgement("one", -0.2, "late"),)),
        Answered("", error="no answer"),
    ]
    (verdict,) = verdicts(answers)
    assert (round(verdict.mean, 3), round(verdict.success, 1)) == (0.1, 33.3)
    assert verdict.notes == {"late": 2}


def red_is_good(past: Sequence[Any], state: Any, seat: str, decision: Any) -> Sequence[Judgement]:
    return [Judgement("red", float(decision == Press("red")), f"after {len(past)}")]


def test_any_world_that_judges_decisions_can_be_probed() -> None:
    world, judged = Relay(), Assessment(worth=red_is_good)
    policies = dict.fromkeys(world.seats, backburner.FirstLegalPolicy())
    episode = play_now(world, policies, max_steps=3)
    with pytest.raises(Refused, match="decide at once; name one with --seat"):
        probe(episode, 0, policies, 1, world=world, assessment=judged)
    with pytest.raises(UnknownName, match="did you mean runner"):
        probe(episode, 0, policies, 1, seat="runer", world=world, assessment=judged)
    found = probe(episode, 0, policies, 2, seat="runner", world=world, assessment=judged)
    assert [verdict.criterion for verdict in found.verdicts] == ["red"]
    assert found.verdicts[0].notes == {"after 0": 2}


def test_what_cannot_be_probed_is_refused() -> None:
    agent = both(Drawing())
    episode = record()
    with pytest.raises(Refused, match=f"its steps: 0 to {len(episode.entries) - 1}"):
        probe(episode, len(episode.entries), agent, 1, world=WORLD)
    with pytest.raises(Refused, match="1 to 100000 times"):
        probe(episode, 0, agent, 0, world=WORLD)
    washing = play_now(backburner.world("timearena/household9"), backburner.FirstLegalPolicy())
    with pytest.raises(Refused, match="timearena: this world does not say what a single decision is worth"):
        probe(washing, 0, {"agent": backburner.FirstLegalPolicy()}, 1)
