"""No answer holds the reader up: a megabyte of anything is read within a tenth of a second of CPU.

The repetitions are made of what the reader looks for: verbs, things, separators of lists, articles,
underscores, marks of markdown, ``Action:``, each alone, in pairs, and behind an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game import Act
from backburner.worlds.timearena.game.transition import AGENT
from support.promptly import least_seconds
from support.timearena.play import world_of

SIZE = 1_000_000
PATH = "cooking1+cooking2+cooking3"
PIECES = (
    " ", ",", "-", "/", "&", "and ", "or ", " and", " or", "the ", "a ", "an ", "_", "*", "`", ".", "\n",
    "\t", "\\_", "action", "action:", "\naction:", "- - ", "wait ", "quit", "wash ", "wash the ", "cook ",
    "cook rice in ", "dish ", "dish_1", "rice_", "rice and ", "wash dish", "pick rice, ", "é", "ſ", "İ", "x",
)  # fmt: skip
BEGINNINGS = ("", "wash dish_1", "add rice to dish_1 ", "Action: pick rice")
ENDS = ("", " zzz", ", rice", "\nAction: pick rice")


def texts(piece: str, size: int) -> Iterator[str]:
    """Each beginning, the piece again and again until there are ``size`` characters, each end."""
    for beginning, end in product(BEGINNINGS, ENDS):
        yield beginning + piece * (size // len(piece)) + end


def seconds(read: Callable[[str], object], text: str) -> float:
    """Processor seconds to read it, on a quiet machine."""
    return least_seconds(lambda: read(text), enough=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_is_read_within_a_tenth_of_a_second(piece: str, rules: str) -> None:
    world = world_of(PATH, rules)
    state = world.start()
    world.parse(state, AGENT, "nothing yet")  # patterns are compiled when they are first needed
    for text in texts(piece, SIZE):
        assert seconds(lambda said: world.parse(state, AGENT, said), text) < 0.1, text[:60]


@pytest.mark.slow
@pytest.mark.parametrize("first", PIECES)
def test_two_pieces_in_turn_are_read_as_quickly(first: str) -> None:
    """What grows faster than the text shows at 20,000 characters already; see ``LONGEST_SEARCHED``."""
    world = world_of(PATH)
    state = world.start()
    world.parse(state, AGENT, "nothing yet")
    for second in PIECES:
        text = "wash dish_1" + (first + second) * (20_000 // len(first + second)) + " zzz"
        assert seconds(lambda said: world.parse(state, AGENT, said), text) < 0.1, text[:60]


@pytest.mark.parametrize(
    "separator", [",", " ,", ", ", "-", " - ", " /", " and", " or ", "&", "\n-", " and,"]
)
@pytest.mark.parametrize("ending", ["", " zzz", " the"])
def test_a_list_that_never_comes_to_a_thing_is_no_list(separator: str, ending: str) -> None:
    """``wash dish - - - -``: each separator once took twice as long as all before it."""
    world = world_of("cooking1")
    assert world.parse(world.start(), AGENT, "I wash dish" + separator * 500 + ending) == Act("wash", "dish")


@pytest.mark.parametrize(
    "separator", [", ", " and ", ", and ", " - ", "/", " & ", " or the ", ",,, ", " , ,"]
)
def test_an_action_on_a_list_of_things_is_no_decision(separator: str) -> None:
    world = world_of("cooking1")
    found = world.parse(world.start(), AGENT, f"I pick rice{separator}beef now")
    assert isinstance(found, Refusal) and found.code == "unreadable"


def test_of_a_very_long_answer_the_end_counts() -> None:
    world = world_of("cooking1")
    thoughts = "First I could pick beef. " * 10_000
    assert world.parse(world.start(), AGENT, f"{thoughts}\nAction: pick rice") == Act("pick", "rice")
    assert world.parse(world.start(), AGENT, "I pick rice. " + "Well. " * 10_000) != Act("pick", "rice")


def test_a_long_tail_is_no_part_of_a_bare_action() -> None:
    world = world_of("cooking1")
    found = world.parse(world.start(), AGENT, "pick rice" + "." * 1_500 + " pick beef")
    assert isinstance(found, Refusal) and found.code == "unreadable"
    assert world.parse(world.start(), AGENT, "pick rice" + "." * 1_500) == Act("pick", "rice")


@pytest.mark.parametrize("piece", [" ", "*", "\n", "\u2003", "* "])
def test_exact_reading_takes_away_any_number_of_asterisks_and_spaces(piece: str) -> None:
    world = world_of("cooking1", "released")
    around = piece * (SIZE // len(piece))
    assert world.parse(world.start(), AGENT, f"{around}pick rice{around}") == Act("pick", "rice")
