"""Robotouille's scenarios by id: the published tasks, and kitchens generated from them.

``generator=released`` draws the very kitchens of the article's experiments. It drops all robots but the
first; ``generator=own`` keeps them. By default kitchens of tasks for one robot are drawn in the released
way, and kitchens for several robots in our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.robotouille.game.generate import Generated, generate, generate_released
from backburner.worlds.robotouille.game.scenarios import (
    PLAYS,
    SHIPPED_DOMAIN,
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
"""Options that only our own generator has; their values are whole numbers."""

OPTIONS = (*CHOICES, *OF_OWN, "seed")


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path, such as ``synchronous/1`` with ``seed=42``.

    Raises ``UnknownName`` for a task or option that is not there, ``Refused`` for values that make
    no sense, alone or together, and for an empty path.
    """
    if not path:
        raise Refused("robotouille: name a scenario, such as robotouille/synchronous/1@seed=42, or a suite")
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
        names = ", ".join(sorted(set(options) - {"play"}))
        raise Refused(f"robotouille: {names} asks for a generated kitchen, which needs a seed: seed=42")


@lru_cache(maxsize=1024)
def _generated(path: str, options: tuple[tuple[str, str], ...]) -> Generated:
    values = dict(options)
    problem, domain, seed = shipped_problem(path), shipped_domain(), int(values["seed"])
    own_only = {key: int(values[key]) for key in OF_OWN if key in values}
    usual = "own" if own_only or len(problem.players) > 1 else "released"
    if values.get("generator", usual) == "own":
        if "noisy" in values:
            raise Refused("robotouille: option 'noisy' belongs to generator=released; ours has noise=N")
        width, height, robots, noise = (own_only.get(k) for k in ("width", "height", "robots", "noise"))
        return generate(problem, domain, seed, width=width, height=height, robots=robots, noise=noise)
    if own_only:
        raise Refused(f"robotouille: {', '.join(own_only)} needs generator=own")
    return generate_released(problem, domain, seed, values.get("noisy") == "yes")


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Suite path to scenario paths: the article's three sets with its ten seeds each, and other suites."""
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


def training_scenario(id: str, scenario: Scenario) -> tuple[str, Scenario]:
    """Id and scenario of the training task that goes with a kitchen, with the article's seed.

    The article took its examples from the training tasks, which are in none of its test sets. Raises
    ``Refused`` for a kitchen in another domain, because they are examples of the shipped one.
    """
    if scenario.domain != SHIPPED_DOMAIN:
        raise Refused(f"{id} has a domain of its own, and the training tasks are examples of the shipped one")
    synchronous = scenario.task.startswith(("synchronous/", "training/synchronous"))
    path = f"training/{'synchronous' if synchronous else 'asynchronous'}"
    seed = str(task_file().example_seed)
    return f"robotouille/{path}@seed={seed}", scenario_of(path, {"seed": seed})
