"""Curricula: where something is learnt most is played, and what was drawn is drawn again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.training.curriculum import (
    Curriculum,
    Level,
    Order,
    curriculum_of,
    read_curriculum,
    write_curriculum,
)
from support.training.learners import Able, Gated, Learner, episodes_until

EASY, HARD = Level("easy", ("a", "b")), Level("hard", ("c",))


def told(curriculum: Curriculum, level: int, *values: float) -> Curriculum:
    for value in values:
        curriculum = curriculum.told(level, value)
    return curriculum


def test_the_means_are_weighted_means() -> None:
    # 0 and 1 have the weights .9 and 1 in the fast mean, .98 and 1 in the slow one:
    # 1 / 1.9 = .526, 1 / 1.98 = .505.
    level = EASY.told(0).told(1)
    assert (level.fast, level.slow) == (pytest.approx(1 / 1.9), pytest.approx(1 / 1.98))


def test_most_is_played_where_the_means_are_apart() -> None:
    new = Curriculum((EASY, HARD))
    assert new.shares == (0.5, 0.5)
    rising = told(new, 0, *[number / 10 for number in range(10)])
    assert rising.shares == (0.5, 0.5)  # the other level has no returns yet
    still = told(rising, 1, *[0.3] * 10)
    assert still.shares == (pytest.approx(0.95), pytest.approx(0.05))
    assert still.weights == {"a": pytest.approx(0.475), "b": pytest.approx(0.475), "c": pytest.approx(0.05)}
    assert told(Curriculum((EASY, HARD), "uniform"), 0, *[0.1, 0.9] * 9).shares == (0.5, 0.5)


def test_where_nothing_changes_all_is_drawn_alike() -> None:
    same = told(told(Curriculum((EASY, HARD)), 0, *[0.5] * 10), 1, *[0.5] * 10)
    assert same.shares == (0.5, 0.5)


def test_the_ladder_goes_on_at_eighty_per_cent() -> None:
    ladder = Curriculum((EASY, HARD), "ladder")
    assert told(ladder, 0, *[0.9] * 9).shares == (1, 0)  # too few returns
    assert told(ladder, 0, *[0.7] * 20).shares == (1, 0)
    assert told(ladder, 0, *[0.9] * 10).shares == (0, 1)
    assert told(told(ladder, 0, *[0.9] * 10), 1, *[0.9] * 10).shares == (0, 1)


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), max_size=40), st.integers(), st.integers(0))
def test_a_draw_follows_from_seed_number_and_returns(
    returns: list[tuple[int, float]], seed: int, n: int
) -> None:
    curricula = [Curriculum((EASY, HARD)), Curriculum((EASY, HARD))]
    for level, value in returns:
        curricula = [curriculum.told(level, value) for curriculum in curricula]
    assert curricula[0] == curricula[1]
    assert curricula[0].draw(seed, n) == curricula[1].draw(seed, n)
    assert sum(curricula[0].shares) == pytest.approx(1)


def test_draws_have_their_shares() -> None:
    skewed = told(told(Curriculum((EASY, HARD)), 0, *[0.5] * 10), 1, *[0.0] * 5, *[1.0] * 5)
    drawn = Counter(skewed.draw(3, n).scenario for n in range(4000))
    # Three standard deviations of a share of .95: 3 * sqrt(4000 * .95 * .05) = 41.
    assert abs(drawn["c"] - 3800) < 41
    assert abs(drawn["a"] - 100) < 30
    assert skewed.draw(3, 0) == skewed.draw(3, 0)


def test_a_curriculum_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "curriculum.json"
    begun = told(Curriculum((EASY, HARD)), 1, 0.1, 0.7, 1 / 3)
    write_curriculum(file, begun)
    assert read_curriculum(file) == begun
    file.write_text('{"levels": [{"name": "none", "scenarios": []}]}')
    with pytest.raises(BadFile, match="levels"):
        read_curriculum(file)


def test_a_level_is_whatever_a_name_stands_for() -> None:
    curriculum = curriculum_of(("timearena/cooking1", "timearena/pairs"), "ladder")
    assert curriculum.levels[0] == Level("timearena/cooking1", ("timearena/cooking1",))
    assert len(curriculum.levels[1].scenarios) > 20
    with pytest.raises(UnknownName, match="ladder"):
        curriculum_of(("timearena/cooking1",), "lader")  # type: ignore[arg-type]
    with pytest.raises(Refused, match="one level"):
        curriculum_of(())


@pytest.mark.parametrize("make", [lambda: Gated(6, 0.02), lambda: Able(6, 0.01)])
def test_a_learner_needs_fewer_episodes_than_with_all_levels_alike(make: Callable[[], Learner]) -> None:
    levels = tuple(Level(str(number), ("scenario",)) for number in range(6))

    def needed(order: Order) -> float:
        return mean(episodes_until(0.8, make, Curriculum(levels, order), seed) for seed in range(20))

    assert needed("progress") <= 0.7 * needed("uniform")
