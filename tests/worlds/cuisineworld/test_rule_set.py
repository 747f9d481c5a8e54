"""Each defect of the release is one field of ``Rules``, with a situation that tells its two values apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from backburner.kernel.values import Step
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.game.rule_set import RELEASED, STANDARD, Rules
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.dispatch.orders import Order
from support.cuisineworld.play import MEATCAKE, after, codes, held, inside, steps_of, world_of

Situation = Callable[[Rules], object]


def last(path: str, rules: Rules, *replies: str) -> Step[State]:
    step: Step[State] = steps_of(world_of(path, rules), *replies)[-1]
    return step


def a_bad_command(rules: Rules) -> object:
    """agent1 is sent to a place that is not there; does agent0 go?"""
    step = last("level_0", rules, "goto_agent0_storage0 goto_agent1_oven0")
    return step.state.at[0], codes(step)


def two_expiries(rules: Rules) -> object:
    """Two orders run out in one step."""
    world = world_of("level_1", rules)
    orders = (Order(0, 0, 0), Order(1, 0, 1))
    state = replace(world.start(), orders=orders, arrived=2)
    state = after(world, "noop_agent0", state=state)
    return state.failed, state.expired


def silence(rules: Rules) -> object:
    """An answer without any command."""
    state = last("level_0", rules, "Sorry, I have to think about that.").state
    return state.steps, state.turns, state.orders[0].left


def too_many_arguments(rules: Rules) -> object:
    """What is told about a goto with an item."""
    world = world_of("level_0", rules)
    state = after(world, "goto_agent0_salmon_storage0")
    assert codes(steps_of(world, "goto_agent0_salmon_storage0")[0]) == ["args"]
    return len(world.observe(state, "dispatcher").refusals)


def odd_body_numbers(rules: Rules) -> object:
    """``agent-1`` is the last body. Commands are given as such: text like that is found by no reader."""
    world = world_of("level_0", rules)
    said = world.decision_type(("goto_agent-1_storage0", "goto_0_blender0"))
    return world.step(world.start(), {"dispatcher": said}).state.at


def capitals(rules: Rules) -> object:
    """A command in capital letters, and one as the article writes it."""
    world = world_of("level_0", rules)
    return steps_of(world, "GOTO_AGENT0_STORAGE0 and goto(agent1, blender0)")[0].state.at


def another_item(rules: Rules) -> object:
    """flour is named, salmon is held; pork is named, a cake is inside."""
    put = last("level_0", rules, *MEATCAKE[:3], "put_agent0_flour_blender0")
    get = last("level_0", rules, *MEATCAKE[:10], "get_agent0_pork_blender0")
    return codes(put), codes(get), held(world_of("level_0"), get.state)


def a_duplicate(rules: Rules) -> object:
    """A second salmon where one is already."""
    world = world_of("level_0@tau=3.0", rules)
    step = steps_of(world, *MEATCAKE[:4], *MEATCAKE[:4])[-1]
    return inside(world, step.state, "blender0"), held(world, step.state), codes(step)


def a_tool_at_work(rules: Rules) -> object:
    """Putting something into a blender that is at work."""
    world = world_of("level_0@tau=3.0", rules)
    with_flour = "goto_agent1_storage0 put_agent0_blender0"
    steps = [*MEATCAKE[:7], with_flour, "get_agent1_flour_storage0 activate_agent0_blender0"]
    state = replace(after(world, *steps), busy=(0, 0, 5))
    return [
        codes(step) for step in steps_of(world, "goto_agent1_blender0", "put_agent1_blender0", state=state)
    ]


def level_12(rules: Rules) -> object:
    """Whether there is a fryer for the French fries."""
    return world_of("level_12", rules).compiled.places


def nobody_does_anything(rules: Rules) -> object:
    """What is told when every command is a noop."""
    world = world_of("level_0", rules)
    state = after(world, "noop_agent0 noop_agent1")
    assert not state.feedback.refusals
    return "do nothing" in world.describe(world.observe(state, "dispatcher"))


def another_word(rules: Rules) -> object:
    """One command and a word that only looks like one."""
    step = last("level_0", rules, "goto_agent0_storage0\nwait_agent1")
    return step.state.at[0], codes(step)


def within_words(rules: Rules) -> object:
    """A verb in a word, an underscore at the end, and digits of another script."""
    world = world_of("level_0", replace(rules, other_words_are_prose=True))
    found = world.parse(
        world.start(), "dispatcher", "noop_agent1_ xgoto_agent0_storage0_ goto_agent\u0661_pot0"
    )
    return found.commands


def an_item_too_many(rules: Rules) -> object:
    """A goto with an item, to a place that is not there."""
    return codes(last("level_0", rules, "goto_agent0_salmon_oven0"))


def what_ends_the_program(rules: Rules) -> object:
    """A verb without a place, then a place that is not there; both void the step."""
    voiding = replace(rules, bad_command_voids_all=True)
    return codes(last("level_0", voiding, "goto_agent0 goto_agent1_oven0"))


def two_numbers(rules: Rules) -> object:
    """agent0 and agent-2 are the same of two bodies."""
    world = world_of("level_0", replace(rules, loose_body_numbers=True))
    said = world.decision_type(("goto_agent0_storage0", "goto_agent-2_blender0"))
    step = world.step(world.start(), {"dispatcher": said})
    return step.state.at[0], codes(step), len({event.key for event in step.events})


def silence_after_an_error(rules: Rules) -> object:
    """What is told after an answer without a command that follows a refused one."""
    world = world_of("level_0", replace(rules, silence_freezes_time=True))
    state = after(world, "get_agent0_salmon_storage0", "Let me think.")
    return [refusal.code for refusal in world.observe(state, "dispatcher").refusals]


def an_earlier_answer(rules: Rules) -> object:
    """What a prompt shows of an answer with three commands for two bodies."""
    said = "First goto_agent0_storage0, then noop_agent1 and noop_agent0."
    return world_of("level_0", rules).remembered("dispatcher", said)


SITUATIONS: dict[str, tuple[Situation, object, object]] = {
    "bad_command_voids_all": (a_bad_command, (0, ["location"]), (1, ["location"])),
    "expiries_count_once": (two_expiries, (2, 2), (1, 2)),
    "silence_freezes_time": (silence, (1, 1, 14), (0, 1, 15)),
    "silent_refusals": (too_many_arguments, 1, 0),
    "loose_body_numbers": (odd_body_numbers, (1, 1), (2, 0)),
    "exact_text": (capitals, (0, 2), (1, 1)),
    "items_ignored": (another_item, (["not_held"], ["not_inside"], ""), ([], [], "salmonMeatcake")),
    "duplicates_vanish": (a_duplicate, (["salmon"], "salmon", ["inside_already"]), (["salmon"], "", [])),
    "waste_hides_reasons": (a_tool_at_work, [[], ["location_occupied"]], [[], ["put_waste"]]),
    "missing_tools": (
        level_12,
        (*world_of("level_12", "released").compiled.places, "fryer0"),
        world_of("level_12", "released").compiled.places,
    ),
    "idling_complaint": (nobody_does_anything, False, True),
    "other_words_are_prose": (another_word, (0, ["verb"]), (0, [])),
    "commands_within_words": (
        within_words,
        ("noop_agent1",),
        ("noop_agent1", "goto_agent0_storage0_", "goto_agent\u0661_pot0"),
    ),
    "arguments_before_places": (an_item_too_many, ["location"], ["args"]),
    "crashes_told_last": (what_ends_the_program, ["no_place"], ["location"]),
    "numbers_tell_bodies_apart": (two_numbers, (0, ["duplicate_agent"], 1), (2, [], 2)),
    "silence_repeats_errors": (silence_after_an_error, ["no_command"], ["not_at_location"]),
    "history_shows_commands": (an_earlier_answer, None, "goto_agent0_storage0\nnoop_agent1\n"),
}
"""Field to a situation, what comes of it without the defect, and with it."""


@pytest.mark.parametrize("field", SITUATIONS)
def test_a_field_makes_its_difference(field: str) -> None:
    situation, repaired, as_released = SITUATIONS[field]
    assert situation(STANDARD) == repaired
    assert situation(replace(STANDARD, **{field: True})) == as_released


def test_every_field_has_its_situation() -> None:
    assert set(SITUATIONS) == set(Rules.__struct_fields__) - {"name"}
    assert [getattr(STANDARD, field) for field in SITUATIONS] == [False] * len(SITUATIONS)
    assert [getattr(RELEASED, field) for field in SITUATIONS] == [True] * len(SITUATIONS)


@pytest.mark.parametrize("code", ["goto_agent0_storage0 goto_agent0_blender0"])
def test_a_second_command_for_a_body_is_refused_and_the_first_is_done(code: str) -> None:
    standard, released = last("level_0", STANDARD, code), last("level_0", RELEASED, code)
    assert (codes(standard), standard.state.at) == (["duplicate_agent"], (0, 1))
    assert (codes(released), released.state.at) == (["duplicate_agent"], (1, 1))


def test_what_cannot_be_read_is_told_before_what_comes_twice() -> None:
    """As released: the whole list is read before bodies are compared."""
    step = last("level_0", RELEASED, "goto_agent0_storage0 goto_agent0_storage0 goto_agent1_oven0")
    assert codes(step) == ["location"]


def test_what_was_made_in_a_tool_has_to_be_taken_out_first() -> None:
    """A new rule of ``standard``: without it such a put would be called a waste."""
    world = world_of("level_0@tau=3.0")
    state = after(world, *MEATCAKE[:10], "goto_agent0_storage0", *MEATCAKE[1:3])
    assert codes(steps_of(world, "put_agent0_blender0", state=state)[0]) == ["product_waits"]


def test_the_reasons_that_the_release_tells_together() -> None:
    """At a full chopboard: nothing in hand, and no room; at one at work also what is inside already."""
    world = world_of("level_2", RELEASED)
    raw = ["goto_agent{0}_storage0", "get_agent{0}_tuna_storage0", "goto_agent{0}_chopboard0"]
    lines = [line.format(0) for line in raw] + ["put_agent0_chopboard0", "activate_agent0_chopboard0"]
    lines += ["get_agent0_chopboard0", *(line.format(1) for line in raw), "put_agent1_chopboard0"]
    state = after(world, *lines)
    assert held(world, state) == "tunaSashimi" and inside(world, state, "chopboard0") == ["tuna"]
    (step,) = steps_of(world, "put_agent1_chopboard0", state=state)
    assert codes(step) == ["put_hands_empty", "location_full"]
    (step,) = steps_of(world, "activate_agent1_chopboard0 put_agent0_chopboard0", state=state)
    assert codes(step) == ["location_occupied", "location_full"]
    # When its work is done, the second slice goes where the first one is, and is gone.
    (step,) = steps_of(world, "put_agent0_chopboard0", state=step.state)
    assert (codes(step), held(world, step.state)) == ([], "")
    assert inside(world, step.state, "chopboard0") == ["tunaSashimi"]


OLDER = tuple(Rules.__struct_fields__[: Rules.__struct_fields__.index("other_words_are_prose")])
"""The fields that rules had before replies were read as the released program reads them."""


def test_a_record_from_before_a_field_came_goes_on_as_it_did() -> None:
    """An unknown word voids the step, and after silence it is told that nothing was found."""
    world = world_of("level_0", "released")
    rules = {field: getattr(world.rules, field) for field in OLDER}
    older = catalogue.restore(world.id, *map(to_builtins, (world.scenario, rules, world.limits)))
    assert codes(steps_of(older, "goto_agent0_storage0 wait_agent1")[0]) == ["verb"]
    assert codes(steps_of(older, "_goto_agent0_storage0_")[0]) == ["no_command"]
    assert codes(steps_of(older, "goto_agent0_x_oven0")[0]) == ["location"]
    assert codes(steps_of(older, "goto_agent0 goto_agent1_oven0")[0]) == ["no_place"]
    state = after(older, "get_agent0_salmon_storage0", "Let me think.")
    assert [refusal.code for refusal in older.observe(state, "dispatcher").refusals] == ["no_command"]
