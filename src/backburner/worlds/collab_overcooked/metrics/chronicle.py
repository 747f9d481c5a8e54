"""An episode played again: what each cook did and when, who asked whom for what, the kitchen step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from backburner.kernel.activities import activities
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in
from backburner.kernel.values import Event
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call, requested
from backburner.worlds.collab_overcooked.game.catalogue import catalogue
from backburner.worlds.collab_overcooked.game.kitchen_step import Listener
from backburner.worlds.collab_overcooked.game.reading import NOTHING, says_something
from backburner.worlds.collab_overcooked.game.state import SEATS, Ask, Kitchen, Reply, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.collaboration import Dialogue, History, Turn
from backburner.worlds.collab_overcooked.metrics.released_evaluation import Run


class Chronicle(Struct, frozen=True):
    """An episode as the metrics see it.

    ``histories``: each cook's calls as the kitchen logged them, each with the index of its step + 1.
    ``talks``: the dialogues in which something was said. ``silent``: plans made without a word that ask
    something of the partner or answer what it asked, each as a dialogue of one turn; there are none
    under rules that keep requests from the partner. ``logged``: the dialogues as the released program writes
    them down. ``final``: the last state.
    """

    histories: tuple[History, History]
    talks: tuple[Dialogue, ...]
    silent: tuple[Dialogue, ...]
    logged: tuple[Dialogue, ...]
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
        return Run(self.completed, self.steps - 1, (chef, assistant), self.logged)

    def _released(self, history: History) -> History:
        earlier = tuple(entry for entry in history if entry[0] < self.steps)
        delivers = self.completed and (self.steps, f"{calls.DELIVER}()") in history
        return (*earlier, (self.steps - 1, f"{calls.DELIVER}()")) if delivers else earlier


def chronicle(episode: Episode) -> tuple[CollabOvercooked, Chronicle]:
    """The episode's world, and what happened in it."""
    header = episode.header
    world = catalogue.of(header)
    notes = _Notes(requests_seen=not world.rules.requests_unseen)
    rules = world.rulebook.with_listener(notes)
    state = rules.start(header.seed)
    for entry in episode.entries:
        state = rules.step(state, decisions_in(world, entry)).state
    chef, assistant = (tuple(history) for history in notes.histories)
    talks = (Dialogue(began, opener, tuple(turns)) for began, opener, turns in notes.talks)
    return world, Chronicle((chef, assistant), tuple(talks), tuple(notes.silent), notes.dialogues(), state)


class Histories(Listener):
    """Each cook's calls as the kitchen logs them, with the index of the step + 1 of each."""

    def __init__(self) -> None:
        self.histories: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])

    def acted(self, cook: int, now: int, call: str) -> None:
        self.histories[cook].append((now, call))


class _Log(Histories):
    """The answers of each step, listed under the cook whose turn it is, as the released program does it.

    A talk belongs to the step in which it began, however long the cooks stand while one of them thinks.
    """

    def __init__(self) -> None:
        super().__init__()
        self._turns: dict[tuple[int, int], list[Turn]] = {}
        self._talks: set[tuple[int, int]] = set()
        self._stood = 0

    def passed(self, state: State) -> None:
        self._stood = self._stood + 1 if state.ask else 0

    def logged(self, cook: int, opener: int, now: int, reply: Reply) -> None:
        say = NOTHING if NOTHING in reply.say else reply.say
        self._turns.setdefault((now - self._stood, opener), []).append(Turn(cook, ";".join(reply.plan), say))

    def said(self, cook: int, now: int, reply: Reply, opens: bool) -> None:
        if opens:
            self._talks.add((now - self._stood, cook))

    def dialogues(self) -> tuple[Dialogue, ...]:
        """The steps in which there was a talk."""
        return tuple(Dialogue(*key, tuple(turns)) for key, turns in self._turns.items() if key in self._talks)


