"""One episode that a client plays by calls, one after the other; others may play at seats beside it.

Time moves by decisions alone: between two calls the play stands still, however long that is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.agents.models.toolbox import CALL, result_of, written
from backburner.kernel.background import Background, Deed, Job
from backburner.kernel.clock import Timed
from backburner.kernel.contract import World
from backburner.kernel.episode import Entry, Episode, Record
from backburner.kernel.errors import PolicyStops
from backburner.kernel.play import Sink, play
from backburner.kernel.policy import PlainPolicy, Policy, Reply, Turn
from backburner.kernel.text import speaking, without
from backburner.kernel.tools import ACT, BODY, Tool, ToolCall, answers_of, tool, tools_of
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Refusal, Seat, Thought, canonical_json, digest, writable

LEFT, FINISHED = "the client has left", "the agent has finished"
LOOK, FINISH = "look", "finish"

OVER = {"ok": None, "told": "not carried out: the episode is over"}

LONGEST_CLIENT = 100
"""Characters of a client's name that stand in a record."""


class Table(Struct, frozen=True):
    """What is played. ``others``: who plays the seats that are not the client's. ``sink`` takes the record as
    it goes; ``settings`` stand in it."""

    world: World[Any, Any, Any]
    seat: Seat
    seed: int = 0
    others: Mapping[Seat, Policy] = {}
    sink: Sink = lambda record: None
    settings: Mapping[str, Any] = {}

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The world's own tools, or ``act``: both where a seat has several bodies, as one call is one
        decision. To look and to finish, where the world has no tools of these names."""
        own = tools_of(self.world, self.seat)
        if any(BODY in each.parameters["properties"] for each in own):
            own += tools_of(self.world, self.seat, own=False)
        names = {each.name.casefold() for each in own}
        return own + tuple(each for each in OURS if each.name not in names)


OURS = (
    tool(LOOK, "Be told again how things stand. It is no action, and costs nothing."),
    tool(FINISH, "End the play. What is not done stays undone."),
)


class Session:
    """The episode: it begins with the first call. Callers see to it that calls come one at a time.

    ``turn``: what the seat is given, also when all is over. ``begun``: the job that the last call began, or
    nothing. ``episode``: the record, once it is over.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.tools = table.tools
        self.episode: Episode | None = None
        self.begun = ""
        self._client = _Client({"tools": digest(self.tools), **table.settings})
        self._playing: asyncio.Task[Episode] | None = None
        self._state = table.world.start(table.seed)
        self.turn = turn_of(table.world, self._state, table.seat, 0, table.seed)
        self._refusals: list[Refusal] = []
        self._told = True
        self._missed: list[str] = []

    @property
    def over(self) -> bool:
        """Whether nothing can be decided any more."""
        return self.episode is not None

    async def begin(self, client: str) -> None:
        """Begin to play, as a client of this name; nothing if play has begun."""
        if self._playing is not None:
            return
        name = "".join(sign for sign in writable(client)[:LONGEST_CLIENT] if sign.isprintable()).strip()
        self._client.name = f"mcp:{name or 'unknown'}"
        table, players = self.table, {**self.table.others, self.table.seat: self._client}
        playing = play(table.world, players, table.seed, sink=self._recorded, watch=self._watched)
        self._playing = asyncio.create_task(playing)
        self._playing.add_done_callback(self._client.turns.put_nowait)
        await self._next()

    async def call(self, call: ToolCall) -> Mapping[str, Any]:
        """What a call of a tool comes to: a decision, but for looks, and for all that comes too late."""
        self.begun = ""
        ours = {each.name for each in self.tools if each in OURS}
        if call.name == LOOK and LOOK in ours:
            return {"ok": True}
        if self.over:
            return OVER
        if call.name == FINISH and FINISH in ours:
            await self.stop(FINISHED)
            return {"ok": True}
        universal = call.name == ACT and any(tool.name == ACT for tool in self.tools)
        (answered,) = answers_of(self.table.world, self.table.seat, [call], own=not universal)
        return await self.decide(answered.answer, Thought(CALL, written(call)))

    async def decide(self, answer: str | Refusal, *thoughts: Thought) -> Mapping[str, Any]:
        """What came of an answer, as a result; of one that began a job, with how that stands."""
        before = self.jobs
        if not self._told:
            self._missed.append(self.turn.glance.told)
        self._refusals, self._told = [], False
        self._client.replies.put_nowait(Reply(answer, thoughts=thoughts))
        await self._next()
        refusal = self._refusals[0] if self._refusals else None
        result = result_of(self.table.world, self.turn, refusal)
        self.begun = next((name for name in self.jobs if name not in before), "")
        if not self.begun:
            return result
        return {**result, "job": self.begun, "status": self.jobs[self.begun].status}

    async def about(self, deed: Deed, job: str, value: str = "") -> bool:
        """Decide something about a job; whether that was accepted."""
        world = self.table.world
        if self.over or not isinstance(world, Background):
            return False
        return bool((await self.decide(world.job_text(deed, job, value)))["ok"])

    async def stop(self, why: str) -> None:
        """End an episode that has begun and is not over."""
        if self._playing is not None and not self.over:
            self._client.replies.put_nowait(PolicyStops(why))
            await self._next()

    # --- what is told ---------------------------------------------------------------------------------------

    def told(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """A result as the client has it: by itself, and with how things stand."""
        moment = self._moment()
        texts = (canonical_json(result).decode(), moment)
        return {
            "content": [{"type": "text", "text": text} for text in texts],
            "structuredContent": {**result, "now": moment},
            "isError": not result["ok"],
            "resultType": "complete",
        }

    def _moment(self) -> str:
        """How things stand, after the news of decisions of which the client was told nothing."""
        world, missed = speaking(self.table.world), list(filter(None, self._missed))
        self._missed, self._told = [], True
        told = self.turn.text
        if self.episode is not None and (ending := self.episode.ending) is not None:
            stands = without(world.description_parts(self.turn.observation), "question")
            told = f"{stands}\n\nIt is over: {ending.error or ending.reason.replace('_', ' ')}.".strip()
        return "\n\n".join([*(["Meanwhile:", *missed] if missed else []), told])

    @property
    def jobs(self) -> Mapping[str, Job]:
        """The jobs that the seat has begun, as it knows them; none in a world without any."""
        world = self.table.world
        return world.jobs(self.turn.observation) if isinstance(world, Background) else {}

    @property
    def microseconds(self) -> int:
        """The time in the world."""
        world = self.table.world
        return world.now(self._state) * world.tick_microseconds if isinstance(world, Timed) else 0

    # --- play -----------------------------------------------------------------------------------------------

    async def _next(self) -> None:
        """Wait until the client is asked, or the episode is over."""
        told = await self._client.turns.get()
        if isinstance(told, asyncio.Future):
            self._client.turns.put_nowait(told)  # who asks again hears it again
            self.episode = told.result()
            told = turn_of(self.table.world, self._state, self.table.seat, 0, self.table.seed)
        self.turn = told

    def _recorded(self, record: Record) -> None:
        self.table.sink(record)
        if isinstance(record, Entry):
            self._refusals += [each for each in record.refusals if each.seat in ("", self.table.seat)]

    def _watched(self, state: Any) -> None:
        self._state = state


class _Client(PlainPolicy):
    """The client as a policy: it is asked, and play stands still until it replies or stops."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.name, self.settings = "", settings
        self.turns: asyncio.Queue[Turn | asyncio.Future[Episode]] = asyncio.Queue()
        self.replies: asyncio.Queue[Reply | PolicyStops] = asyncio.Queue()

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the client says next."""
        self.turns.put_nowait(turn)
        reply = await self.replies.get()
        if isinstance(reply, PolicyStops):
            raise reply
        return reply
