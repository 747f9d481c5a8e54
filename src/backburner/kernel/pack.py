"""A pack: everything that the rest of the house may know of a world, and where each part of it is.

A package announces a world with an entry point of the group ``backburner.worlds``::

    [project.entry-points."backburner.worlds"]
    timearena = "backburner.worlds.timearena.pack:PACK"

The pack is plain data. Its parts are named as Python imports them, ``module:attribute``, and each is
imported when it is first asked for (see ``registry``): a module that holds nothing but a pack imports
nothing but this module, so that every world can be listed at next to no cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field


class Entry(Struct, frozen=True):
    """A part with a line about it, for those who choose by its name. ``path``: ``module:attribute``."""

    path: str
    help: str


class Argument(Struct, frozen=True, kw_only=True):
    """An option that a part takes by name. The command line writes it ``name=value``.

    ``kind`` says what a value is, ``values`` which ones there are (any if there are none), ``least`` the
    smallest number, ``default`` what holds where nothing is said.
    """

    name: str
    help: str
    kind: Literal["text", "whole number", "number", "switch", "path"] = "text"
    values: tuple[str, ...] = ()
    least: float | None = None
    default: Any = None
    required: bool = False


LATENCY = Argument(name="latency", help="seconds that every decision takes; else they take no time")
"""The option of an oracle that says what is best where decisions take time (see ``Oracle.slowed``)."""


class Decoding(Struct, frozen=True):
    """How an article has language models write. ``caps``: the longest answer in tokens to single messages
    of methods, or to each part of the answer to a question for that purpose; ``max_tokens`` to all others."""

    temperature: float
    max_tokens: int
    caps: dict[str, int] = field(default_factory=dict)


class TutorialStep(Struct, frozen=True):
    """What somebody who learns a world is asked for, in words. ``places``: those to look at, by kind or name;
    ``keys``: those that do it.

    It is done when all that is named is seen: somebody ``holds`` a thing of this kind, one of the places
    ``has`` one, there is an ``event`` that is called so.
    """

    say: str
    places: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    holds: str = ""
    has: str = ""
    event: str = ""


class Tutorial(Struct, frozen=True):
    """A ``scenario``, by its path with its options, in which a person learns how the world is played, step by
    step, each as soon as the one before is done."""

    scenario: str
    steps: tuple[TutorialStep, ...]


class Headline(Struct, frozen=True):
    """What a world gives to the score over all worlds (see ``headline``).

    ``suites``: the metric of each headline suite, by its key; no two suites share a scenario. ``package``:
    the package whose ``data/headline.json`` has the references. ``best``: tells the best value of a
    scenario's metric by the scenario's id, as a ``headline.Best``; without it, that is the metric's end.
    """

    suites: Mapping[str, str]
    package: str
    best: str = ""


GENERAL = "backburner.kernel.exact:ORACLE"
"""The oracle of worlds whose pack names none."""


class Pack(Struct, frozen=True, kw_only=True):
    """A world as the rest of the house sees it; ``catalogue`` is the one part that it cannot do without.

    - ``name``: the first part of the ids, and the name of the entry point
    - ``title``: how the world was published, in a line
    - ``version``: raised whenever a recorded score would change
    - ``catalogue``: scenarios, suites, rule sets and limits, a ``catalogue.Catalogue``
    - ``scoring``: the article's metrics and analyses, a ``scoring.Scoring``
    - ``assessment``: makes an ``assessment.Assessment`` of a world
    - ``oracle``: finds and proves best plans, an ``oracle.Oracle``; where none is named, the general search
      (``exact``); ``oracle_arguments`` are its own
    - ``agents``: the world's own agents by name, such as ``greedy``: each part makes a policy of a world
    - ``demonstrator``: makes the policy of a world that shows how it is played well, for prompts; where
      none is named, ``greedy`` shows it
    - ``stand_in``: makes the policy of a world that a stand-in for a language model goes by: it decides step
      by step, quickly, from wherever play has got to; where none is named, ``greedy`` does
    - ``shipped_plan``: gives the policy that plays the plan that ships with a world's scenario, without any
      search; ``None`` where none does
    - ``reproductions``: the tables and figures of the article that can be made again, and those that cannot,
      as ``experiments.Reproduction`` values; or ``package:data/NAME.json``, a file that lists them
    - ``annotations``: label sets and what of an episode they are for, a tuple of ``assessment.Annotation``;
      where none are named, why an episode was not completed
    - ``from_words``: gives how scenarios are made of plain words by annotators, an ``assessment.FromWords``
    - ``bounds``: gives an episode measures that no play of it can beat
    - ``steps_to_go``: makes what gives an episode measures that take searches, see ``oracle.Kept``
    - ``builder``: makes new scenarios, a ``building.Builder``
    - ``generator``: drafts new scenarios and says what is measured of them, a ``generating.Generator``
    - ``surveyed``: ``package:suite+suite``, what ships of which suites' dials where there is no headline
    - ``decoding``: how the article has language models write
    - ``method_options``: options of prompting methods, by method, that differ from the usual in this world
    - ``prompts``: ``package:folder`` of the world's own wording of prompts
    - ``headline``: what the world gives to the score over all worlds
    - ``encoding``: gives the ``arrays.encoding.Encoding`` of a world, its states and decisions in numbers
    - ``batch``: gives the ``arrays.batch.Batch`` of a world, many episodes of it in arrays
    - ``parts``: a function of a world that names what its scenario is built of, such as its recipes: what is
      learnt from and what is tested share none (see ``registry.parts``)
    - ``entities``: gives the ``arrays.entities.Entities`` of a world, what a policy for all its scenarios
      sees
    - ``outlook``: gives the ``arrays.entities.Outlook`` of a world that has no batch
    - ``player``: plays a world by a file of weights: ``(world, file) -> policy``
    - ``training``: ``package:file`` of how the world's learned agent was trained
    - ``live``: makes the ``live.stage.Stage`` of a world, by which bots play it on a live server
    - ``plays_problems``: makes a scenario file of any problem: ``(schedule.Problem, name) -> bytes`` (see
      ``registry.scenario_file_of``)
    - ``picks``: scenarios that people begin with, by their path with its options, each with a line about it
    - ``tutorial``: how a person learns to play it by the clock
    """

    name: str
    title: str
    version: int
    catalogue: str
    scoring: str = ""
    assessment: str = ""
    oracle: str = GENERAL
    oracle_arguments: tuple[Argument, ...] = ()
    agents: Mapping[str, Entry] = field(default_factory=dict)
    demonstrator: str = ""
    stand_in: str = ""
    shipped_plan: str = ""
    reproductions: str = ""
    annotations: str = ""
    from_words: str = ""
    bounds: str = ""
    steps_to_go: Entry | None = None
    builder: str = ""
    generator: str = ""
    surveyed: str = ""
    decoding: Decoding | None = None
    method_options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    prompts: str = ""
    headline: Headline | None = None
    encoding: str = ""
    batch: str = ""
    parts: str = ""
    entities: str = ""
    outlook: str = ""
    player: str = ""
    training: str = ""
    live: str = ""
    plays_problems: str = ""
    picks: Mapping[str, str] = field(default_factory=dict)
    tutorial: Tutorial | None = None

    @property
    def environment(self) -> str:
        """The id of its environment, as Gymnasium has them: it follows the version of the rules."""
        return f"backburner/{self.name}-v{self.version}"

    @property
    def about_agents(self) -> dict[str, str]:
        """A line about each of the world's own agents; where there is an oracle, one plays its plans."""
        lines = {name: part.help for name, part in self.agents.items()}
        if self.oracle:
            lines.setdefault("oracle", "plays the best plan that the world's oracle finds in a minute")
        return dict(sorted(lines.items()))

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that the pack names, whatever is there."""
        data = ":data/" in self.reproductions
        own = (getattr(self, part) for part in PARTS if not (part == "reproductions" and data))
        best = self.headline.best if self.headline else ""
        entries = [*self.agents.values(), *([self.steps_to_go] if self.steps_to_go else [])]
        return tuple(filter(None, (*own, best, *(entry.path for entry in entries))))


PARTS = (
    *("catalogue", "scoring", "assessment", "oracle", "demonstrator", "bounds", "stand_in", "shipped_plan"),
    *("reproductions", "annotations", "from_words", "builder", "generator", "prompts", "encoding", "batch"),
    *("parts", "entities", "outlook", "player", "live", "plays_problems"),
)
"""The fields of a pack that name a part of it."""
