"""What an agent is told, fact by fact: what the released prompts say, where they say it, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

import pytest
from msgspec import Struct

from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.policy import first_prompt, model_policy
from backburner.kernel import registry
from backburner.kernel.play import play
from backburner.worlds.cuisineworld.game.scenarios import levels
from support.cuisineworld.play import DISPATCHER, after, world_of

Where = Literal["briefing", "hints", "state", "refusal", "history", "nowhere"]

BOTH = ("standard", "released")
BRIEFED = tuple(f"{level}@bodies=3" for level in levels())


class Fact(Struct, frozen=True):
    """A fact, where it is told (``hints``: in that part of the briefing, and gone with ``hints=no``), and
    what the text there must hold and must not."""

    fact: str
    where: Where
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    rules: tuple[str, ...] = BOTH


FACTS = (
    Fact("how a command is written", "briefing", ("goto_AGENT_PLACE", "goto_agent0_storage0")),
    Fact("the five verbs are all there are", "briefing", ("these five verbs and no others",)),
    Fact("what each verb does", "briefing", ("goes to", "takes the item", "puts what it holds", "becomes")),
    Fact("noop is the way to wait", "briefing", ("is to wait gets noop",)),
    Fact("whose commands are given", "briefing", ("You command agent0, agent1, agent2",)),
    Fact("a command for each agent, none twice", "briefing", ("one command in each step, and none",)),
    Fact("errors are reported and to be minded", "briefing", ("refused you are told why. Mind that",)),
    Fact("tools stay and are used at their place", "briefing", ("Tools stay where they are", "own place")),
    Fact("how many steps there are", "briefing", ("60 steps",)),
    Fact("the recipes that the level needs", "briefing", ("made in a",)),
    Fact(
        "objects and base ingredients", "briefing", ("Things\n", "Base ingredients, which the storage gives")
    ),
    Fact(
        "every place with its capacity",
        "briefing",
        ("storage0: holds any number", "servingtable0: holds any"),
    ),
    Fact("orders keep coming", "hints", ("Orders for dishes keep coming",)),
    Fact(
        "finished dishes go to the serving table", "hints", ("finished dishes to the serving table at once",)
    ),
    Fact("an order ends with its lifetime", "hints", ("fails when its lifetime has run out",)),
    Fact("hands hold one thing", "hints", ("holds one thing at most",)),
    Fact("free hands to activate", "hints", ("free hands to take something, and to activate",)),
    Fact("one takes only where one is", "hints", ("To take something from a place, the agent has to be",)),
    Fact("a full tool has to be emptied", "hints", ("full takes nothing more until it is emptied",)),
    Fact("an occupied tool is closed", "hints", ("put into or taken from a tool that is occupied",)),
    Fact("a wrong activation is waste", "hints", ("Avoid waste",)),
    Fact("salads are chopped, then mixed", "hints", ("chopped before it is mixed",)),
    Fact(
        "level, orders with lifetimes, step and limit", "state", ("level: ", ", lifetime ", "step: 1 of 60")
    ),
    Fact("where agents are and what they hold", "state", ("at(agent0, storage0)", "hold(agent1, None)")),
    Fact("what is in which place", "state", ("inside(storage0, None)", "inside(servingtable0, None)")),
    Fact("what was accomplished", "state", ("Accomplished:",)),
    Fact("what was refused, and why", "refusal", ("'get_agent1_storage0': the agent is not there.",)),
    Fact("that somebody has to go there first", "refusal", never=("go there", "first")),
    Fact("that no command was found", "refusal", ("No command could be found",), rules=("standard",)),
    Fact(
        "after silence the former errors again, and nothing of the reading",
        "refusal",
        ("'get_agent1_storage0': the agent is not there.",),
        ("No command", "could be found", "read"),
        ("released",),
    ),
    Fact("that one idles", "refusal", ("Every agent was told to do nothing",), rules=("released",)),
    Fact(
        "the answers before: as they were given",
        "history",
        ("I think", "Goto_agent0_pot0"),
        rules=("standard",),
    ),
    Fact(
        "the answers before: the commands that were read, one for each agent at most",
        "history",
        ("goto_agent0_storage0\nnoop_agent1\n",),
        ("I think", "Goto", "wait_agent1", "noop_agent0"),
        ("released",),
    ),
    Fact("that commands see what those before them did", "nowhere", never=("in the order", "those before")),
    Fact("that any place is one step away", "nowhere", never=("one step away", "any place")),
    Fact("that the storage destroys what is put in", "nowhere", never=("is gone", "destroy", "discard")),
    Fact("how long tools take", "nowhere", never=("steps until", "busy for", "busy steps")),
    Fact("when the next order comes", "nowhere", never=("next order", "interval")),
    Fact("that others suffer from a bad command", "nowhere", never=("voids", "nobody does")),
    Fact("which words are read", "nowhere", never=("capital", "small letters", "underscore", "pattern")),
    Fact("suggestions, of which there never are any", "nowhere", never=("uggestion",)),
)


def rows(*where: Where) -> Any:
    """The facts that are told there, each under each of its rule sets."""
    chosen = [(fact, rules) for fact in FACTS if fact.where in where for rules in fact.rules]
    return pytest.mark.parametrize(("fact", "rules"), chosen, ids=[f"{f.fact}, {r}" for f, r in chosen])


@rows("briefing", "hints")
def test_the_briefing_tells(fact: Fact, rules: str) -> None:
    for level in BRIEFED:
        holds(fact, world_of(level, rules).briefing(DISPATCHER))


@rows("hints")
def test_inference_knowledge_goes_with_the_hints(fact: Fact, rules: str) -> None:
    """The article's ablation: all of it, and nothing else."""
    for level in BRIEFED:
        without = world_of(f"{level},hints=no", rules).briefing(DISPATCHER)
        assert not any(part in without for part in fact.must), level


