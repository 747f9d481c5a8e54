"""What the metrics are made of: what each cook did and when, and who asked whom for what.

An episode is played again by a kitchen that takes notes.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.replay import final_state
from backburner.worlds.collab_overcooked.game import calls, plans, talking
from backburner.worlds.collab_overcooked.game.events import Journal
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.limits import Limits
from backburner.worlds.collab_overcooked.game.play import Play
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.rules import Rulebook
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.seats import SEATS
from backburner.worlds.collab_overcooked.game.state import Kitchen, Operation, Reply, State, Talk
from backburner.worlds.collab_overcooked.game.stepping import GridStep
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.metrics_dialogue import Dialogue, Turn
from backburner.worlds.collab_overcooked.metrics.metrics_pipeline import History, Run


class Chronicle(Struct, frozen=True):
    """An episode as the metrics see it.

    ``histories``: each cook's calls as the kitchen logged them, each with the index of its step + 1.
    ``talks``: the dialogues in which something was said. ``silent``: plans made without a word that ask
    something of the partner or answer what it asked, each as a dialogue of one turn; there are none
    under rules that keep requests from the partner. ``final``: the last state.
    """

    histories: tuple[History, History]
    talks: tuple[Dialogue, ...]
    silent: tuple[Dialogue, ...]
    final: State

    @property
    def completed(self) -> bool:
        """Whether everything that was ordered has been delivered."""
        return self.final.ended == "completed"

    @property
    def steps(self) -> int:
        """The timesteps that have passed."""
        return self.final.kitchen.steps

    def released_run(self) -> Run:
        """The episode as the released program's log has it.

        Of the last step it has nothing but the delivery that ends it, under that step's own index.
        """
        chef, assistant = (self._released(history) for history in self.histories)
        return Run(self.completed, self.steps - 1, (chef, assistant), self.talks)

    def _released(self, history: History) -> History:
        earlier = tuple(entry for entry in history if entry[0] < self.steps)
        delivers = self.completed and (self.steps, f"{calls.DELIVER}()") in history
        return (*earlier, (self.steps - 1, f"{calls.DELIVER}()")) if delivers else earlier


def chronicle(episode: Episode) -> tuple[CollabOvercooked, Chronicle]:
    """The episode's world, and what happened in it."""
    header = episode.header
    world = _Watched.restore(header.id, header.scenario, header.rules, header.limits)
    final = final_state(episode, world)
    notes = world.notes
    chef, assistant = (tuple(history) for history in notes.histories)
    talks = tuple(Dialogue(one.timestep, one.opener, tuple(one.turns)) for one in notes.talks)
    return world, Chronicle((chef, assistant), talks, tuple(notes.silent), final)


class _OpenTalk:
    """A talk that may go on."""

    def __init__(self, timestep: int, opener: int) -> None:
        self.timestep = timestep
        self.opener = opener
        self.turns: list[Turn] = []


class _Notes:
    """What is written down while an episode is played again."""

    def __init__(self) -> None:
        self.histories: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
        self.talks: list[_OpenTalk] = []
        self.silent: list[Dialogue] = []


class _Watched(CollabOvercooked):
    """The world, with somebody who takes notes."""

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        super().__init__(id, scenario, rules, limits)
        self.notes = _Notes()
        self.rulebook = _WatchedBook(self.ware, scenario, limits, self.notes)


class _WatchedBook(Rulebook):
    def __init__(self, ware: Kitchenware, scenario: Scenario, limits: Limits, notes: _Notes) -> None:
        super().__init__(ware, scenario, limits, SEATS)
        self._notes = notes

    def journal(self) -> Journal:
        return _WatchedSteps(self.ware, self._notes)

    def play(self, state: State, journal: Journal) -> Play:
        return _WatchedPlay(self.ware, self.limits.rounds, state, journal, self._notes)


class _WatchedSteps(Journal):
    """Notes what the cooks do."""

    def __init__(self, ware: Kitchenware, notes: _Notes) -> None:
        super().__init__(ware.grid, SEATS)
        self._notes = notes

    def passed(
        self, before: Kitchen, running: tuple[Operation, ...], step: GridStep
    ) -> tuple[Operation, ...]:
        for history, logged in zip(self._notes.histories, step.logged, strict=True):
            if logged:
                history.append((step.kitchen.steps, logged))
        return super().passed(before, running, step)


class _WatchedPlay(Play):
    """Notes what the cooks plan, as far as it is said or asks or answers something."""

    def __init__(
        self, ware: Kitchenware, rounds: int | None, state: State, journal: Journal, notes: _Notes
    ) -> None:
        super().__init__(ware, rounds, state, journal)
        self._notes = notes

    def _proceed(self, reply: Reply) -> None:
        alone = self.ask == "plan" and not talking.says_something(reply.say)
        if (alone or self.ask == "correct") and self._concerns_partner(reply.plan):
            turn = Turn(self.asked, _text(reply.plan))
            self._notes.silent.append(Dialogue(self.kitchen.steps, self.asked, (turn,)))
        super()._proceed(reply)

    def _concerns_partner(self, plan: tuple[str, ...]) -> bool:
        if self._rules.requests_unseen:
            return False
        return bool(self.cooks[1 - self.asked].requests or plans.requested(plan))

    def _said(self, reply: Reply) -> Talk:
        if self.talk is None:
            self._notes.talks.append(_OpenTalk(self.kitchen.steps, self.asked))
        self._notes.talks[-1].turns.append(Turn(self.asked, _text(reply.plan)))
        return super()._said(reply)


def _text(plan: Sequence[str]) -> str:
    return ";".join(plan)
