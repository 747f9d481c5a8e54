"""A sitting: what was answered in it until now, so that a person may take decisions back.

Play begins anew then. Every answer that came before what is taken back is given again as it was, with what
its player remembered; from there on everybody is asked. The record is written anew with it: it holds the line
that was played in the end, and says what was taken back.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from backburner.agents.person.reading import words_in
from backburner.agents.person.running import SINCE, running_text
from backburner.kernel.clock import Clock
from backburner.kernel.contract import World
from backburner.kernel.episode import Entry, Episode, EpisodeFile, Header, Record
from backburner.kernel.errors import Refused, amount, one_line, shorten
from backburner.kernel.play import Sink, play
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.replay import trajectory, windows_of
from backburner.kernel.text import speaks
from backburner.kernel.timekeeping import spent
from backburner.kernel.values import Seat, Thought, Usage
from backburner.kernel.view import events_known

UNDO = "undo"
"""The purpose of a thought that says which decisions were taken back before this one, and the word for it."""

LONGEST_UNDONE, MOST_UNDONE = 300, 1000
"""Characters of such a thought, and how often something is taken back in one play."""

Asked = tuple[int, Seat]
"""Before which step, and who."""


class TakenBack(Exception):
    """A person takes their last ``count`` decisions back. It ends the play, which begins anew."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class Sitting:
    """One person's play of a world, as often as it begins anew; ``own``: the seats of the person.

    ``why_not``: why nothing can be taken back.
    """

    def __init__(self, world: World[Any, Any, Any], own: Collection[Seat], why_not: str = "") -> None:
        self._world, self._own, self._why_not = world, own, why_not
        self._records: list[Record] = []
        self._replies: dict[Asked, Reply] = {}
        self._words: dict[Asked, str] = {}  # of the person's decisions
        self._thoughts: tuple[Thought, ...] = ()  # for the person's next decision
        self._lost: dict[Seat, Usage] = {}  # what answers cost that were taken back
        self.undone = self._times = 0
        self.leaving: BaseException | None = None  # what has ended the play that runs

    async def play(
        self,
        policies: Mapping[Seat, Policy],
        seed: int,
        file: EpisodeFile,
        clock: Clock | None = None,
        tell: Callable[[str], None] = lambda taken: None,
    ) -> Episode:
        """One episode, begun anew whenever decisions are taken back, which ``tell`` hears of. Its record is
        finished also where the person stops."""
        players = {seat: _Again(policy, self, own=seat in self._own) for seat, policy in policies.items()}
        while True:
            with file:
                try:
                    episode = await play(self._world, players, seed, sink=self.sink(file.write), clock=clock)
                except (KeyboardInterrupt, CancelledError):
                    file.finish()
                    raise
                except TakenBack as taken:
                    self.leaving = None
                    tell(self.take_back(taken.count))
                    continue
                file.finish()
            return episode

    def sink(self, write: Sink) -> Sink:
        """Hands on to another one what is played from now on."""
        self._records.clear()

        def take(record: Record) -> None:
            write(record)
            self._records.append(record)

        return take

    def known(self, asked: Asked) -> Reply | None:
        """What was answered; ``None`` where somebody is to be asked."""
        return self._replies.get(asked)

    def keep(self, turn: Turn, reply: Reply) -> Reply:
        """The reply as it is given, now and again."""
        asked = (turn.index, turn.seat)
        if (lost := self._lost.pop(turn.seat, None)) is not None:
            reply = replace(reply, beside=lost if reply.beside is None else reply.beside + lost)
        if turn.seat in self._own:
            self._words[asked] = self.said(turn, reply.answer)
            reply = replace(reply, thoughts=(*self._thoughts, *reply.thoughts))
            self._thoughts = ()
        self._replies[asked] = reply
        return reply

    def said(self, turn: Turn, answer: Any) -> str:
        """A decision as the menu calls it, or else in the world's words."""
        if not isinstance(answer, str):
            with suppress(Refused):  # a world that cannot list its decisions
                labels = [option.label for option in turn.menu.options if option.decision == answer]
                answer = next(iter(labels), answer)
        if not isinstance(answer, str):
            world = self._world
            answer = world.words(answer) if speaks(world) else msgspec.json.encode(answer).decode()
        return one_line(answer)

    # --- taking back ----------------------------------------------------------------------------------------

    def leave(self, count: int) -> TakenBack:
        """What takes so many decisions back, to be raised; raises ``Refused`` where that cannot be."""
        there = sum(seat in self._own for _, seat in self._replies)
        why = self._why_not
        if not there:
            why = why or "Nothing has been decided yet that could be taken back."
        elif not 1 <= count <= there:
            why = why or f"{count} cannot be taken back: you have decided {amount(there, 'times')}."
        elif self._times >= MOST_UNDONE:
            why = f"Something was taken back {MOST_UNDONE} times in this play, which is enough."
        if why:
            raise Refused(why)
        self.leaving = taken = TakenBack(count)
        return taken

    def take_back(self, count: int) -> str:
        """The person's last decisions go, and all answers of later steps; says which went. What others
        answered at the same step stands: they did not know the decision."""
        own = [asked for asked in self._replies if asked[1] in self._own][-count:]
        first = min(own)[0]
        return self._without([asked for asked in self._replies if asked[0] > first or asked in own])

    def back_to(self, step: int) -> str:
        """As ``take_back``, of all that was decided from a step on."""
        return self._without([asked for asked in self._replies if asked[0] >= step])

    def _without(self, gone: Iterable[Asked]) -> str:
        words, thoughts = list[str](), list[Thought]()
        for asked in gone:
            reply, seat = self._replies.pop(asked), asked[1]
            if (cost := spent(reply)) is not None:
                self._lost[seat] = self._lost.get(seat, Usage()) + cost
            if seat in self._own:
                words.append(self._words.pop(asked))
                thoughts += (thought for thought in reply.thoughts if thought.purpose == UNDO)
        told = shorten(f"{amount(len(words), 'decisions')}: {'; '.join(words)}", LONGEST_UNDONE)
        self._thoughts = (*thoughts, *self._thoughts, Thought(UNDO, told))
        self.undone += len(words)
        self._times += 1
        return told

    # --- what runs ------------------------------------------------------------------------------------------

    def running(self, turn: Turn) -> str:
        """What is at work, as far as the seat may know."""
        header = self._records[0]
        assert isinstance(header, Header)  # noqa: S101  # play writes it first
        entries = tuple(record for record in self._records if isinstance(record, Entry))
        episode, world = Episode(header, entries, None), self._world
        events = [
            event
            for state, entry, step in trajectory(episode, world)
            for event in events_known(world, turn.seat, state, entry.events, step.state)
        ]
        return running_text(events, windows_of(episode, world), turn, world.time_unit)

    def at_work_on(self, line: str, turn: Turn) -> list[str]:
        """What is at work with something that a line names."""
        named = {word for word in words_in(line) if len(word) > 1}
        at_work = (each for each in self.running(turn).splitlines() if SINCE in each)
        return [each for each in at_work if named & {*words_in(each)}]


class _Again:
    """A player who answers again what was answered, and whom later questions reach."""

    def __init__(self, policy: Policy, sitting: Sitting, *, own: bool) -> None:
        self.name, self.informed = policy.name, policy.informed
        self._policy, self._sitting, self._own = policy, sitting, own

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the player; of a person also how many decisions were taken back, if any were."""
        undone = {"undone": self._sitting.undone} if self._own and self._sitting.undone else {}
        return {**self._policy.settings, **undone}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What was answered, or what is."""
        asked = (turn.index, turn.seat)
        if (known := self._sitting.known(asked)) is not None:
            return known
        reply: Any = await self._policy.decide(turn, memory)
        return self._sitting.keep(turn, reply) if isinstance(reply, Reply) else reply
