"""Figures of data sets, and of task graphs: what they count."""

from __future__ import annotations

from backburner.evaluation.tables.figures import graphs_section
from backburner.kernel.charts import Bars
from backburner.worlds.collab_overcooked.metrics.levels import figure_2
from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.metrics.tables import counts, figure_23
from backburner.worlds.recipe2plan.metrics.plans import figure_6


def test_graphs_are_counted() -> None:
    """Two breads with lettuce between them: cut it (3), put down, stack twice; five steps at least."""
    section = graphs_section(["robotouille/synchronous/2"])
    assert section.rows == (("synchronous/2", "dish 1 (bread, lettuce, bread)", 4, 3, 3, 6, 5),)


def test_a_dish_takes_what_all_that_goes_into_it_takes() -> None:
    """A salmon meatcake is salmon and flour in a blender (the article's Figure 8)."""
    assert counts(shipped_cookbook(), "salmonMeatcake") == (1, 2, 1, 2)
    (table,), (figure,) = figure_23()
    assert len(table.rows) == 33
    for chart in figure.charts:
        assert isinstance(chart, Bars)
        assert sum(group.bars[0].value or 0 for group in chart.groups) == 33


def test_most_actions_of_recipes_take_less_than_ten_minutes() -> None:
    """As the article says of its Figure 6 (section A.3); 12.5 actions in each of 24 recipes are 300."""
    (table,), _ = figure_6()
    counted = {name: number for name, number, _ in table.rows}
    assert sum(counted.values()) == 300
    assert sum(number for name, number in counted.items() if name in "12345" or name == "6 to 10") > 270


def test_levels_get_longer() -> None:
    """Shortest plans by calls: 16 to 17 steps at level 1, 51 at level 6."""
    _, (figure,) = figure_2()
    (chart,) = figure.charts
    assert isinstance(chart, Bars)
    shortest = [group.bars[0].value for group in chart.groups]
    assert shortest[0] is not None and 16 <= shortest[0] <= 17
    assert shortest[1:] == [24.0, 34.0, 32.0, 45.0, 51.0]
    assert [group.bars[2].value for group in chart.groups] == [2.0, 5.0, 7.0, 9.0, 12.0, 17.0]
