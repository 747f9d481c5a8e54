"""What a world offers beyond its contract, and what its author would write for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from backburner.kernel import headline, registry
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.clock import Timed
from backburner.kernel.conformance.declared import Announced
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError, amount
from backburner.kernel.menu import Menus
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.schedule import Schedulable
from backburner.kernel.text import Examples, Text
from backburner.kernel.view import View

EFFORT = 1.0
"""Of the search for the best of one scenario."""


class Offer(Struct, frozen=True):
    """Something that the house can do for a world. ``there``: how it is to be had; empty where it is not, and
    then ``write`` says what it takes, in the world or in its pack."""

    what: str
    there: str = ""
    write: str = ""


def offers(name: str) -> tuple[Offer, ...]:
    """What an announced world offers beyond the contract, and what to write for the rest.

    Raises what ``packs.pack`` and ``registry.catalogue`` raise. What breaks the contract is not found here:
    see ``check_pack`` and ``check_world``.
    """
    announced = Announced(name)
    world = announced.world
    return (*_of_capabilities(world), _optimum(world), _headline(announced), *_of_the_pack(announced))


def _of_capabilities(world: Any) -> Iterator[Offer]:
    for what, capability, there, write in (
        (
            "menus",
            Menus,
            "random, busy, first-legal and serial choose from them",
            "Menus of kernel.menu: menu",
        ),
        (
            "words",
            Text,
            "language models and people are told in words, and answer in words",
            "Text of kernel.text: briefing_parts, description_parts, parse, words",
        ),
        (
            "pictures, browser",
            View,
            "scenes in replays, notebooks and serve",
            "View of kernel.view: scene",
        ),
        (
            "clock",
            Timed,
            "thinking may take time",
            "Timed of kernel.clock: now, silence, tick_microseconds, beat_ticks; or PassingIsSilence",
        ),
        (
            "examples",
            Examples,
            "prompts may show play of another scenario",
            "Examples of kernel.text: demonstration, worked_plan",
        ),
        (
            "graphs",
            Schedulable,
            "scenarios are drawn as graphs; dials of length, width, attention",
            "Schedulable of kernel.schedule: problems, plan",
        ),
    ):
        yield Offer(what, there) if isinstance(world, capability) else Offer(what, write=write)


def _optimum(world: World[Any, Any, Any]) -> Offer:
    """Whether the best of a scenario is proven with some effort."""
    what = "optimum"
    try:
        found = solve_world(world, Request(effort=EFFORT))
    except BackburnerError as error:
        return Offer(what, write=f"what it lacks: {error}; or an oracle of its own: oracle of the pack")
    if found.status == "optimal" and found.objective is not None:
        return Offer(what, f"proven of {world.id}: {amount(found.objective, found.unit)}")
    hint = "Searchable of kernel.exact: estimate, a bound; or an oracle of its own: oracle of the pack"
    return Offer(what, write=f"{world.id}: {found.status} with an effort of {EFFORT:g}. {hint}")


def _of_the_pack(announced: Announced) -> Iterator[Offer]:
    pack = announced.pack
    for what, there, write in (
        (
            "scores",
            pack.scoring,
            'scoring="backburner.kernel.proven:SCORING", the share of the best; or metrics of its own',
        ),
        (
            "greedy",
            "greedy plays it, and stand-ins for models go by it" * ("greedy" in pack.agents),
            f'agents={{"greedy": Entry("{pack.name}.agents:Greedy", "what it does")}}',
        ),
        (
            "new scenarios, dials",
            pack.generator,
            f'generator="{pack.name}.generator:GENERATOR", a Generator of kernel.generating',
        ),
        (
            "scenario files",
            "its catalogue reads them" * (type(announced.catalogue).read is not Catalogue.read),
            "read of the catalogue",
        ),
        ("batches", pack.batch, "encoding and batch of the pack, for learners; see backburner.arrays"),
    ):
        yield Offer(what, there, "" if there else write)


def _headline(announced: Announced) -> Offer:
    """Whether the world is in the score over all worlds, with references that fit."""
    name, pack = announced.pack.name, announced.pack
    what, made = "headline", f"backburner solve {name} --write-references src/{name}/data/headline.json"
    if pack.headline is None:
        keys = [
            metric.key for metric in registry.scoring(name).metrics if headline.ends(metric)[1] is not None
        ]
        key = "reached" if "reached" in keys else next(iter(keys), "reached")
        return Offer(what, write=f'headline=Headline({{"all": "{key}"}}, "{name}"); then {made}')
    try:
        suites = headline.suites_of(name)
    except BackburnerError as error:
        return Offer(what, write=f"{error}: {made}")
    return Offer(what, f"score --over {name}: {', '.join(suite.name for suite in suites)}")
