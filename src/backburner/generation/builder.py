"""Builds as a command asks for them: which options there are, what they ask for, what is told of the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from backburner.generation.attempt import (
    KEPT,
    OPEN_SPLITS,
    PLAUSIBLE,
    SPLITS,
    USUAL_SPLIT,
    Asked,
    Attempt,
)
from backburner.generation.build import ATTEMPTS_EACH, ATTEMPTS_EACH_OF_BANDS, Building
from backburner.generation.headline import headline_cells
from backburner.generation.index import Index, Kept
from backburner.generation.measure import CHOICE, GAP
from backburner.generation.names import themes_of
from backburner.generation.steer import (
    Cell,
    Range,
    cells_of,
    listed,
    nearest_values,
    range_of,
    why_not,
)
from backburner.kernel import packs
from backburner.kernel.answers import STANDARD
from backburner.kernel.building import CLUSTER, SEALED, WORKERS, Builder, Built, Progress
from backburner.kernel.built import EDITIONS
from backburner.kernel.errors import Refused, UnknownName, amount, shorten
from backburner.kernel.generating import Generator, Parameter, generator_of
from backburner.kernel.pack import Argument

# --- what is asked for -------------------------------------------------------------------------------------


def asked_of(world: str, generator: Generator, options: Mapping[str, Any]) -> Asked:
    """What the options of a build ask for; raises ``Refused`` and ``UnknownName``."""
    named = [name for name in generator.dials if name in options and name != GAP]
    ranges = {name: range_of(str(options[name]), name) for name in named}
    for script, written in listed(options.get(GAP, "")):
        if script not in generator.scripts:
            raise UnknownName("script", script, generator.scripts, f"{world}: gap")
        ranges[f"{GAP}:{script}"] = range_of(written, GAP)
    cells = _cells(generator, options.get("grid", ""), ranges)
    dials = {dial for cell in cells for dial in cell.ranges}
    for dial in sorted(dials):
        _check_dial(world, generator, dial)
    if (grid := options.get("grid", "")) in EDITIONS and options.get("rules", STANDARD) != STANDARD:
        raise Refused(f"{world}: grid={grid} is proven under rules={STANDARD}, not {options['rules']}")
    split = options["split"]
    if split == "sealed" and not options.get(SEALED):
        raise Refused(f"{world}: split=sealed is kept for suites of a secret seed: --secret-seed-file")
    return Asked(
        world=world,
        seed=options["seed"],
        options={each.name: options[each.name] for each in generator.arguments if each.name in options},
        cells=cells,
        pinned=_pinned(world, generator.parameters, options.get("set", "")),
        split=split,
        theme=options["theme"],
        twins=options["twins"],
        effort=options["effort"],
        bounded=options.get("bounded"),
        proven=not (generator.early and dials <= set(generator.early)),
    )


def _cells(generator: Generator, grid: str, ranges: Mapping[str, Range]) -> tuple[Cell, ...]:
    """The cells of a grid, within what is asked of all."""
    cells = headline_cells(generator) if grid in EDITIONS else [Cell(cell) for cell in cells_of(grid)]
    return tuple(replace(cell, ranges={**ranges, **cell.ranges}) for cell in cells)


def _check_dial(world: str, generator: Generator, dial: str) -> None:
    name = dial.partition(":")[0]
    if name not in generator.dials:
        raise Refused(f"{world}: no dial {name!r}; it has {', '.join(generator.dials)}")


def _pinned(world: str, parameters: Sequence[Parameter], written: str) -> dict[str, Any]:
    known = {each.name: each for each in parameters}
    pinned: dict[str, Any] = {}
    for name, value in listed(written):
        if name not in known:
            raise UnknownName("parameter", name, known, world)
        pinned[name] = _value_of(known[name], value, f"{world}: set={name}")
    return pinned


def _value_of(parameter: Parameter, written: str, where: str) -> Any:
    if parameter.kind == "choice":
        if written not in parameter.values:
            raise UnknownName("value", written, parameter.values, where)
        return written
    try:
        value = int(written) if parameter.kind == "whole" else float(written)
    except ValueError:
        value = parameter.low - 1
    if not parameter.low <= value <= parameter.high:
        raise Refused(f"{where} is from {parameter.low:g} to {parameter.high:g}, not {shorten(written)}")
    return value


# --- as a builder ------------------------------------------------------------------------------------------


def builder_of(world: str) -> Builder:
    """The builder of a world that has a generator, or one of its own; raises ``Refused`` where it has
    neither."""
    pack = packs.pack(world)
    if pack.generator:
        generator = generator_of(world)
        return Builder(
            help=generator.help,
            things="scenarios",
            arguments=arguments_of(generator),
            build=partial(_build, world, generator),
        )
    if pack.builder:
        found: Builder = packs.part(world, pack.builder)
        return found
    raise Refused(f"{world}: no scenarios are built for it here")


def arguments_of(generator: Generator) -> tuple[Argument, ...]:
    """All that a build may be asked for: what the house takes, the dials, and the generator's own."""
    knobs = ", ".join(f"{each.name} ({each.help})" for each in generator.parameters)
    house = (
        Argument(name="scenarios", kind="whole number", least=1, default=10, help="How many to keep."),
        Argument(
            name="attempts",
            kind="whole number",
            least=1,
            help=f"How many to draft at most; by default {ATTEMPTS_EACH} for each to keep, in the headline's "
            f"grid {ATTEMPTS_EACH_OF_BANDS}.",
        ),
        Argument(name="seed", kind="whole number", least=0, default=0, help="What everything is drawn by."),
        Argument(
            name="split",
            values=SPLITS,
            default=USUAL_SPLIT,
            help=f"Shapes of this split: {', '.join(OPEN_SPLITS)}, all three (open), or sealed.",
        ),
        Argument(
            name="theme",
            values=(PLAUSIBLE, *themes_of(generator.naming)),
            default=PLAUSIBLE,
            help="What things and verbs are called after; plausible draws a theme for each.",
        ),
        Argument(name="twins", kind="switch", default=False, help="Tell each in nonsense names as well."),
        Argument(
            name="effort",
            kind="number",
            least=0.001,
            default=generator.effort,
            help="Work for each proof, the same on every machine; 1 is about a second.",
        ),
        Argument(
            name="bounded",
            kind="number",
            least=0,
            help="Keep also what is proven up to this share of the best only.",
        ),
        Argument(name="distinct", values=("form", "shape"), default="form", help="No two may have the same."),
        Argument(name="apart", help="Folders or indexes joined by +, whose scenarios count as seen."),
        Argument(
            name="grid",
            help="Cells of dials, such as width=1.5/2.5+attention=.7/1; those of the headline: "
            f"{', '.join(EDITIONS)}.",
        ),
        Argument(name="set", help=f"Knobs that stay as they are, NAME=VALUE joined by +: {knobs}."),
        Argument(
            name=WORKERS,
            kind="whole number",
            least=1,
            default=1,
            help="On a cluster, so many at most, or one for each CPU; here, processes that draft.",
        ),
        Argument(
            name=CLUSTER,
            help="Draft on the machines of a Ray cluster: HOST:PORT, ray://HOST:PORT or auto.",
        ),
    )
    dials = tuple(
        Argument(name=name, help=f"{about} A number, or a range such as 2:3.")
        for name, about in generator.dials.items()
        if name not in (GAP, CHOICE)
    )
    gaps = Argument(
        name=GAP,
        help=f"The regret of {', '.join(generator.scripts)}: SCRIPT=RANGE, joined by +. "
        + generator.dials.get(GAP, ""),
    )
    things = (Argument(name=generator.things, kind="whole number", least=1, help="The same as scenarios."),)
    return (*house, *dials, gaps, *generator.arguments, *(things if generator.things else ()))


