"""Decisions in words: the domain's sentence where it leaves nothing open, else the action's name."""

from __future__ import annotations

import pytest

from backburner.worlds.robotouille.game.state import Acts
from support.robotouille.kitchens import world_in


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("move(p1=robot1,s1=table1,s2=stove1)", "Action: robot1 goes from table1 to stove1"),
        ("wait()", "Action: Wait"),
        # The sentence tells neither the water nor the station: of two pots of water it could mean either.
        ("add-to(c1=pot1,i1=onion1,m1=water1,p1=robot1,s1=sink1)", None),
        ("juggle(p1=robot1)", None),
        ("not a name", None),
    ],
)
def test_words_are_sentences_that_can_mean_one_thing_only(name: str, words: str | None) -> None:
    world = world_in(["table", "stove"])
    assert world.words(Acts((name,))) == (words or f"Action: {name}")
