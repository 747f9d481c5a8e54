"""``power``: how many scenarios and seeds a comparison needs, before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from backburner.cli.console import print_json, remark
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.cli.options import JsonOption
from backburner.cli.records import CompareOption, opened
from backburner.cli.tables import print_sections
from backburner.evaluation.comparing.comparison import compare, side_of
from backburner.evaluation.comparing.power import (
    SEEDS,
    Plan,
    Subject,
    of_rates,
    pilot_sections,
    power_sections,
)
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.significance import POWER, Variation
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.scoring import Section

MOST = 1e9
"""So large a spread or difference may be: its square is still a number like any other."""


class OfSeeds(Struct, frozen=True):
    """What else is said of a spread; the field is a key behind it."""

    seeds: Annotated[float, Key("The same from seed to seed of one scenario; else 0.", least=0)] = 0.0


class OfPilot(Struct, frozen=True):
    """What else is said of a pilot's metric; the field is a key behind it."""

    world: Annotated[str, Key("The pilot's world, where it has several.")] = ""


def power(
    runs: Annotated[
        Path | None, typer.Argument(help="A pilot: records of two agents over some scenarios.")
    ] = None,
    compared: CompareOption = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME[@KEY=VALUE]",
            help=about(keys_of(OfPilot), "Of the pilot; by default the world's first."),
        ),
    ] = "",
    spread: Annotated[
        str,
        typer.Option(
            "--spread",
            metavar="NUMBER[@KEY=VALUE]",
            help=about(keys_of(OfSeeds), "Standard deviation of differences from scenario to scenario."),
        ),
    ] = "",
    rates: Annotated[
        tuple[float, float] | None,
        typer.Option("--rates", metavar="P Q", help="Two success rates in per cent, in place of spreads."),
    ] = None,
    differences: Annotated[
        list[float] | None,
        typer.Option("--difference", help="How many scenarios does this one need? Repeatable."),
    ] = None,
    scenarios: Annotated[
        list[int] | None,
        typer.Option("--scenarios", min=2, help="Which difference do so many find? Repeatable."),
    ] = None,
    seeds: Annotated[
        list[int] | None, typer.Option("--seeds", min=1, help="Of each scenario; repeatable.")
    ] = None,
    often: Annotated[
        float, typer.Option("--power", min=0.01, max=0.999, help="How likely a difference is to be found.")
    ] = POWER,
    json: JsonOption = False,
) -> None:
    """How many scenarios and seeds a comparison of two agents needs, or what so many can find.

    From a pilot (`power runs --compare A B`), from spreads (`--spread 20 --difference 5`), or from two
    success rates (`--rates 40 50`).
    """
    if sum(given is not None for given in (runs, spread or None, rates)) != 1:
        raise Refused("how do differences vary? Name a pilot with --compare, a --spread, or two --rates")
    sizes = tuple(differences or ())
    scenario_spread, seed_spread = _spreads(spread)
    _check_numbers({"--spread": (scenario_spread, seed_spread), "--difference": sizes})
    plan = Plan(sizes, tuple(scenarios or ()), tuple(seeds or SEEDS), often)
    sections = (
        _pilot(runs, compared, metric, plan)
        if runs is not None
        else _assumed(scenario_spread, seed_spread, rates, plan)
    )
    if json:
        print_json(sections)
        return
    print_sections(sections)


def _spreads(written: str) -> tuple[float, float]:
    """Standard deviations from scenario to scenario, and from seed to seed; 0 where nothing is said."""
    number, tail = named(written)
    of_scenarios = Key("", float, least=0).value(number, "--spread") if number else 0.0
    return of_scenarios, read(OfSeeds, tail, "--spread").seeds


def _check_numbers(given: Mapping[str, Sequence[float]]) -> None:
    for option, numbers in given.items():
        for number in numbers:
            if not abs(number) <= MOST:
                raise Refused(f"{option} {number:g}: spreads and differences are at most {MOST:g}")
    if 0 in given["--difference"]:
        raise Refused("--difference 0: agents that do not differ are told apart by no number of scenarios")


def _pilot(runs: Path, compared: tuple[str, str] | None, written: str, plan: Plan) -> list[Section]:
    metric, tail = named(written)
    world = read(OfPilot, tail, "--metric").world
    if compared is None:
        raise Refused("a pilot is one of two agents: --compare A B")
    folder = opened(runs)
    loaded = scores.load(folder)
    remark(*loaded.unusable)
    one, other = (side_of(name, loaded.episodes, folder) for name in compared)
    found = compare(scores.score([episode for _, episode in loaded.episodes]), one, other)
    worlds = [comparison.world for comparison in found]
    if world and world not in worlds:
        raise UnknownName("world", world, worlds, str(runs))
    found = [comparison for comparison in found if world in ("", comparison.world)]
    metrics = {difference.metric for comparison in found for difference in comparison.differences}
    if metric and metric not in metrics:
        raise UnknownName("metric", metric, sorted(metrics), ", ".join(c.world for c in found))
    sections = [section for comparison in found for section in pilot_sections(comparison, plan, metric)]
    if not sections:
        raise Refused(f"{one.name} and {other.name} differ by the same in every scenario; try more of them")
    return sections


def _assumed(spread: float, seed_spread: float, rates: Sequence[float] | None, plan: Plan) -> list[Section]:
    if rates is not None:
        one, other = rates
        if not all(0 <= rate <= 100 for rate in rates):
            raise Refused(f"--rates {one:g} {other:g}: success rates are per cent, from 0 to 100")
        if not plan.differences and not plan.scenarios and one != other:
            plan = Plan((abs(one - other),), plan.scenarios, plan.seeds, plan.power)
        names = Subject("success rate (%)", f"an agent with {one:g} %", f"one with {other:g} %")
        return power_sections(of_rates(one, other), plan, names)
    found = Variation(spread**2, seed_spread**2)
    if found.scenarios + found.seeds == 0:
        raise Refused("differences that do not vary need no test; give a --spread above 0, or of seeds")
    return power_sections(found, plan, Subject("the metric"))
