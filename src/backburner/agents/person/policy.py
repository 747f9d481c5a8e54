"""A person as a policy: shown a turn, asked for a line, told what was wrong with it, asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from backburner.agents.person.keys import Chosen, Keys
from backburner.agents.person.reading import Reader
from backburner.agents.person.sitting import UNDO, Sitting
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.text import Glance
from backburner.kernel.values import Seat, Thought, Usage
from backburner.kernel.view import Scene

SLIP = "slip"
"""The purpose of a thought that keeps a line which was explained and not played."""

MOST_SLIPS, LONGEST_SLIP = 50, 300
"""Of a turn that are kept, and characters of each."""

FRIENDLY = "Type an action, or its number in the list, or the beginnings of its words."

STRICTLY = "In strict play nothing is explained before it is done, and nothing is taken back."

STRICT = "Type an action in full, or its number in the list. A slip costs what it costs a model."

MOST_TOLD = 200
"""News of earlier moments that are kept for a person to look at again."""

HELP = """\
?          all that can be done now     state      how things stand, in full
briefing   the whole task again         recipes    how things are made
running    what is at work, until when  quit       stop; the record is kept
help       this text"""

FOR_FUN = """\
undo       take the last decision back  undo 3     take back the last three
why LINE   why that cannot be done now"""

SEVERAL = "For several bodies type an action for each on one line, with ';' between them, or numbers: 1 4."

SPACE = "space"
"""A line that is one blank, as keys are called."""

QUIT = "quit"

WHY = "why"


class Sight(Struct, frozen=True):
    """What a person is shown when they must decide.

    ``options``: the menu and whole suggestions, as their numbers go. ``labels``: short names of the
    scene's places. ``keys``: what may be pressed. ``refused``: so
    was what the seat decided last. ``first``: nothing has been shown to this seat before. ``told``: what was
    told until now, this moment last, where the world tells changes only.
    """

    seat: Seat
    glance: Glance
    options: tuple[Option[Any], ...]
    scene: Scene | None = None
    labels: Mapping[str, str] = {}
    keys: tuple[str, ...] = ()
    refused: bool = False
    first: bool = False
    told: tuple[str, ...] = ()


class Terminal(Protocol):
    """Where a person sits."""

    def show(self, sight: Sight) -> None:
        """Show a moment, so that goal and news are in sight."""

    def tell(self, text: str) -> None:
        """Show some text, such as an answer to a question."""

    async def ask(self, prompt: str, sight: Sight) -> str:
        """The next line; ``EOFError`` when there is no more, ``KeyboardInterrupt`` to stop."""


class HumanPolicy:
    """Shows the seat its moment and reads lines until one is an answer. Looking things up costs nothing.

    ``terminal``: where the person sits. ``clock`` gives seconds, to record how long people take.
    ``reader`` makes answers of lines; what it explains instead of playing is kept in the record, as a
    thought (``slip``). ``help``: what more the world says of typing. With ``seats`` the prompt says which
    of several is asked. ``sitting``: where decisions can be taken back, and it is known what is at work.
    """

    name = "human"
    informed = False

    def __init__(
        self,
        terminal: Terminal,
        clock: Callable[[], float],
        reader: Reader,
        *,
        help: str = "",
        seats: Sequence[Seat] = (),
        sitting: Sitting | None = None,
    ) -> None:
        self._terminal, self._clock, self._reader, self._seats = terminal, clock, reader, seats
        self._typing, self._sitting = help, sitting
        self._turns = asyncio.Lock()
        self._shown = set[Seat]()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Whether slips were explained, which makes it another game than models play."""
        return {"play": "strict" if self._reader.strict else "friendly"}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The person's line as an answer, or the decision that its keys stand for.

        Who sits in several seats is asked for one of them after the other, also where all decide at once.
        """
        async with self._turns:
            if self._sitting is not None and self._sitting.leaving is not None:
                raise self._sitting.leaving  # another seat of the person's has ended this play
            try:
                return await self._decided(turn, memory)
            except KeyboardInterrupt as stopped:
                if self._sitting is not None:
                    self._sitting.leaving = stopped
                raise

    async def _decided(self, turn: Turn, memory: Any) -> Reply:
        told = (*(memory or ()), turn.glance.told)[-MOST_TOLD:]
        sight = self._sight(turn, turn.seat not in self._shown, tuple(filter(None, told)))
        self._shown.add(turn.seat)
        if sight.first:
            self._terminal.tell(self._briefing(turn))
            self._terminal.tell(self._help(sight))
        self._terminal.show(sight)
        prompt = f"{turn.seat}> " if len(self._seats) > 1 else "> "
        began, slips, confirmed = self._clock(), list[str](), ""
        while True:
            line = await self._line(prompt, sight)
            if not line or self._looked_up(line, turn, sight):
                continue
            chosen = self._reader.read(line, turn)
            if chosen.gives_up and line != confirmed:
                confirmed = line
                self._terminal.tell("That ends the play before the goal is reached. Again, if you mean it:")
                continue
            if not chosen.problem:
                return self._reply(chosen, told, slips, self._clock() - began)
            if chosen.slip:
                slips.append(f"{chosen.slip} | {chosen.problem}"[:LONGEST_SLIP])
            self._terminal.tell(chosen.problem)

    def _briefing(self, turn: Turn) -> str:
        """All that a model is told where the rules' prices hold; else without the form of answers."""
        return turn.briefing if self._reader.strict else turn.glance.briefing

    def _help(self, sight: Sight) -> str:
        """How to type at this moment; keys only where they do something."""
        keys = self._reader.keys if any(option.verb for option in sight.options) else None
        several = len({option.body for option in sight.options if option.body}) > 1
        return "\n".join(
            filter(
                None,
                (
                    STRICT if self._reader.strict else FRIENDLY,
                    HELP,
                    "" if self._reader.strict else FOR_FUN,
                    SEVERAL if several else "",
                    keys.help() if keys else "",
                    self._typing,
                ),
            )
        )

    def _sight(self, turn: Turn, first: bool, told: tuple[str, ...]) -> Sight:
        keys: Keys | None = self._reader.keys
        return Sight(
            turn.seat,
            turn.glance,
            self._reader.options(turn),
            turn.scene,
            labels=keys.labels(turn.scene) if keys and turn.scene is not None else {},
            keys=tuple(sorted(keys.keys)) if keys else (),
            refused=bool(turn.refused),
            first=first,
            told=told if turn.glance.changes else (),
        )

    def _looked_up(self, line: str, turn: Turn, sight: Sight) -> bool:
        """Whether the line asks for something that costs nothing; it is shown then."""
        asked: dict[str, Callable[[], str]] = {
            "help": lambda: self._help(sight),
            "?": lambda: menu_text(sight),
            "menu": lambda: menu_text(sight),
            "briefing": lambda: self._briefing(turn),
            "state": lambda: "\n".join((*sight.told[:-1], turn.text)),
            "recipes": lambda: turn.glance.recipes or "The briefing says all that there is to know.",
        }
        if line == QUIT and turn.trial(line).refused:  # else it is an action of the world's own
            raise KeyboardInterrupt
        if (sitting := self._sitting) is not None:
            asked["running"] = lambda: sitting.running(turn)
            if line not in asked and (told := self._for_fun(line, turn, sitting)):
                asked[line] = lambda: told
        if line in asked:
            self._terminal.tell(asked[line]())
        return line in asked

    def _for_fun(self, line: str, turn: Turn, sitting: Sitting) -> str:
        """What is told of a line that asks why, or to take something back; empty for any other.

        Raises ``TakenBack`` where that can be done.
        """
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word not in (WHY, UNDO):
            return ""
        if self._reader.strict:
            return STRICTLY
        if word == WHY:
            return self._why(f"{rest} ".removeprefix("not ").strip(), turn, sitting)
        if rest and not (rest.isascii() and rest.isdigit()):
            return "Say how many decisions are to be taken back: undo 3"
        try:
            raise sitting.leave(int(rest[:9] or 1))
        except Refused as error:
            return str(error)

    def _why(self, line: str, turn: Turn, sitting: Sitting) -> str:
        """What would be told of a slip, and what is at work with what the line names."""
        if not line:
            return "Say what: why, and a line as you would type it."
        chosen = self._reader.read(line, turn)
        if chosen.problem:
            return "\n".join((chosen.problem, *sitting.at_work_on(line, turn)))
        end = ", and ends the play before the goal is reached" if chosen.gives_up else ""
        return f"That can be done now{end}: {shorten(sitting.said(turn, chosen.decision))}"

    @staticmethod
    def _reply(chosen: Chosen, told: tuple[str, ...], slips: Sequence[str], seconds: float) -> Reply:
        thoughts = tuple(Thought(SLIP, slip) for slip in slips[:MOST_SLIPS])
        return Reply(chosen.decision, memory=told, thoughts=thoughts, usage=Usage(seconds=round(seconds, 3)))

    async def _line(self, prompt: str, sight: Sight) -> str:
        try:
            line = await self._terminal.ask(prompt, sight)
        except EOFError as error:
            raise KeyboardInterrupt from error
        return SPACE if line == " " and self._reader.keys else line.strip()


def menu_text(sight: Sight) -> str:
    """Everything that can be chosen, with its number, and beginnings of lines."""
    lines = [f"{at:4} {option.label}{_glossed(option.gloss)}" for at, option in enumerate(sight.options, 1)]
    begun = (each for each in sight.glance.suggestions if not each.is_whole)
    lines += [f"     {each.line}...{_glossed(each.gloss)}" for each in begun]
    return "\n".join(lines) or "This world lists no actions; the briefing says how they are written."


def _glossed(gloss: str) -> str:
    return f"   {gloss}" if gloss else ""
