"""Factors of a study's file: its conditions are all combinations of their levels.

A condition of the file may name one of these cells, to give it a name, a title, or what no level sets. All
others are made here, and called after their levels. Whatever comes later knows conditions alone; ``cell`` and
``group_of`` tell which of them belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from backburner.kernel.files import Place
from backburner.study.design import Condition, Study

MOST_CELLS = 20
"""So many conditions are analysed."""


def with_cells(study: Study, place: Place) -> Study:
    """The study with a condition for each cell, and the kind of its design as that of its factors: within
    subjects where any factor is. Raises ``BadFile``."""
    kinds = [factor.kind or study.design.kind for factor in study.factors]
    factors = tuple(replace(one, kind=kind) for one, kind in zip(study.factors, kinds, strict=True))
    named = {tuple(one.cell.items()): one for one in _named(study, place)}
    if not factors:
        return study
    if len(study.cells) > MOST_CELLS:
        raise place.field("factors").wrong(f"{len(study.cells)} combinations of levels; at most {MOST_CELLS}")
    made = [_made(study, cell, named.get(tuple(cell.items())), place) for cell in study.cells]
    conditions = (*made, *(condition for condition in study.conditions if condition.practice))
    for name, number in Counter(condition.name for condition in conditions).items():
        if number > 1 or len(name) > 40:
            why = f"{number} conditions are called" if number > 1 else "longer than 40 letters is"
            raise place.field("factors").wrong(
                f"{why} {name!r}; give a condition with this cell another name"
            )
    kind = "within" if "within" in kinds else "between"
    return replace(study, factors=factors, conditions=conditions, design=replace(study.design, kind=kind))


def _named(study: Study, place: Place) -> list[Condition]:
    """The conditions that name a cell, their factors in the file's order."""
    known = {factor.name: [level.name for level in factor.levels] for factor in study.factors}
    found: list[Condition] = []
    for here, condition in place.entries("conditions", study.conditions):
        cell = here.field("cell")
        for factor, level in condition.cell.items():
            if factor not in known:
                raise cell.unknown("factor", factor, known)
            if level not in known[factor]:
                raise cell.unknown(f"level of {factor}", level, known[factor])
        if known and condition.practice == bool(condition.cell):
            raise cell.wrong("where there are factors, a condition names a cell of them, or is for practice")
        if condition.cell and len(condition.cell) < len(known):
            missing = ", ".join(name for name in known if name not in condition.cell)
            raise cell.wrong(f"a level of {missing} is missing")
        if condition.cell:
            found.append(replace(condition, cell={name: condition.cell[name] for name in known}))
            if [one.cell for one in found].count(found[-1].cell) > 1:
                raise cell.wrong("another condition names this cell")
    return found


def _made(study: Study, cell: Mapping[str, str], own: Condition | None, place: Place) -> Condition:
    """The condition of a cell: what its levels set, and over it what the file's own condition says."""
    found: dict[str, Any] = {"seats": {}, "options": {}}
    name = "_".join(cell.values())
    for here, factor in place.entries("factors", study.factors):
        level = next(each for each in factor.levels if each.name == cell[factor.name])
        for field in ("seats", "options"):
            for key, value in getattr(level, field).items():
                if found[field].setdefault(key, value) != value:
                    raise here.wrong(f"another factor sets {field} {key!r} otherwise in {name}")
        for field in ("levels", "rules", "limits"):
            value = getattr(level, field)
            if value and found.setdefault(field, value) != value:
                raise here.wrong(f"another factor sets {field} otherwise in {name}")
    made = Condition(name, **found, cell=dict(cell))
    if own is None:
        return made
    merged = {field: found[field] | getattr(own, field) for field in ("seats", "options")}
    kept = {field: found[field] for field in ("levels", "rules", "limits") if field in found}
    return replace(own, **merged, **kept)


def design_of(study: Study) -> str:
    """``within``, ``between``, or with factors such as ``2 x 2 mixed``."""
    if not study.factors:
        return study.design.kind
    sizes = " x ".join(str(len(factor.levels)) for factor in study.factors)
    mixed = len({factor.kind for factor in study.factors}) > 1
    return f"{sizes} {'mixed' if mixed else study.design.kind}"
