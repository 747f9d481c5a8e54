"""Robotouille's scenarios by id: the published tasks, and kitchens generated from them.

``generator=released`` gives the very kitchens of the article's experiments, ``generator=own`` such
as hold what the released generator drops: every robot. By default kitchens of tasks for one robot are
the released ones, and kitchens for several are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.robotouille.game.generate import Generated, generate, generate_released
from backburner.worlds.robotouille.game.scenarios import (
    PLAYS,
    Play,
    Scenario,
    shipped_domain,
    shipped_problem,
    task_file,
    tasks,
)

CHOICES: Mapping[str, Sequence[str]] = {
    "generator": ("released", "own"),
    "noisy": ("no", "yes"),
    "play": PLAYS,
}
"""Options with a fixed choice of values."""

OF_OWN = ("robots", "width", "height", "noise")
"""Options that only our own generator knows, all whole numbers."""

OPTIONS = (*CHOICES, *OF_OWN, "seed")


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path, such as ``synchronous/1`` with ``seed=42``.

    Raises ``UnknownName`` for a task or option that is not there, ``Refused`` for values that make
    no sense, alone or together.
    """
    if path not in tasks():
        raise UnknownName("task", path, [*tasks(), *suites()], "robotouille")
    _check_options(options)
    play: Play = next(play for play in PLAYS if play == options.get("play", "turns"))
    drawn = tuple(sorted((key, value) for key, value in options.items() if key != "play"))
    if not drawn:
        return Scenario(shipped_problem(path), play=play, task=path)
    made = _generated(path, drawn)
    return Scenario(made.problem, play=play, task=path, seed=made.seed, effective_seed=made.effective_seed)


def _check_options(options: Mapping[str, str]) -> None:
    for key, value in options.items():
        if key not in OPTIONS:
            raise UnknownName("option", key, OPTIONS, "robotouille")
        if key in CHOICES and value not in CHOICES[key]:
            raise UnknownName(f"value of option {key!r}", value, CHOICES[key], "robotouille")
        if key not in CHOICES and not (value.isascii() and value.isdigit() and len(value) < 10):
            raise Refused(f"robotouille: option {key!r} is a whole number, not {value!r}")
    if "seed" not in options and set(options) - {"play"}:
        told = ", ".join(sorted(set(options) - {"play"}))
        raise Refused(f"robotouille: {told} asks for a generated kitchen, which needs a seed: seed=42")


@lru_cache(maxsize=1024)
def _generated(path: str, options: tuple[tuple[str, str], ...]) -> Generated:
    told = dict(options)
    problem, domain, seed = shipped_problem(path), shipped_domain(), int(told["seed"])
    own_only = {key: int(told[key]) for key in OF_OWN if key in told}
    usual = "own" if own_only or len(problem.players) > 1 else "released"
    if told.get("generator", usual) == "own":
        if "noisy" in told:
            raise Refused("robotouille: option 'noisy' belongs to generator=released; ours has noise=N")
        width, height, robots, noise = (own_only.get(k) for k in ("width", "height", "robots", "noise"))
        return generate(problem, domain, seed, width=width, height=height, robots=robots, noise=noise)
    if own_only:
        raise Refused(f"robotouille: {', '.join(own_only)} needs generator=own")
    return generate_released(problem, domain, seed, told.get("noisy") == "yes")


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Suite path to scenario paths: the article's sets with its ten seeds, and others."""
    seeds, example = task_file().seeds, task_file().example_seed
    paths = {name: [path for path, task in tasks().items() if task.set == name] for name in SETS}
    drawn = {
        name: tuple(f"{path}@seed={seed}" for path in paths[name] for seed in seeds)
        for name in ("synchronous", "asynchronous", "multi_agent")
    }
    more = [
        f"{path}@robots={robots},seed={seed}"
        for robots in (3, 4)
        for path in paths["multi_agent"]
        for seed in seeds
    ]
    plain = [path for name in ("synchronous", "asynchronous", "multi_agent") for path in paths[name]]
    quick = [
        f"{path}@seed={seeds[0]}" for name in ("synchronous", "asynchronous") for path in paths[name][:3]
    ]
    return drawn | {
        "unrandomised": tuple(plain),
        "training": tuple(f"{path}@seed={example}" for path in paths["training"]),
        "quick": tuple(quick),
        "all": (*(id for ids in drawn.values() for id in ids), *more),
    }


SETS = ("synchronous", "asynchronous", "multi_agent", "training", "extra")
"""The sets of the task file."""


def refuse_empty(path: str) -> None:
    """Raises ``Refused`` for an id without a scenario."""
    if not path:
        raise Refused("robotouille: name a scenario, such as robotouille/synchronous/1@seed=42, or a suite")