def _build(
    world: str, generator: Generator, out: Path, options: Mapping[str, Any], progress: Progress
) -> Built:
    if things := generator.things and options.get(generator.things):
        options = {name: value for name, value in options.items() if name != generator.things}
        options["scenarios"] = things
    asked = asked_of(world, generator, options)
    building = Building(out, asked, generator, options)
    index = building.run(progress)
    columns = _columns(index)
    return Built(
        index=index,
        columns=("file", *columns, "best", "status"),
        rows=[_row(kept, columns) for kept in index.kept],
        lines=[
            f"{index.attempts} drafts, {len(index.kept)} kept",
            *(f"  {count} {why}" for why, count in index.counts.items() if why != KEPT),
            *([f"scenario files: {out}"] if index.kept else []),
        ],
        remarks=_remarks(index),
        missing=_missing(building, index),
    )


SHOWN = ("length", "width", "attention", "contention", f"{GAP}:busy", f"{GAP}:greedy")
"""Dials in the table of a build."""


def _columns(index: Index) -> tuple[str, ...]:
    there = {dial for kept in index.kept for dial in kept.attempt.dials}
    return tuple(dial for dial in SHOWN if dial in there)


def _row(kept: Kept, columns: Sequence[str]) -> tuple[object, ...]:
    one = kept.attempt
    status = "proven" if one.status == "optimal" else one.status
    return (kept.file, *(one.dials.get(dial) for dial in columns), one.best, status)


def _remarks(index: Index) -> list[str]:
    share = f"{index.bias:.0%} of the drafts that were tried"
    return [f"{share} were dropped as nothing was proven: mind the bias"] if index.bias else []


def _missing(building: Building, index: Index) -> str:
    """Which dials were not met, a sentence each; empty if all scenarios were found."""
    if len(index.kept) >= index.scenarios:
        return ""
    found = f"{len(index.kept)} of {amount(index.scenarios, 'scenarios')} found in {index.attempts} attempts"
    unmet = _unmet(building.asked, building.tried)
    return "\n".join([found, *unmet, "the same command with more attempts goes on"])


def _unmet(asked: Asked, tried: Sequence[Sequence[Attempt]]) -> Iterator[str]:
    for cell, attempts in zip(asked.cells, tried, strict=True):
        own = [one for one in attempts if one.dials]
        why = why_not(cell.ranges, 1, max((one.units for one in own), default=0)) if own else ""
        for dial, wanted in cell.ranges.items():
            outside = [one.dials for one in own if dial in one.dials and one.dials[dial] not in wanted]
            if outside and len(outside) > len(own) // 2:
                near = nearest_values(outside, dial, wanted)
                yield f"{dial} of {wanted}: the nearest drafts have {near}"
        if why:
            yield why
