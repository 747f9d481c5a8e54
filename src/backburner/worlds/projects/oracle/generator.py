"""Drafts of projects: chains of activities, by hand or by themselves, that share resources.

A chain is what is done to one material, step by step. Some steps wait for a step of another chain besides,
some must follow the one before within a maximum lag, some that are done by hand may be interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from backburner.kernel.generating import Draft, Draw, Generator, Naming, Parameter, Result, Symbol
from backburner.kernel.values import Outcome
from backburner.worlds.projects.game import Projects

LONGEST_CHAIN = 10
"""Steps of one material: each takes a verb of its own."""

MOST_VERBS = 5
"""Of one kind and stage: so many steps of half a chain may be of one kind."""

MOST_CHAINS = 24

_whole = partial(Parameter, kind="whole", prior="log-uniform")
_share = partial(Parameter, kind="real", low=0)

PARAMETERS = (
    _whole(name="activities", low=4, high=60, help="activities", dial="length"),
    _share(
        name="breadth", low=1, high=8, help="chains, about so many of which go on at a time", dial="width"
    ),
    _share(name="hands", high=0.9, help="share of activities that are done by hand", dial="attention"),
    Parameter(
        name="starts", kind="choice", values=("0", "1"), help="minutes by hand that start any other activity"
    ),
    _whole(name="longest", low=3, high=60, help="minutes of the longest activity"),
    _whole(name="resources", low=1, high=6, help="kinds of resources"),
    _whole(name="units", low=1, high=3, help="units of each, at most"),
    _share(name="held", high=1, help="share of activities that hold a resource", dial="contention"),
    _share(name="links", high=0.5, help="share of activities that wait for one of another chain besides"),
    _share(name="lags", high=0.5, help="share of activities that may not wait for long", dial="lags"),
    _share(name="splits", high=1, help="share of work by hand that may be interrupted"),
)

RESERVED = ("start", "resume", "continue", "wait", "for", "agent", "to", "do", "at", "work", "done")
"""What the parser reads, and the places of the picture."""


class ProjectsGenerator(Generator):
    """See the module."""

    help = "Projects of chains that share an operator and resources, with maximum lags and work in pieces."
    parameters = PARAMETERS
    dials: Mapping[str, str] = {
        "length": "activities",
        "decisions": "starts in the proven plan, of activities and of pieces",
        "width": "the time of all activities over that of the proven plan",
        "attention": "the share of the proven plan in which the operator is busy",
        "chain": "the longest chain of predecessors over the proven plan",
        "contention": "the share of the proven plan in which the fullest resource is in use",
        "joins": "the share of activities with two or more predecessors, none of which implies another",
        "depth": "activities on the longest chain of predecessors",
        "lags": "the share of activities that have a maximum lag",
        "gap": "the time of a script above that of the proven plan, as a share of it",
        "choice": "the share of decisions at which some accepted one makes the earliest end a later one",
    }
    naming = Naming(longest=40, reserved=RESERVED)
    limit = "limit"

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """There is one for all parameters. Play ends at twice the time of all activities, which scripts that
        miss a maximum lag are taken to need."""
        drafting = _Drafting(parameters, draw.random)
        problem = {"unit": "minutes", "activities": drafting.activities, "resources": drafting.resources}
        fields = {"problem": problem, "limit": 2 * sum(each["duration"] for each in drafting.activities)}
        return Draft(fields, drafting.symbols, ("problem.activities", "problem.resources"))

    def result(self, world: Projects, outcome: Outcome) -> Result:
        """The share of the activities that are completed, and the time."""
        numbers = outcome.numbers
        return Result(numbers["score"] / 100, int(numbers[world.time_unit]), bool(numbers["completed"]))


class _Drafting:
    """A draft under way, chain by chain."""

    def __init__(self, asked: Mapping[str, Any], random: Random) -> None:
        self.asked, self.random = asked, random
        self.symbols: dict[str, Symbol] = {}
        self.verbs: dict[tuple[str, int], list[str]] = {}
        self.activities: list[dict[str, Any]] = []
        self.resources: list[dict[str, Any]] = []
        for number in range(1, asked["resources"] + 1):
            self.symbols[f"d{number}"] = Symbol("device")
            self.resources.append({"name": f"<d{number}>", "capacity": random.randint(1, asked["units"])})
        total = asked["activities"]
        chains = min(max(round(asked["breadth"]), -(-total // LONGEST_CHAIN)), total, MOST_CHAINS)
        for number in range(chains):
            self.chain(number + 1, total // chains + (number < total % chains))

    def chain(self, number: int, length: int) -> None:
        """The steps of one material."""
        self.symbols[f"m{number}"] = Symbol("material")
        others = [activity["name"] for activity in self.activities]
        used: list[str] = []
        before = ""
        for step in range(length):
            by_hand = self.drawn("hands")
            used.append(self.verb("hand verb" if by_hand else "machine verb", 1 + (2 * step >= length), used))
            name = f"<{used[-1]}> <m{number}>"
            predecessors = [before] if before else []
            if others and self.drawn("links"):
                predecessors.append(self.random.choice(others))
            activity = self.activity(name, by_hand) | {"predecessors": predecessors}
            if before and self.drawn("lags"):
                at_most = self.random.randint(0, max(1, self.asked["longest"] // 2))
                activity["max_lags"] = [{"after": before, "at_most": at_most}]
            self.activities.append(activity)
            before = name

    def activity(self, name: str, by_hand: bool) -> dict[str, Any]:
        """An activity but for what it has to do with others."""
        longest = self.asked["longest"]
        duration = self.random.randint(1, max(1, longest // 2) if by_hand else longest)
        held = [self.random.choice(self.resources)["name"]] if self.drawn("held") else []
        activity = {
            "name": name,
            "duration": duration,
            "operator_time": duration if by_hand else min(int(self.asked["starts"]), duration),
            "resources": held,
        }
        return {**activity, "preemptive": True} if by_hand and self.drawn("splits") else activity

    def verb(self, role: str, stage: int, used: list[str]) -> str:
        """A verb of this kind that the material has not met yet; often one that there is already."""
        known = self.verbs.setdefault((role, stage), [])
        free = [verb for verb in known if verb not in used]
        if free and (len(known) >= MOST_VERBS or self.random.random() < 0.6):
            return self.random.choice(free)
        name = f"v{1 + sum(map(len, self.verbs.values()))}"
        self.symbols[name] = Symbol(role, stage)  # type: ignore[arg-type]  # one of two roles
        known.append(name)
        return name

    def drawn(self, share: str) -> bool:
        """Whether something is so, by a share that is asked for."""
        return self.random.random() < float(self.asked[share])


GENERATOR = ProjectsGenerator()
