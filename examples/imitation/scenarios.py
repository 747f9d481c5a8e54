"""What is learnt from and what is held out: published tasks, their combinations, and tasks made at random.

The published tasks are parted: nothing of ``HELD_OUT`` is ever played in training, neither alone nor beside
others. As 24 tasks are few, half of the training play is of random tasks: things with a few steps each,
some of which end in a container, under names and verbs that are drawn from one list of words. What a verb
demands can then not be known, and has to be found out from what is refused and what has changed.

``python scenarios.py FOLDER`` writes all of them as folders of scenario files, which all commands take.
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

from backburner.kernel.registry import catalogue, expand

HELD_OUT = ("cooking6", "cooking9", "household3", "household7", "lab6", "lab9")
TASKS = tuple(f"{kind}{number}" for kind in ("cooking", "household", "lab") for number in range(1, 11))
TAUGHT = tuple(task for task in TASKS if task not in HELD_OUT)
TESTED = tuple(
    tuple(id.partition("/")[2].split("+"))
    for id in (*expand("timearena/pairs"), *expand("timearena/triples"))
)
"""The published combinations; their members may be taught, but not together."""

_RANDOM = json.loads(Path(__file__).with_name("random_words.json").read_text(encoding="utf-8"))


def _published_words() -> tuple[list[str], list[str], list[str]]:
    """(names of things, first words of verbs, states) of all published tasks, held-out ones too: their words
    are known from random tasks, and nothing of what is done with them."""
    shelf = catalogue("timearena")
    things = [thing for task in TASKS for thing in shelf.scenario(task, {}).tasks[0].things]
    kit = shelf.scenario(TASKS[0], {}).kit_names
    roles = [role for thing in things for role in thing.roles]
    states = (state for role in roles for state in (role.before, role.after) if state)
    return (
        [name for name in dict.fromkeys(thing.name for thing in things) if name not in kit],
        list(dict.fromkeys(role.verb.split()[0] for role in roles)),
        list(dict.fromkeys(states)),
    )


_THINGS, _VERBS, _STATES = _published_words()
NOUNS: list[str] = list(dict.fromkeys([*_RANDOM["nouns"], *_THINGS]))
VERBS: list[str] = list(dict.fromkeys([*_RANDOM["verbs"], *_VERBS]))
STATES: list[str] = list(dict.fromkeys([*_RANDOM["states"], *_STATES]))
LINKS: list[str] = _RANDOM["links"]


def combination(draw: random.Random, tasks: tuple[str, ...] = TAUGHT) -> dict[str, Any]:
    """One to three of these tasks, in any order, as a scenario file; none that is held out."""
    names = _names(draw, tasks)
    while any(set(names) == set(tested) for tested in TESTED):
        names = _names(draw, tasks)
    one = draw.random() < 0.15
    id = "+".join(names) + ("-one-kit" if one else "")
    return {"world": "timearena", "id": id, "tasks": names, **({"kit": "one"} if one else {})}


def _names(draw: random.Random, tasks: tuple[str, ...]) -> list[str]:
    """One to three tasks; mostly of one kind, as the published combinations are."""
    kind = draw.choice(("cooking", "household", "lab")) if draw.random() < 0.7 else ""
    there = [task for task in tasks if task.startswith(kind)]
    return draw.sample(there, min(draw.choice((1, 2, 2, 3)), len(there)))


def drawn(draw: random.Random, id: str) -> dict[str, Any]:
    """Random tasks as a scenario file (docs/add-a-scenario.md says what stands in one)."""
    verbs: dict[str, dict[str, Any]] = {}
    many = draw.choice((1, 1, 2))
    pool = draw.sample(NOUNS, 14)
    tasks = [_Task(draw, number, pool, verbs).made() for number in range(1, many + 1)]
    return {"world": "timearena", "id": id, "tasks": tasks, "verbs": list(verbs.values())}


class _Task:
    """One random task in the making."""

    def __init__(
        self, draw: random.Random, number: int, pool: list[str], verbs: dict[str, dict[str, Any]]
    ) -> None:
        self.draw, self.number, self.all_verbs = draw, number, verbs
        self.nouns = draw.sample(pool, 7)
        self.words = draw.sample([word for word in VERBS if word not in self.nouns], 6)
        self.states = draw.sample(STATES, 30)
        self.known: dict[str, tuple[str, str]] = {}
        self.roles: dict[str, list[dict[str, Any]]] = {}
        self.actions: list[dict[str, Any]] = []

    def made(self) -> dict[str, Any]:
        """Things with steps of their own; perhaps a container that takes them, and steps of that."""
        draw = self.draw
        things = [self.nouns.pop() for _ in range(draw.choice((1, 2, 2, 3, 3)))]
        container = self.nouns.pop() if draw.random() < 0.7 or len(things) == 1 else ""
        kit = self.nouns.pop() if draw.random() < 0.4 else ""
        before = self.steps(container, (0, 0, 1, 1, 2), ()) if container else ()
        joined: list[tuple[str, str, int]] = []
        join = self.verb(two=True) if container else ""
        for thing in things:
            last = self.steps(thing, (0, 1, 1, 2, 2, 3) if container else (1, 2, 3), ())
            if kit and draw.random() < 0.5:
                last = self.pair(thing, self.verb(two=True), kit, last, ())
            if container:
                last = self.pair(thing, join, container, last, before)
                joined += last
        if container:
            self.steps(container, (0, 0, 1, 2), tuple(joined) or before)
        draw.shuffle(self.actions)
        goods = " and ".join(things)
        return {
            "id": f"drawn{self.number}", "scenario": "drawn", "number": self.number,
            "title": f"Make {goods}", "goal": f"Make {goods} ready{f' in {container}' if container else ''}.",
            "verbs": list(dict.fromkeys(action["verb"] for action in self.actions)),
            "actions": self.actions,
            "things": [{"name": name, "roles": roles} for name, roles in self.roles.items()],
        }  # fmt: skip

    def verb(self, *, two: bool = False) -> str:
        """A verb, known or new, and whether it holds the agent."""
        fitting = [name for name in self.known if (" " in name) == two]
        if fitting and (self.draw.random() < 0.5 or not self.words):
            return self.draw.choice(fitting)
        if not self.words:
            self.words = [word for word in VERBS if not any(name.startswith(word) for name in self.known)]
        word = self.words.pop()
        link = self.draw.choice(LINKS)
        name, form = (f"{word} {link}", f"{word} OBJ1 {link} OBJ2") if two else (word, f"{word} OBJ")
        self.known[name] = (self.states.pop(), self.states.pop())
        gloss = f"make what is {self.known[name][0]} {self.known[name][1]}"
        self.all_verbs.setdefault(
            name, {"name": name, "form": form, "occupies_agent": self.draw.random() < 0.6, "gloss": gloss}
        )
        return name

    def steps(
        self, thing: str, lengths: tuple[int, ...], needs: tuple[tuple[str, str, int], ...]
    ) -> tuple[tuple[str, str, int], ...]:
        """A few steps of one thing, one after the other; what has to be finished for what follows."""
        for _ in range(self.draw.choice(lengths)):
            verb = self.verb()
            if any(role["verb"] == verb for role in self.roles.get(thing, ())):
                continue
            self.role(thing, verb, 0, needs)
            self.actions.append({"verb": verb, "things": [thing]})
            needs = ((thing, verb, 0),)
        return needs

    def pair(
        self, thing: str, verb: str, other: str,
        needs: tuple[tuple[str, str, int], ...], others: tuple[tuple[str, str, int], ...],
    ) -> tuple[tuple[str, str, int], ...]:  # fmt: skip
        """A step that takes two things."""
        if any(role["verb"] == verb for role in self.roles.get(thing, ())):
            return needs
        self.role(thing, verb, 1, (*needs, *others))
        if not any(role["verb"] == verb and role["slot"] == 2 for role in self.roles.get(other, ())):
            self.roles.setdefault(other, []).append(
                {"verb": verb, "slot": 2, "minutes": 0, "before": "empty", "after": "full"}
            )
        self.actions.append({"verb": verb, "things": [thing, other]})
        return ((thing, verb, 1),)

    def role(self, thing: str, verb: str, slot: int, needs: tuple[tuple[str, str, int], ...]) -> None:
        """What can happen to a thing."""
        before, after = self.known[verb]
        role: dict[str, Any] = {
            "verb": verb, "slot": slot, "minutes": self.draw.choice((1, 2, 2, 3, 3, 4, 5, 6)),
            "before": before, "after": after,
        }  # fmt: skip
        if needs:
            role["needs"] = [list(need) for need in dict.fromkeys(needs)]
        self.roles.setdefault(thing, []).append(role)


# --- what is taught, and what is held out ----------------------------------------------------------------


DRAWN = 60
"""Random tasks that are held out."""


def taught(count: int, seed: int) -> list[dict[str, Any]]:
    """So many different scenarios, three of four combinations of tasks that are taught, one a random task."""
    found: dict[str, dict[str, Any]] = {}
    number = 0
    while len(found) < count * 3 // 4:
        file = combination(random.Random(f"{seed}/{number}"))
        found.setdefault(file["id"], file)
        number += 1
    more = (drawn(random.Random(f"{seed}/{n}"), f"drawn-{n}") for n in range(count - len(found)))
    return [*found.values(), *more]


def held_out() -> dict[str, list[dict[str, Any]]]:
    """Scenarios by folder: tasks that are never taught, alone and in pairs; published combinations of tasks
    that are taught, but never together; random tasks that nobody has seen."""

    def file(names: tuple[str, ...]) -> dict[str, Any]:
        return {"world": "timearena", "id": "+".join(names), "tasks": list(names)}

    return {
        "tasks": [file(names) for size in (1, 2) for names in combinations(HELD_OUT, size)],
        "combinations": [file(names) for names in TESTED if not set(names) & set(HELD_OUT)],
        "drawn": [drawn(random.Random(f"held out/{n}"), f"drawn-{n}") for n in range(DRAWN)],
    }


def main() -> None:
    """Write the folders."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--taught", type=int, default=6000, help="how many scenarios lessons are about")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for name, files in {"taught": taught(chosen.taught, chosen.seed), **held_out()}.items():
        folder = chosen.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            (folder / f"{file['id']}.json").write_text(json.dumps(file, indent=1))
        print(f"{len(files)} scenarios: {folder}")


if __name__ == "__main__":
    main()
