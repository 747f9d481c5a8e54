"""The score without references, by hand."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.metrics.measures import Advance, advancement


def test_what_an_action_brings() -> None:
    """Of 16 steps to go the first action takes 3 and leaves 13; the second takes 2 and undoes 3 of them."""
    good = Advance("pickup(egg,ingredient_dispenser)", 16, 13, elapsed_steps=3)
    bad = Advance("deliver_soup()", 13, 16, elapsed_steps=2)
    assert (good.change_steps, good.lost_steps) == (3, 0)
    assert (bad.change_steps, bad.lost_steps) == (-3, 5)
    assert dict(advancement(([good, bad], []))) == {"change chef": 0.0, "lost chef": 2.5}


def test_where_nothing_can_be_completed_any_more() -> None:
    good = Advance("cook(pot0)", 5, 4, 1)
    last = Advance("put_obj_in_utensil(pot0)", 4, None, 2)
    assert (last.change_steps, last.lost_steps) == (None, None)
    assert dict(advancement(([last], [good, last]))) == {"change assistant": 1.0, "lost assistant": 0.0}
    assert dict(advancement(([], [last]))) == {}
