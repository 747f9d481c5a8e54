"""Records of every world with something changed: the chain notices it; and where a stranger has chained the
lines anew, it is noticed by playing again, or the check says that what was changed is merely claimed."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import backburner
from backburner.evaluation.records import Unusable, read_verified
from backburner.kernel import packs, registry
from backburner.kernel.chain import parted
from backburner.kernel.episode import Ending, Entry, Header, Lines, read_episode
from backburner.kernel.errors import BadFile
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.text import Text
from backburner.kernel.values import Thought, Usage
from support.evaluation.forged import Object, forged, objects_in
from support.mutants_of_json import mutant, paths

OURS = [name for name, pack in packs.installed().packs.items() if pack.catalogue.startswith("backburner.")]
MUTANTS = 120


class Talker:
    """Takes anything off the menu, in words or not; says what nobody can read; thinks, and spends."""

    name = "talker"
    informed = False
    settings: Mapping[str, Any] = {"temperature": 0.5, "notes": ["a", "b"]}

    def __init__(self, world: Any) -> None:
        self._world = world

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        draw = random.Random(f"{turn.seed}/{turn.seat}/{turn.index}")
        answer = draw.choice(turn.menu.options).decision
        if isinstance(self._world, Text) and draw.random() < 0.7:
            answer = self._world.words(answer, turn.seat)
        if draw.random() < 0.1:
            answer = "I should think about that first."
        thoughts = (Thought("think", f"thought {turn.index}"),) if draw.random() < 0.5 else ()
        return Reply(answer, thoughts=thoughts, usage=Usage(0.25, 1, 100, 10))


@cache
def record_of(name: str, rules: str, most_steps: int) -> bytes:
    world = registry.world(registry.expand(f"{name}/quick")[0], rules=rules)
    chained = Lines()
    lines: list[bytes] = []
    backburner.play_now(
        world, Talker(world), 7, sink=lambda record: lines.append(chained.line(record)), max_steps=most_steps
    )
    return b"".join(lines)


RECORDS = [(name, rules, steps) for name in OURS for rules, steps in (("standard", 8), ("released", 100_000))]


def of_lines(objects: list[Object], draw: random.Random) -> list[Object]:
    """The objects of a record with one or several of them changed, gone, twice, or elsewhere."""
    objects = copy.deepcopy(objects)
    at = draw.randrange(len(objects))
    match draw.randrange(12):
        case 0:
            del objects[at]
        case 1:
            objects.insert(at, copy.deepcopy(objects[at]))
        case 2:
            other = draw.randrange(len(objects))
            objects[at], objects[other] = objects[other], objects[at]
        case 3:
            objects.append(copy.deepcopy(objects[at]))
        case 4 | 5:
            objects[-1] = mutant(objects[-1], draw.randrange, 1)
        case 6 | 7 | 8:
            # what stands on a few lines would hardly ever be met among the fields of a whole scenario
            key = draw.choice([key for key in objects[0] if key != "scenario"])
            objects[0][key] = mutant({key: objects[0][key]}, draw.randrange, 1).get(key, "gone")
        case _:
            objects[at] = mutant(objects[at], draw.randrange, 1)
    return objects


@pytest.mark.parametrize(("name", "rules", "steps"), RECORDS)
def test_the_chain_notices_every_change(name: str, rules: str, steps: int, tmp_path: Path) -> None:
    """Lines keep the chains that they had."""
    content = record_of(name, rules, steps)
    lines = content.splitlines(keepends=True)
    chains = {msgspec.json.encode(each): line for each, line in zip(objects_in(content), lines, strict=True)}
    draw, file = random.Random(f"{name}/{rules}"), tmp_path / "record.jsonl"
    noticed = 0
    for _ in range(MUTANTS):
        objects = of_lines(objects_in(content), draw)
        place = dict(enumerate(lines))
        changed = [
            chains.get(body := msgspec.json.encode(each)) or with_tail(body, place.get(index, lines[-1]))
            for index, each in enumerate(objects)
        ]
        if changed == lines[: len(changed)]:  # nothing but lines at the end is gone: it is not finished
            continue
        file.write_bytes(b"".join(changed))
        with pytest.raises(BadFile, match=r"record\.jsonl: line \d+"):
            read_episode(file)
        noticed += 1
    assert noticed > MUTANTS * 0.7


def with_tail(body: bytes, line: bytes) -> bytes:
    """An object with the chain of another line."""
    return body[:-1] + line[len(parted(line.rstrip(b"\n")).body) - 1 :]


@pytest.mark.parametrize(("name", "rules", "steps"), RECORDS)
def test_what_the_chain_cannot_notice_is_derived_again_or_claimed(
    name: str, rules: str, steps: int, tmp_path: Path
) -> None:
    content = record_of(name, rules, steps)
    original = objects_in(content)
    file = tmp_path / "record.jsonl"
    file.write_bytes(content)
    assert read_verified(file).verdict.steps == sum(each["record"] == "step" for each in original)
    draw = random.Random(f"forged {name}/{rules}")
    refused = told = 0
    for _ in range(MUTANTS):
        objects = of_lines(original, draw)
        if objects == original:
            continue
        file.write_bytes(forged(objects))
        try:
            verdict = read_verified(file).verdict
        except Unusable as error:
            assert str(error).startswith(f"{file}: left out, because "), error
            assert "\n" not in str(error)
            refused += 1
            continue
        claimed = {fact.part for fact in verdict.claimed}
        for part in changed_parts(original, objects):
            assert any(part == each or part.startswith(f"{each}.") for each in claimed), part
            told += 1
    assert refused > MUTANTS * 0.5 and told > 0


TYPES = {"header": Header, "step": Entry, "ending": Ending}


def changed_parts(before: list[Object], after: list[Object]) -> set[str]:
    """The parts of a record, by their names in verdicts, that say something else."""
    parts = set()
    if [each["record"] for each in before] != [each["record"] for each in after]:
        assert before[: len(after)] == after  # nothing else can be passed by
        parts.add("ending")
    for one, other in zip(before, after, strict=False):
        here, there = plain(one), plain(other)
        for path in different(here, there):
            match one["record"], path:
                case "header", ("rules", "name", *_):
                    parts.add("header.rules.name")
                case "header", (field, *_):
                    parts.add(f"header.{field}")
                case "step", ("answers", _, field, *_):
                    parts.add(f"steps.answers.{field}")
                case "step", (field, *_):
                    parts.add(f"steps.{field}")
                case "ending", ("status" | "reason" | "error", *_):
                    parts.add("ending.status")
                case _, (field, *_):
                    parts.add(f"ending.{field}")
    return parts


def plain(line: Object) -> Any:
    """A line as it is read: what is left out has its default."""
    return msgspec.to_builtins(msgspec.convert(line, TYPES[line["record"]]))


def different(one: Any, other: Any) -> set[tuple[Any, ...]]:
    """The ways to what is not the same in both."""
    ways = set(paths(one)) | set(paths(other))
    return {
        way for way in ways if at(one, way) != at(other, way) and not isinstance(at(one, way), dict | list)
    }


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value
