"""Who plays on a server: the policy that has bots act and reports what was seen, and persons who speak in the
chat.

Both are ordinary policies, so that a game on a server is played and recorded as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backburner.kernel.errors import PolicyFailure
from backburner.kernel.policy import Reply, Turn
from backburner.live.messages import (
    Act,
    Acted,
    Cell,
    Event,
    Kind,
    LiveError,
    Observation,
    Observe,
    Survey,
    Surveyed,
)
from backburner.live.stage import Stage
from backburner.live.worker import Worker

SECONDS_TO_ANSWER = 60.0
SECONDS_A_TICK = 0.05
ADVICE: Mapping[Kind, str] = {
    "gone": "see whether the server still runs",
    "kicked": "the server's log tells why",
    "timeout": "see whether the server still runs",
    "worker": "play again; if it fails again, remove its packages: `backburner live --demo` gets them",
}
"""What to do where play cannot go on."""

SLACK = 4.0
"""A step may take so many times as long as its ticks, on a server that is late."""


MARGINS = (4, 0)
"""How many blocks around the area are surveyed; the first that is not too many."""


class LivePlayer:
    """Has bots act on a farm that stands at ``corner``, and reports what was seen. It knows the state, as it
    has to know what was decided. One plays one episode.

    The server goes on while somebody decides: what has passed there since its last step has ended, or since
    the tick at which the farm stood (``since``), is reported as well.
    """

    name = "live"
    informed = True

    def __init__(
        self,
        worker: Worker,
        stage: Stage,
        corner: Cell,
        settings: Mapping[str, Any],
        since: int | None = None,
    ) -> None:
        self.settings = settings
        self._since = since
        self._worker, self._stage, self._corner = worker, stage, corner
        self._margins = list(MARGINS)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What was seen of the step. Raises ``PolicyFailure`` with one line where the server, a bot or the
        worker is gone."""
        state = turn.state
        try:
            acted = await self._acted(self._stage.act(state))
            waited = 0 if self._since is None else max(0, acted.tick - self._since)
            self._since = acted.ended
            kinds = Observe(self._stage.kinds)
            seen = await self._worker.ask(kinds, Observation, SECONDS_TO_ANSWER)
            surveyed = await self._surveyed()
        except LiveError as error:
            advice = ADVICE.get(error.kind)
            raise PolicyFailure("server", f"{error}: {advice}" if advice else str(error)) from error
        return Reply(self._stage.report(state, acted, seen, self._corner, surveyed, waited), memory)

    async def _surveyed(self) -> Surveyed | None:
        """What the server looks like from above; ``None`` where its area is too large for a survey."""
        while self._margins:
            try:
                return await self._worker.ask(Survey(self._margins[0]), Surveyed, SECONDS_TO_ANSWER)
            except LiveError as error:
                if error.kind != "refused":
                    raise
                del self._margins[0]
        return None

    async def _acted(self, act: Act) -> Acted:
        """What bots did; raises ``LiveError`` where one is gone, or was sent away."""
        longest = (act.before + act.after + act.timeout_ticks) * SECONDS_A_TICK * SLACK
        acted = await self._worker.ask(act, Acted, SECONDS_TO_ANSWER + longest)
        for call in acted.calls:
            if call.kind in ("gone", "kicked"):
                raise LiveError(call.kind, call.error or f"{call.bot} is {call.kind}")
        return acted


Said = tuple[str, str]
"""Who said something in the chat, and a line of it."""


class ChatInstructor:
    """Says what persons have said on the server since its last turn; it waits for nobody.

    ``hear`` gives what was said since it was last asked, the oldest first; our own bots are not among those
    who say it. ``answer`` makes of these lines the seat's decision. ``persons``: whose
    words count, whatever the case of their letters; everybody's, if there is none.
    """

    name = "chat"
    informed = False

    def __init__(
        self,
        hear: Callable[[], Sequence[Event]],
        answer: Callable[[Sequence[Said]], Any],
        persons: Sequence[str] = (),
    ) -> None:
        self._hear, self._answer = hear, answer
        self._persons = frozenset(name.lower() for name in persons)
        self.settings: Mapping[str, Any] = {"persons": sorted(persons)} if persons else {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """Their lines in order, as one instruction."""
        said = [(event.sender, event.text) for event in self._hear()]
        return Reply(self._answer([each for each in said if self._counts(each[0])]))

    def _counts(self, speaker: str) -> bool:
        return not self._persons or speaker.lower() in self._persons
