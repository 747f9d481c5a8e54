"""A yardstick for TimeArena: the released program's minutes in a bare loop, to tell machines apart.

It keeps its things in mutable tables and plays minute by minute, as the released environment does. Each
minute the text is trimmed, put into small letters and split, verb and things are looked up in lists, each
thing is asked for its state, everything that goes on by itself advances, and the score is summed over all
things. An action that holds the agent is repeated as text until it ends. It knows sound actions and waits,
and what is refused of single things.
"""

from __future__ import annotations

from typing import Any

from backburner.worlds.timearena.game import TimeArena


class BareArena:
    """One episode; ``minute`` and ``score`` are what it comes to."""

    def __init__(self, world: TimeArena) -> None:
        compiled = world.compiled
        self.verbs = list(compiled.verbs)
        self.holds = {name: bool(verb.occupies_agent) for name, verb in compiled.verbs.items()}
        self.names = [item.name for item in compiled.items]
        self.things: dict[str, dict[str, Any]] = {
            item.name: {"left": {}, "total": {}, "needs": {}, "running": None, "in_use": False}
            for item in compiled.items
        }
        of_number = {
            role.number: (role.item.name, (role.role.verb, role.role.slot)) for role in compiled.roles
        }
        for role in compiled.roles:
            thing, key = self.things[role.item.name], (role.role.verb, role.role.slot)
            thing["left"][key] = thing["total"][key] = role.role.minutes
            thing["needs"][key] = [of_number[need] for need in role.needs if need in of_number]
        self.minute = self.score = 0
        self.words: list[str] = []

    def play(self, texts: list[str]) -> None:
        """Each answer, repeated as long as it keeps the agent busy."""
        for text in texts:
            while self.call(text):
                pass

    def call(self, text: str) -> bool:
        """One minute; whether the agent is still busy with it."""
        self.minute += 1
        action = text.strip()
        if action == "wait":
            self.words.append("You wait for one minute.")
            return self.advance(False)
        fields = action.lower().split(" ")
        if len(fields) == 2:
            verb, names = fields[0], fields[1:]
        elif len(fields) == 4:
            verb, names = f"{fields[0]} {fields[2]}", [fields[1], fields[3]]
        else:
            verb, names = "", []
        if verb not in self.verbs or any(name not in self.names for name in names):
            self.words.append("invalid: " + ", ".join(self.verbs))
            return False
        slots = [0] if len(names) == 1 else [1, 2]
        wrong = ""
        for name, slot in zip(names, slots, strict=True):
            thing = self.things[name]
            if thing["in_use"] or (verb, slot) not in thing["left"]:
                wrong = f"{name} is in use, or no thing for {verb}."
            for other, key in thing["needs"].get((verb, slot), ()):
                if self.things[other]["left"][key] > 0:
                    wrong = f"{other} comes first."
        first = self.things[names[0]]
        key = (verb, slots[0])
        if not wrong and first["left"][key] == 0:
            wrong = "finished already."
        if wrong:
            self.words.append(wrong)
            return self.advance(False)
        if first["left"][key] == first["total"][key]:
            self.words.append(f"You begin to {action}; this takes {first['total'][key]} minutes.")
        if self.holds[verb]:
            first["left"][key] -= 1
            return self.advance(first["left"][key] > 0)
        first["running"] = key
        first["with"] = names
        for name in names:
            self.things[name]["in_use"] = True
        return self.advance(False)

    def advance(self, busy: bool) -> bool:
        """What goes on by itself; then the score of all things."""
        for name, thing in self.things.items():
            if thing["running"] is not None:
                thing["left"][thing["running"]] -= 1
                if thing["left"][thing["running"]] == 0:
                    thing["running"] = None
                    self.words.append(f"{name} is done.")
                    for used in thing["with"]:
                        self.things[used]["in_use"] = False
        done = everything = 0
        for thing in self.things.values():
            for key, total in thing["total"].items():
                everything += total
                if thing["left"][key] == 0:
                    done += total
        self.score = 100 * done // everything
        return busy
