"""A schedule in play: pieces that are done, begun, refused."""

from __future__ import annotations

from backburner.agents.in_play import InPlay
from backburner.kernel.schedule import Activity, Problem

CHOP = Activity("chop", 6, 6, preemptive=True)
PAN = Activity("pan", 5, 1, release=2, deadline=7)
WHOLE = Problem("steps", (CHOP, PAN), (), "", grid=2)


def begun(play: InPlay, *moments: int) -> InPlay:
    """After the next block was begun at each of these moments, and was accepted."""
    for now in moments:
        _, play = play.next(now)
    return play


def test_what_is_interrupted_is_shorter_and_what_is_begun_is_as_it_is() -> None:
    """Chopping from 0 to 2 and from 3 to 7: at 3 four are left, whatever refuses them; the grid divides 3."""
    play = InPlay().following(WHOLE, {"chop": 0, "pan": 2, "chop+2": 3})
    assert (play.wait(0), play.ends) == (0, 7)
    play = begun(play, 0, 2)
    chop, pan = play.left(WHOLE, 3).activities
    assert (chop.duration, chop.operator_time, chop.release, chop.deadline) == (4, 4, 3, None)
    assert (pan.release, pan.deadline, pan.operator_time) == (2, 7, 1)
    assert play.left(WHOLE, 3).grid == 1

    block, after = play.next(3)
    assert (block.start, block.end, block.last, block.whole) == (3, 7, True, False)
    assert (after.begun, after.done) == ({"pan": 2, "chop": 3}, {"chop": 2})
    chop, _ = after.left(WHOLE, 7).activities
    assert (chop.release, chop.deadline, chop.preemptive) == (3, 7, False)
    assert after.refused().left(WHOLE, 3) == play.left(WHOLE, 3)


def test_a_piece_that_is_not_the_last_is_taken_back_as_well() -> None:
    """In pieces of two, at 0, 2 and 6: the second is refused, so that two are done, and then begun anew."""
    play = InPlay().following(WHOLE, {"chop": 0, "chop+2": 3, "pan": 5, "chop+4": 6})
    play = begun(play, 0)
    second = begun(play, 3)
    assert (play.done, second.done, second.refused().done) == ({"chop": 2}, {"chop": 4}, {"chop": 2})
    # A wait in between is refused, or not: what is begun stays.
    assert second.beginning((), 5).refused().done == {"chop": 4}
    # Whoever now says that chopping takes three has one left; that it takes one, nothing.
    for said, left in ((3, 1), (1, 0)):
        short = Problem("steps", (Activity("chop", said, said, preemptive=True),), (), "")
        (chop,) = play.left(short, 3).activities
        assert (chop.duration, chop.preemptive) == (left, left > 0)


def test_a_block_that_comes_late_is_as_long_and_what_is_attempted_again_keeps_its_start() -> None:
    play = InPlay().following(WHOLE, {"chop": 0, "pan": 2, "chop+2": 3})
    block, play = play.next(4)
    assert (block.start, block.end, block.duration) == (4, 6, 2)
    assert play.beginning(("pan",), 6).beginning(("pan",), 9).begun == {"pan": 6}