@rows("state")
def test_each_state_tells(fact: Fact, rules: str) -> None:
    for level in BRIEFED:
        world = world_of(level, rules)
        state = after(world, "goto_agent0_storage0")
        holds(fact, world.describe(world.observe(state, DISPATCHER)))


REFUSED = {
    "that no command was found": ("get_agent1_storage0", "Let me think."),
    "after silence the former errors again, and nothing of the reading": (
        "get_agent1_storage0",
        "Let me think.",
        "wait_agent0",
    ),
    "that one idles": ("noop_agent0",),
}
"""What is answered before a refusal is told; else one command that is refused."""


@rows("refusal")
def test_a_refusal_tells(fact: Fact, rules: str) -> None:
    world = world_of("level_3", rules)
    state = after(world, *REFUSED.get(fact.fact, ("get_agent1_storage0",)))
    holds(fact, world.describe(world.observe(state, DISPATCHER)).partition("Game:")[0])


@rows("history")
def test_the_history_tells(fact: Fact, rules: str) -> None:
    """The dispatcher's conversation at its second decision, after the demonstration."""
    model = Model("I think:\nGoto_agent0_pot0? goto_agent0_storage0\nnoop_agent1\nnoop_agent0\nwait_agent1")
    conversation(model, rules)
    holds(fact, model.conversations[1][-2].content)
    assert model.conversations[1][-2].role == "assistant"


def test_the_history_keeps_an_empty_text_of_a_silent_turn() -> None:
    model = Model("Let me think.")
    conversation(model, "released")
    assert [message.content for message in model.conversations[2] if message.role == "assistant"][-2:] == [
        "",
        "",
    ]


@rows("nowhere")
def test_nothing_tells_what_the_release_leaves_to_be_found_out(fact: Fact, rules: str) -> None:
    """Briefing, states, refusals and prompts of the dispatcher with its demonstration."""
    for level in BRIEFED:
        world = world_of(level, rules)
        lines = ("goto_agent0_storage0", "get_agent0 put_agent1_pot0", "cook_agent0_pot0", "", "noop_agent0")
        told = [world.briefing(DISPATCHER)]
        for number in range(len(lines)):
            state = after(world, *lines[: number + 1])
            told.append(world.describe(world.observe(state, DISPATCHER)))
        assert not [part for part in fact.never if any(part in text for text in told)], level
    found = registry.world("cuisineworld/level_3", rules=rules)
    told = [message.content for message in first_prompt("dispatcher", found)]
    assert not [part for part in fact.never if any(part in text for text in told)]


def test_every_fact_is_told_somewhere_or_kept_back() -> None:
    for fact in FACTS:
        assert fact.never if fact.where == "nowhere" else fact.must or fact.never, fact.fact
    assert set(REFUSED) < {fact.fact for fact in FACTS}


def holds(fact: Fact, text: str) -> None:
    assert [part for part in fact.must if part not in text] == [], text
    assert [part for part in fact.never if part in text] == [], text


class Model:
    """Answers always the same, and keeps what it was sent."""

    name = "same"
    origin: Mapping[str, Any] = {}

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.conversations: list[list[Message]] = []

    async def complete(self, messages: Any, settings: Settings) -> Completion:
        """The answer."""
        self.conversations.append(list(messages))
        return Completion(self.answer)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def conversation(model: Model, rules: str) -> None:
    world = registry.world("cuisineworld/level_3", rules=rules)
    asyncio.run(play(world, model_policy("dispatcher", world, model), max_steps=4))
