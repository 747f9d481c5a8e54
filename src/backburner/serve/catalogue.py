"""What may be played here and by whom: worlds, suites and scenarios, agents by name, models of the host's
file.

Pages choose by name alone. They name no file, no server and no code: a scenario is one that a world's
catalogue has, an agent one of the world's or of ours, a model one of the host's file, whose address no
page is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from backburner.agents.models.methods import METHODS
from backburner.agents.models.stand_in import StandIn, is_stand_in
from backburner.agents.spec import GENERAL, Endpoint
from backburner.kernel import packs, registry
from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError, Refused, UnknownName, shorten
from backburner.kernel.files import Place, converted, read_json
from backburner.kernel.menu import Menus
from backburner.kernel.pack import TutorialStep
from backburner.kernel.reported import Reported, reporter_of, speaker_of
from backburner.kernel.text import Text
from backburner.kernel.values import Seat
from backburner.kernel.view import View

# --- models that the host offers --------------------------------------------------------------------------

USUAL_METHOD = "act"
"""How a model is asked where nobody says."""

_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,100}")


class ModelEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A model as the host's file names it. ``name`` and ``about`` are what pages show; the rest is sent to no
    page. ``headers``: sent with its calls; a value of ``$NAME`` stands in the environment."""

    name: str
    model: str
    about: str = ""
    base_url: str = ""
    headers: dict[str, str] = {}

    @property
    def endpoint(self) -> Endpoint:
        """Where its calls go."""
        return Endpoint(self.model, self.base_url)


class _ModelsFile(Struct, frozen=True, forbid_unknown_fields=True):
    models: tuple[ModelEntry, ...]


STAND_IN = ModelEntry(
    name=StandIn().name,
    model=StandIn().name,
    about="no language model: plays well, with slips, and costs nothing",
)
"""Always there, so that a game with a model can be tried without one."""


def read_models(path: Path) -> tuple[ModelEntry, ...]:
    """The models of a file such as ``{"models": [{"name": "small", "model": "qwen3:8b", "base_url":
    "http://localhost:11434/v1"}]}``; raises ``BadFile``."""
    place = Place(str(path))
    entries = converted(read_json(path), _ModelsFile, place).models
    names = {STAND_IN.name}
    for index, entry in enumerate(entries):
        here = place.entry("models", index, entry.name)
        if not _NAME.fullmatch(entry.name):
            raise here.field("name").wrong("is empty or too long, or has control characters")
        if entry.name in names:
            raise here.field("name").wrong("is there twice")
        if not entry.model or is_stand_in(entry.model):
            raise here.field("model").wrong("names no model")
        names.add(entry.name)
    return entries


# --- what pages are told ----------------------------------------------------------------------------------


class Named(Struct, frozen=True):
    """Something to choose, by its name, and a line about it."""

    name: str
    about: str = ""


class Pick(Named, frozen=True):
    """A scenario, by its id; ``title``: how people call it."""

    title: str = ""


class SuiteTold(Struct, frozen=True):
    """A suite, by its id, and how many scenarios it has."""

    id: str
    scenarios: int


class WorldTold(Struct, frozen=True):
    """A world. ``picks``: scenarios to begin with, by id. ``trouble``: why it cannot be used. ``tutorial``:
    the id of the scenario that teaches it, if there is one."""

    name: str
    title: str
    picks: tuple[Pick, ...] = ()
    suites: tuple[SuiteTold, ...] = ()
    trouble: str = ""
    tutorial: str = ""


class OffersTold(Struct, frozen=True):
    """What a page needs to know before anything is chosen: ``GET /api/offers``.

    ``guarded``: whether games are opened only with the server's token. ``watch``: the token of a game that
    plays for everybody who looks in (``--games demo=yes``). ``elsewhere``: a server that carries games out.
    """

    version: str
    guarded: bool
    worlds: tuple[WorldTold, ...]
    models: tuple[Named, ...]
    methods: tuple[Named, ...]
    watch: str = ""
    elsewhere: str = ""


Pace = Literal["turns", "clock"]


class ScenarioTold(Struct, frozen=True):
    """A scenario that may be played: ``GET /api/scenario?id=...``. ``title``: how people call it.

    ``agents``: those that can sit at its seats. ``people``, ``models``: whether people and models can.
    ``drawn``: whether its states are drawn. ``options``: of its id, with their values.
    ``pace``: whether it waits for decisions or goes by the clock; ``other_pace``: the id of the same scenario
    in the other way, empty if there is none. ``reported``: whether it is carried out elsewhere, if there is a
    server for that; ``other_place``: the id of the same scenario in the other way. Nobody is seated at the
    seat that reports, which is not among ``seats``. ``chat``: the seat that the agent ``chat`` may have;
    empty if there is none, or no server.
    """

    id: str
    title: str
    seats: tuple[Seat, ...]
    goal: str
    briefing: str
    time_unit: str
    agents: tuple[Named, ...]
    stand_in: str
    people: bool
    models: bool
    drawn: bool
    rules: tuple[str, ...]
    limits: tuple[str, ...]
    options: dict[str, str]
    pace: Pace
    other_pace: str
    reported: bool
    other_place: str
    chat: str = ""


LONGEST_SCENARIO_ID = 1000


def check_id(id: str) -> str:
    """A scenario's id that a page sent, as a catalogue has it and never a file's name; raises ``Refused`` and
    ``UnknownName``."""
    name, slash, _ = id.partition("/")
    if len(id) > LONGEST_SCENARIO_ID or not id.isprintable() or not slash:
        raise Refused(f"{shorten(id)!r} is no scenario's id")
    packs.pack(name)  # raises UnknownName: nothing but a world's name is looked up
    if id.endswith(".json") or ".." in id:
        raise Refused(f"{shorten(id)!r}: the server opens no files for pages")
    return id


