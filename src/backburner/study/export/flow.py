"""The flow of participants, as CONSORT asks for it: who came, agreed, was allocated to what, left at which
part, whom rules exclude, who is analysed.

It is worked out from the journal alone. Of those who are forgotten nothing is left but that they came, and
why their data are gone.
"""

from __future__ import annotations

from backburner.study.analysis.flow import STEPS
from backburner.study.analysis.tables import FlowRow
from backburner.study.export.data import Data
from backburner.study.participants import Participant
from backburner.study.stages import groups_of

LEFT = {
    "complete": "finished",
    "withdrawn": "withdrew",
    "dropped": "dropped",
    "unmatched": "unmatched",
    "": "open",
}
"""How somebody ended to the step that counts them."""

Key = tuple[str, str, str, str]
"""Step, group, condition, detail."""


def flow_of(data: Data) -> list[FlowRow]:
    """The rows of the table ``flow``: steps, groups and conditions in their order."""
    study = data.study
    counts = _Counts(data)
    for reason in data.cohort.forgotten.values():
        counts.add("arrived")
        counts.add("forgotten", detail=reason)
    for one in sorted(data.cohort.people.values(), key=lambda one: (one.arrived.at, one.id)):
        counts.take(one)
    steps, groups = list(STEPS), groups_of(study)
    conditions = ["", *study.condition_names]

    def place(key: Key) -> tuple[int, int, int, str]:
        step, group, condition, detail = key
        return steps.index(step), groups.index(group) if group else -1, conditions.index(condition), detail

    return [FlowRow(*key, *counts.found[key]) for key in sorted(counts.found, key=place)]


class _Counts:
    """(step, group, condition, detail) to the people and the games of theirs that are counted there."""

    def __init__(self, data: Data) -> None:
        self.data, self.found = data, dict[Key, tuple[int, int]]()
        self._rules: dict[str, str] = {}
        self._games: dict[tuple[str, str], str] = {}
        for row in data.exclusions:  # the first rule of the file that excludes somebody counts them
            if row.episode:
                self._games.setdefault((row.participant, row.episode), row.rule)
            else:
                self._rules.setdefault(row.participant, row.rule)
        for step in ("arrived", "declined", "agreed"):
            self.add(step, people=0)
        for group in groups_of(data.study):
            for step in ("allocated", "finished", "analysed"):
                self.add(step, group, people=0)
            for rule in data.study.exclusions:
                if rule.of == "participant":
                    self.add("excluded", group, detail=rule.name, people=0)

    def add(
        self,
        step: str,
        group: str = "",
        condition: str = "",
        detail: str = "",
        *,
        people: int = 1,
        games: int = 0,
    ) -> None:
        """So many more."""
        key = step, group, condition, detail
        before = self.found.get(key, (0, 0))
        self.found[key] = before[0] + people, before[1] + games

    def take(self, one: Participant) -> None:
        """Count somebody of whom there are data."""
        study, ended = self.data.study, one.ended.status if one.ended else ""
        self.add("arrived")
        if ended == "declined":
            self.add("declined")
        elif not one.agreed(study):
            self.add("undecided", detail=f"{LEFT[ended]}: {one.part(study)}")
        elif one.assigned is None:
            self.add("agreed")
            self.add("not_allocated", detail=f"{LEFT[ended]}: {one.part(study)}")
        else:
            self.add("agreed")
            self._allocated(one, LEFT[ended])

    def _allocated(self, one: Participant, ended: str) -> None:
        study = self.data.study
        episodes = [(placed, played) for placed, _, played in self.data.episodes(one) if placed.trial]
        group = one.group(study)
        self.add("allocated", group)
        self._by_condition("played", group, [placed.condition for placed, _ in episodes])
        self.add(ended, group, detail="" if ended == "finished" else one.part(study))
        if ended == "withdrew":
            return
        if rule := self._rules.get(one.id):
            self.add("excluded", group, detail=rule, games=len(episodes))
            return
        counted = []
        for placed, played in episodes:
            failed = "failed" if played.status == "failed" else ""
            if why := self._games.get((one.id, played.game)) or failed:
                self.add("games_left_out", group, detail=why, people=0, games=1)
            else:
                counted.append(placed.condition)
        self._by_condition("counted", group, counted)
        self.add("analysed" if counted else "without", group, games=len(counted))

    def _by_condition(self, step: str, group: str, conditions: list[str]) -> None:
        for condition in dict.fromkeys(conditions):
            self.add(step, group, condition, games=conditions.count(condition))
