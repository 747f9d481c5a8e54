"""What ships of the oracle: written into a file that keeps what it holds of others."""

from __future__ import annotations

from pathlib import Path

from backburner.evaluation.running.searches import write_optima
from backburner.kernel.files import read_optima
from backburner.worlds.collab_overcooked.game.catalogue import Optimum
from backburner.worlds.collab_overcooked.metrics.references import trajectories_of
from support.collab_overcooked.trajectories import write_trajectories


def test_a_file_of_optima_keeps_what_it_holds_of_others(tmp_path: Path) -> None:
    path = tmp_path / "optima.json"
    write_optima(path, ["collab_overcooked/boiled_egg"])
    write_optima(path, ["collab_overcooked/boiled_egg"], rules="released")
    write_optima(path, ["collab_overcooked/boiled_mushroom", "collab_overcooked/boiled_egg"])
    held = {
        (one.id.partition("/")[2], one.rules, one.space): one.steps
        for one in read_optima(path, Optimum).optima
    }
    assert held == {
        ("boiled_egg", "released", "calls"): 16,
        ("boiled_egg", "released", "moves"): 15,
        ("boiled_mushroom", "standard", "calls"): 16,
        ("boiled_mushroom", "standard", "moves"): 15,
        ("boiled_egg", "standard", "calls"): 16,
        ("boiled_egg", "standard", "moves"): 15,
    }


def test_shipped_trajectories_are_what_the_search_finds(tmp_path: Path) -> None:
    """Two orders of the first levels, made anew."""
    names = ["collab_overcooked/boiled_egg", "collab_overcooked/baked_potato_slices"]
    for made in write_trajectories(tmp_path / "trajectories.json", names):
        assert made == trajectories_of(made.order)