class _Notes(_Log):
    """Notes what the cooks do, and what they plan as far as it is said or asks or answers something.

    ``talks``: (step, opener, turns) of each talk. ``requests_seen``: a cook is shown what its partner's plans
    ask of it.
    """

    def __init__(self, *, requests_seen: bool) -> None:
        super().__init__()
        self._requests_seen = requests_seen
        self.talks: list[tuple[int, int, list[Turn]]] = []
        self.silent: list[Dialogue] = []

    def said(self, cook: int, now: int, reply: Reply, opens: bool) -> None:
        super().said(cook, now, reply, opens)
        if opens:
            self.talks.append((now, cook, []))
        _, _, turns = self.talks[-1]
        turns.append(Turn(cook, ";".join(reply.plan), reply.say))

    def planned(self, cook: int, now: int, ask: Ask, reply: Reply, requests: tuple[str, ...]) -> None:
        silent = ask == "correct" or (ask == "plan" and not says_something(reply.say))
        if silent and self._requests_seen and (requests or requested(reply.plan)):
            self.silent.append(Dialogue(now, cook, (Turn(cook, ";".join(reply.plan)),)))


UnderWay = tuple[Call | None, Call | None]
"""The call that each cook has begun and not ended."""


class Snapshot(Struct, frozen=True):
    """A kitchen, and the calls that the cooks have to carry on with: all but waits, which bind nobody."""

    kitchen: Kitchen
    under_way: UnderWay


class CallSpan(Struct, frozen=True):
    """A call that a cook carried out, from one step to another; waits are calls."""

    cook: int
    call: str
    began_steps: int
    over_steps: int


class Timeline(Struct, frozen=True):
    """``snapshots``: one before each step, and the last one. ``spans``: each cook's calls that are over."""

    snapshots: tuple[Snapshot, ...]
    spans: tuple[CallSpan, ...]


def timeline(episode: Episode, world: CollabOvercooked) -> Timeline:
    """The timeline that the recorded decisions lead to."""
    last = world.start(episode.header.seed)
    kitchens = [last.kitchen]
    events: list[Event] = []
    for entry in episode.entries:
        decisions = decisions_in(world, entry)
        kitchens += (state.kitchen for state in world.rulebook.passed(last, decisions))
        step = world.step(last, decisions)
        events += step.events
        last = step.state
    spans = tuple(_spans(events, len(kitchens)))
    snapshots = [Snapshot(kitchen, _under_way(world, kitchen.steps, spans)) for kitchen in kitchens[:-1]]
    snapshots.append(Snapshot(last.kitchen, _under_way_at_last(world, last, spans)))
    return Timeline(tuple(snapshots), tuple(span for span in spans if span.over_steps < len(kitchens)))


def _spans(events: Iterable[Event], later: int) -> Iterator[CallSpan]:
    """All calls that took time; one that is not over goes on until ``later``."""
    for activity in activities(events):
        if activity.lane in SEATS and activity.start < activity.end:
            over = int(activity.end) if activity.complete else later
            yield CallSpan(SEATS.index(activity.lane), activity.label, int(activity.start), over)


def _under_way(world: CollabOvercooked, now: int, spans: Sequence[CallSpan]) -> UnderWay:
    under_way: list[Call | None] = [None, None]
    for span in spans:
        if span.began_steps < now < span.over_steps:
            under_way[span.cook] = _binding(world, span)
    return under_way[0], under_way[1]


def _under_way_at_last(world: CollabOvercooked, last: State, spans: Sequence[CallSpan]) -> UnderWay:
    """The calls under way in the last state; the end of play cuts off calls that are not done."""
    now = last.kitchen.steps
    under_way = list(_under_way(world, now, spans))
    for span in spans:
        call = _binding(world, span) if last.ended and span.over_steps == now else None
        if call is not None and not world.compiled.execution.done(last.kitchen, span.cook, call):
            under_way[span.cook] = call
    return under_way[0], under_way[1]


def _binding(world: CollabOvercooked, span: CallSpan) -> Call | None:
    call = world.compiled.reader.read(span.call)
    return call if isinstance(call, Call) and call.verb != calls.WAIT else None
