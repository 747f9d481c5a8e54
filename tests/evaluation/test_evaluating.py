"""An evaluation: which scenarios a size takes, the points so far worked by hand, what is missing in words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from backburner.evaluation.comparing.headline import Scale, headline
from backburner.evaluation.evaluating import missing, scale_of, scenarios_of, sentence, so_far
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.headline import Reference, Suite
from backburner.kernel.scoring import Measured
from support.evaluation.made_episodes import made
from support.evaluation.samples import SCORE


def suite(name: str, *ids: str) -> Suite:
    """A suite of the world before the slash, in which random play has 20 and the best is 100."""
    world, _, own = name.partition("/")
    return Suite(world, own, SCORE, {id: Reference(id, 20, 100, "optimum") for id in ids})


NUMBERS = tuple(f"tea/{number}" for number in range(20))
BOTH = Scale((suite("tea/short", *NUMBERS), suite("coffee/all", "coffee/a", "coffee/b")), ())


def played(**figures: float) -> list[Measured]:
    """An episode of each scenario, with its figure."""
    episodes = ((made("me"), id.replace("_", "/"), x) for id, x in figures.items())
    return [(replace(one, header=replace(one.header, id=id)), {"x": x}) for one, id, x in episodes]


def test_sizes_are_spread_over_each_suite_in_turns_and_hold_one_another() -> None:
    assert scenarios_of(BOTH, "small") == ["tea/0", "coffee/a"]
    middle, full = (scenarios_of(BOTH, size) for size in ("middle", "full"))
    assert middle == ["tea/0", "coffee/a", "tea/5", "coffee/b", "tea/10", "tea/15"]
    assert len(full) == 22 and set(middle) < set(full)
    with pytest.raises(UnknownName, match="did you mean small"):
        scenarios_of(BOTH, "smal")


def test_points_so_far_are_the_mean_of_the_worlds_that_were_played() -> None:
    """tea: 100 - 100 (100 - 60) / 80 = 50 and 100, mean 75, variance of the mean 25² = 625. coffee: 0 and 50,
    mean 25, 625 as well. The mean of both is 50, its variance 1250 / 4 = 312.5, with 312.5² / (2 · 156.25²)
    = 2 degrees of freedom: half of the interval is 4.303 · √312.5 = 76.06."""
    found = so_far(played(tea_0=60, tea_5=100, coffee_a=20, coffee_b=60), BOTH)
    assert [found.worlds[name].value for name in ("tea", "coffee")] == [75, 25]
    assert found.whole.value == 50 and found.whole.high == 100
    assert found.whole.low == pytest.approx(50 - 76.06, abs=0.01)
    assert found.worlds["tea"].low is None, "two scenarios tell nothing of a world alone"
    alone = so_far(played(tea_0=60), BOTH)
    assert (alone.whole.value, alone.whole.low, list(alone.worlds)) == (50, None, ["tea"])


def test_what_is_missing_is_told_in_words() -> None:
    rows = played(tea_0=60, tea_5=100)
    one = headline("me", rows, BOTH)
    said = sentence(one, so_far(rows, BOTH))
    assert said == (
        "me has 75.0 [-243, 100] points in published (0: random play, 100: the best that is possible), over"
        " 2 of 22 scenarios, which is no headline yet."
    )
    assert missing(one) == "Missing are 18 of 20 scenarios of tea; all 2 scenarios of coffee."
    every = played(**{id.replace("/", "_"): 100.0 for id in (*NUMBERS, "coffee/a", "coffee/b")})
    whole = headline("me", every, BOTH)
    assert missing(whole) == "" and "over all 22 scenarios." in sentence(whole, so_far(every, BOTH))


@pytest.mark.parametrize("over", [("sealed/tea.json",), ("built-1", "built-2")])
def test_hosted_suites_and_two_editions_are_refused(over: Sequence[str]) -> None:
    with pytest.raises(Refused):
        scale_of(over)
