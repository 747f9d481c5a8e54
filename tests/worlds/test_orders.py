"""Orders that keep coming: when they arrive, what became of them, and the collaboration score."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from backburner.worlds.dispatch.bounds import Pace, decisions_by
from backburner.worlds.dispatch.orders import Order, OrderClock, draw, track_orders
from backburner.worlds.dispatch.scores import cos, share

SOUP, TEA = 0, 1
CLOCK = OrderClock(("soup", "tea"), lifetimes=(6, 3), interval=2, most_open=2)


def test_draws_are_those_of_one_generator() -> None:
    stream = random.Random(3)
    assert [draw(3, 2, number) for number in range(200)] == [stream.choice((0, 1)) for _ in range(200)]


def test_an_episode_may_begin_in_the_middle_of_the_stream() -> None:
    later = OrderClock(("soup", "tea"), (6, 3), 2, 2, first_draw=5)
    assert [later.drawn(7, n).dish for n in range(20)] == [CLOCK.drawn(7, n + 5).dish for n in range(20)]


def test_an_order_joins_at_the_end_of_every_second_step_if_there_is_room() -> None:
    soup = Order(SOUP, 6, 0)
    first, arrived = CLOCK.tick((soup,), seed=0, arrived=1, steps=1)
    assert (first, arrived) == ((Order(SOUP, 5, 0),), 1)
    second, arrived = CLOCK.tick(first, seed=0, arrived=arrived, steps=2)
    assert {order.number for order in second} == {0, 1} and arrived == 2
    third, arrived = CLOCK.tick(second, seed=0, arrived=arrived, steps=4)
    assert {order.number for order in third} == {0, 1} and arrived == 2, "two are open already"


def test_the_most_urgent_stands_first_and_of_equals_the_first_by_name() -> None:
    """The order that joins waits for 6 or 3 steps, soup or tea; the one that is there has as many left."""
    new = CLOCK.drawn(0, 1)
    other = TEA if new.dish == SOUP else SOUP
    orders, _ = CLOCK.tick((Order(other, new.left + 1, 0),), seed=0, arrived=1, steps=2)
    assert [order.left for order in orders] == [new.left] * 2
    assert [order.dish for order in orders] == [SOUP, TEA]


def test_what_became_of_an_order_is_told_by_the_steps_that_it_had_left() -> None:
    tea, soup = Order(TEA, 3, 0), Order(SOUP, 6, 1)
    moments = [
        (0, (tea,)),
        (1, (Order(TEA, 2, 0), soup)),
        (2, (Order(TEA, 1, 0),)),  # the soup is gone with 6 steps left: served
        (3, (Order(TEA, 0, 0),)),
        (4, ()),  # the tea is gone with none left: it ran out
    ]
    first, second = track_orders(moments)
    assert (first.arrived, first.runs_out, first.closed, first.served) == (0, 3, 4, False)
    assert (second.arrived, second.runs_out, second.closed, second.served) == (1, 7, 2, True)
    assert track_orders(moments[:2])[0].closed is None, "still open"


def test_the_collaboration_score_is_the_mean_over_paces_not_over_orders() -> None:
    rows = [
        {"tau": 1.0, "completed": 1, "failed": 3},
        {"tau": 1.0, "completed": 1, "failed": 3},
        {"tau": 2.0, "completed": 1, "failed": 0},
    ]
    # 2 of 8 and 1 of 1
    assert (share(rows), cos(rows)) == (3 / 9, (0.25 + 1) / 2)
    nothing_closed = {"tau": 3.0, "completed": 0, "failed": 0}
    assert cos([*rows, nothing_closed]) == cos(rows)
    assert cos([nothing_closed]) is share([]) is None
    assert cos([{"interval": 5, "completed": 1, "failed": 1}], pace="interval") == 0.5


@pytest.mark.parametrize("latency", ["0", "1/10", "1/4", "1/2", "1", "3/2", "2", "4"])
def test_decisions_that_take_time_are_counted_as_they_come(latency: str) -> None:
    """A thought, of which whole steps pass and the rest is carried, then the step of its decision."""
    thought, now, carry, ends = Fraction(latency), 0, Fraction(0), list[int]()
    while now < 30:
        now += int(carry + thought) + 1
        carry = (carry + thought) % 1
        ends.append(now)
    for step in range(30):
        assert decisions_by(step, thought) == sum(end <= step for end in ends), step


def test_two_dispatchers_give_a_command_for_each_body_in_each_decision() -> None:
    # In 12 steps thoughts of 2 let one decide 4 times, for 3 bodies; thoughts of 5 the other twice, for one.
    pace = Pace(((3, Fraction(2)), (1, Fraction(5))))
    assert pace.commands_by(12) == 4 * 3 + 2 and pace.first_thought == 2