def worlds_told() -> tuple[WorldTold, ...]:
    """The worlds that are installed."""
    there = packs.installed()
    broken = [WorldTold(name, "", trouble=why) for name, why in there.broken.items()]
    return (*map(_world_told, there.packs), *broken)


def _world_told(name: str) -> WorldTold:
    pack = packs.pack(name)
    try:
        suites = registry.catalogue(name).suites()
        told = tuple(SuiteTold(f"{name}/{path}", len(ids)) for path, ids in suites.items())
        return WorldTold(name, pack.title, _picks(name, suites), told, tutorial=tutorial_of(name)[0])
    except BackburnerError as error:
        return WorldTold(name, pack.title, trouble=str(error))
    except Exception as error:  # whatever a world of another package does wrong
        return WorldTold(name, pack.title, trouble=f"{type(error).__name__}: {error}")


def tutorial_of(name: str) -> tuple[str, tuple[TutorialStep, ...]]:
    """The id of the scenario that teaches a world, and what is asked in it; nothing where there is none."""
    tutorial = packs.pack(name).tutorial
    return ("", ()) if tutorial is None else (f"{name}/{tutorial.scenario}", tutorial.steps)


FEW_PICKS = 6
QUICK = "quick"


def _picks(name: str, suites: Mapping[str, Sequence[str]]) -> tuple[Pick, ...]:
    """What the pack says that people begin with, or else a few of its quick suite."""
    own = packs.pack(name).picks
    if own:
        return tuple(_pick(f"{name}/{path}", about) for path, about in own.items())
    few = suites.get(QUICK) or next(iter(suites.values()), ())
    return tuple(_pick(f"{name}/{path}") for path in few[:FEW_PICKS])


def scenarios_told(suite: str) -> tuple[Pick, ...]:
    """The scenarios of a suite, by their ids; raises ``Refused``, ``UnknownName``."""
    return tuple(map(_pick, registry.expand(check_id(suite))))


def _pick(id: str, about: str = "") -> Pick:
    return Pick(id, about, registry.title(id))


def scenario_told(id: str, *, remote: bool = False) -> ScenarioTold:
    """A scenario that may be played; ``remote``: whether games are carried out on a server. Raises what
    ``check_id`` and ``registry.world`` raise."""
    world, _ = registry.world_to_look_at(check_id(id))
    speaks, lists = isinstance(world, Text), isinstance(world, Menus)
    catalogue = registry.catalogue(world.id.partition("/")[0])
    agents = agents_of(world)
    _, _, options = registry.split(world.id)
    live = isinstance(world, Clocked) and world.tick_seconds is not None
    seat, reporter = world.seats[0], reporter_of(world)
    return ScenarioTold(
        id=world.id,
        title=registry.title_of(world),
        seats=tuple(each for each in world.seats if each != reporter),
        goal=world.goal(seat) if isinstance(world, Text) else "",
        briefing=world.briefing(seat) if isinstance(world, Text) else "",
        time_unit=world.time_unit,
        agents=agents,
        stand_in=next((agent.name for agent in agents), ""),
        people=speaks or lists,
        models=speaks,
        drawn=isinstance(world, View),
        rules=tuple(catalogue.rules),
        limits=tuple(catalogue.limits),
        options=options,
        pace="clock" if live else "turns",
        other_pace=_other_pace(world, live),
        reported=bool(reporter),
        other_place=_other_place(world, bool(reporter)),
        chat=speaker_of(world) if reporter and remote else "",
    )


def _other_pace(world: World[Any, Any, Any], live: bool) -> str:
    """The id of the same scenario turn by turn, if it is ``live``, and by the clock if it is not; empty where
    there is none, as those that were built have no options."""
    option = world.clock_option if isinstance(world, Clocked) else None
    other = "" if option is None else _with_option(world, option, not live)
    with suppress(UnknownName):
        return registry.world_to_look_at(other)[0].id if other else ""
    return ""


def _other_place(world: World[Any, Any, Any], reported: bool) -> str:
    """The id of the same scenario without a seat that reports, or with one."""
    return _with_option(world, world.live_option, not reported) if isinstance(world, Reported) else ""


def _with_option(world: World[Any, Any, Any], option: tuple[str, str], wanted: bool) -> str:
    """The id of the same scenario with an option, or without it."""
    name, path, options = registry.split(world.id)
    rest = {key: value for key, value in options.items() if key != option[0]}
    return registry.join(name, path, {**rest, option[0]: option[1]} if wanted else rest)


def agents_of(world: World[Any, Any, Any]) -> tuple[Named, ...]:
    """The agents that can sit at a world's seats, best known first; none is a page's own code."""
    own = packs.pack_of(world).about_agents
    usual = {"greedy": own["greedy"]} if "greedy" in own else {}
    general = GENERAL if isinstance(world, Menus) else {}
    return tuple(Named(name, about) for name, about in {**usual, **own, **general}.items())


def models_told(entries: Sequence[ModelEntry]) -> tuple[Named, ...]:
    """The models of a server, as pages see them."""
    return tuple(Named(entry.name, entry.about) for entry in (*entries, STAND_IN))


def methods_told() -> tuple[Named, ...]:
    """The prompting methods, the usual one first."""
    alone = [name for name, method in METHODS.items() if not method.advised]
    names = sorted(alone, key=lambda name: name != USUAL_METHOD)
    return tuple(Named(name, METHODS[name].summary) for name in names)
