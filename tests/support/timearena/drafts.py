"""Drafts of TimeArena for tests: parameters drawn without steering, symbols that are their own names."""

from __future__ import annotations

import math
import re
from random import Random
from typing import Any

from backburner.kernel.generating import Draft, Draw, Parameter
from backburner.worlds.timearena.game import Limits, TimeArena, catalogue
from backburner.worlds.timearena.oracle.generator import GENERATOR

SYMBOL = re.compile(r"<([a-z]+)(\d+)(\.\w+)?>")


def drawn(random: Random, **pinned: Any) -> dict[str, Any]:
    """A value for each parameter, those that are ``pinned`` as they are."""
    return {each.name: _drawn(each, random) for each in GENERATOR.parameters} | pinned


def _drawn(parameter: Parameter, random: Random) -> Any:
    if parameter.kind == "choice":
        return random.choice(parameter.values)
    if parameter.prior == "log-uniform":
        value = math.exp(random.uniform(math.log(parameter.low), math.log(parameter.high)))
    else:
        value = random.uniform(parameter.low, parameter.high)
    return round(value) if parameter.kind == "whole" else value


def draft(seed: int, **pinned: Any) -> Draft:
    """The draft of a seed, with these parameters ``pinned``."""
    return GENERATOR.draft(drawn(Random(seed), **pinned), {}, Draw(seed, Random(seed)))


def plain(value: Any) -> Any:
    """What a draft holds, with its symbols as names: ``m3`` is called ``md``, as verbs have no digits; the
    past of ``vb`` is ``vbed``, and every preposition is ``in``."""
    if isinstance(value, str):
        return SYMBOL.sub(_called, value)
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def _called(found: re.Match[str]) -> str:
    if found[3] == ".in":
        return "in"
    name = found[1] + found[2].translate(str.maketrans("0123456789", "abcdefghij"))
    return name + "ed" if found[3] else name


def world_of(drafted: Draft, limits: Limits | str = "none") -> TimeArena:
    """The world of a draft under standard rules."""
    file = {"world": "timearena", "id": "draft", **plain(drafted.fields)}
    path, scenario = catalogue.read(file, "draft")
    return catalogue.build(f"timearena/user/{path}", scenario, "standard", limits)
