"""Instructions in words: a seat without bodies that tells those who work what to do, for worlds with one.

An instruction holds until another is given, or it is taken back. To everybody else it is foreign text: it is
told on one line, without signs that are not printed, and has ``LONGEST`` characters at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Option
from backburner.kernel.text import Suggestion
from backburner.kernel.tools import Tool, tool, verb_tools
from backburner.kernel.values import Event, Refusal, Seat
from backburner.kernel.wrapping import spoken

LONGEST = 500
"""Characters of an instruction."""

SAYS, SAY, KEEP, REVOKE = "say", "say:", "keep", "revoke"
WORDS = f"what is to be done, in your own words, {LONGEST} characters at most"

TAKEN_BACK = ""
"""The instruction that takes back what was said."""


def instruction_in(answer: str) -> str | None:
    """The instruction of an answer: all of it but thoughts, without a leading ``say:``.

    ``None`` for nothing new: of ``keep`` alone, and of an empty answer; ``TAKEN_BACK`` of ``revoke`` alone.
    It is as it was written, of any length.
    """
    said = spoken(answer).answer.strip()
    if said.lower() in ("", KEEP):
        return None
    if said.lower() == REVOKE:
        return TAKEN_BACK
    if said[: len(SAY)].lower() == SAY:
        said = said[len(SAY) :].strip()
    return said if len(said) > LONGEST or harmless(said) else None


def typed(line: str) -> str:
    """The answer of a line that a person types: the beginning of a word that is no instruction is enough."""
    word = line.strip().lower()
    return next((whole for whole in (KEEP, REVOKE) if word and whole.startswith(word)), line)


def harmless(text: str) -> str:
    """``text`` on one line, with a blank for whatever is not printed."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


class Instruction(Struct, frozen=True, omit_defaults=True, gc=False):
    """What was said that holds, and in which step; what was said before, as far as it is told again; why the
    last words were refused, if so."""

    text: str = ""
    since: int = 0
    said: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class Spoken(Protocol):
    """A world's decision: actions, or an instruction instead, ``None`` for nothing new."""

    @property
    def instruction(self) -> str | None: ...


DecisionT = TypeVar("DecisionT", bound=Spoken)


class Speaker(Generic[DecisionT]):
    """The seat that instructs: what it can answer and decide, in the world's own type of decision.

    ``role``: what it is called where a person types; ``called``: what others call it. ``says`` makes a
    decision of an instruction, ``acts`` one of actions; ``actions`` gives those of a decision as they are
    written, of which a seat without bodies has none. ``bad`` makes the world's refusal of a code and a text,
    for ``too_long`` and ``words_only``; ``no_decision`` is the refusal of what is no decision of the world.
    ``remembers``: former instructions that are told again. ``repeats``: whether what holds already is said
    anew if it is said again.
    """

    def __init__(
        self,
        seat: Seat,
        role: str,
        called: str,
        says: Callable[[str | None], DecisionT],
        acts: Callable[[tuple[str, ...]], DecisionT],
        actions: Callable[[DecisionT], Sequence[str]],
        bad: Callable[..., Refusal],
        no_decision: Refusal,
        *,
        remembers: int = 0,
        repeats: bool = False,
    ) -> None:
        self.seat = seat
        self.role = role
        self.called = called
        self.says = says
        self.acts = acts
        self.actions = actions
        self.bad = bad
        self.no_decision = no_decision
        self.remembers = remembers
        self.repeats = repeats
        self.silence = says(None)
        """Nothing new is said."""
        self.back = says(TAKEN_BACK)
        """What was said is taken back."""

    def read(self, answer: str) -> DecisionT | Refusal:
        """The decision of an answer: the instruction in it, of ``LONGEST`` characters at most."""
        said = instruction_in(answer)
        if said is None:
            return self.silence
        return self._too_long(said) if len(said) > LONGEST else self.says(harmless(said))

    def _too_long(self, said: str) -> Refusal:
        return self.bad("too_long", said, characters=len(said), most=LONGEST)

    def words(self, decision: DecisionT) -> str:
        """The answer that is read as this decision."""
        if decision.instruction is None:
            return KEEP
        return f"{SAY} {decision.instruction}" if decision.instruction else REVOKE

    def shortened(self, decision: Any, words: int) -> Any:
        """The decision with so many words of its instruction at most, of which none is nothing new; to take
        back what was said is a word."""
        if not isinstance(decision, type(self.silence)) or decision.instruction is None:
            return decision
        said = harmless(decision.instruction or REVOKE).split()
        return decision if len(said) <= words else self.says(" ".join(said[:words]) or None)

    def refused(self, decision: Any) -> Refusal | None:
        """Why this is no decision of this seat, if it is none."""
        if isinstance(decision, Refusal):
            found = decision
        elif not isinstance(decision, type(self.silence)):
            found = self.no_decision
        elif actions := self.actions(decision):
            found = self.bad("words_only", str(actions[0]))
        elif decision.instruction is not None and len(decision.instruction) > LONGEST:
            found = self._too_long(decision.instruction)
        else:
            return None
        return found.at(self.seat)

    def after(
        self, held: Instruction | None, decision: Any, step: int, time: int | float
    ) -> tuple[Instruction | None, tuple[Event, ...], tuple[Refusal, ...]]:
        """What holds once the seat has decided, what was said, and what was refused."""
        held = held or Instruction()
        if (refusal := self.refused(decision)) is not None:
            return replace(held, refusals=(refusal,)), (), (refusal,)
        text = held.text if decision.instruction is None else harmless(decision.instruction)
        if decision.instruction is None or (text == held.text and not (text and self.repeats)):
            kept = replace(held, refusals=())
            return (kept if kept != Instruction() else None), (), ()
        said = (*held.said, held.text)[-self.remembers :] if held.text and self.remembers else held.said
        event = Event(time, "said", self.seat, text or f"({REVOKE})")
        return (Instruction(text, step, said) if text or said else None), (event,), ()

    def heard(self, text: str, since: int, step: int, *, by_itself: bool) -> Iterator[str]:
        """What holds, if anything, as others hear it in this step, or as the seat is reminded of it."""
        if text:
            who = "You have said, and it holds" if by_itself else f"{self.called} has said, and it holds"
            yield f"{f'{self.called} says' if since == step and not by_itself else who}: {text}"

    def menu(self, held: Instruction | None) -> Menu[DecisionT]:
        """Silence, and taking back what holds; words are not on a menu."""
        options = [Option(self.silence, KEEP, passes=True, gloss="say nothing new; what you said last holds")]
        if held is not None and held.text:
            options.append(Option(self.back, REVOKE, gloss="take back what you said last"))
        return Menu(tuple(options), False)

    def joined(self, decisions: Sequence[DecisionT]) -> DecisionT:
        """The actions of several decisions of a seat as one; raises ``Refused`` for words among them."""
        if len(decisions) == 1:
            return decisions[0]
        if all(decision.instruction is None for decision in decisions):
            return self.acts(tuple(action for decision in decisions for action in self.actions(decision)))
        raise Refused(f"one at a time: {', '.join(self.words(each) for each in decisions)}")

    @property
    def tools(self) -> tuple[Tool, ...]:
        """What a model can call in this seat."""
        say = verb_tools({SAYS: ("words",)}, {SAYS: "say what is to be done"}, (), {"words": WORDS})
        return (*say, tool(KEEP, "say nothing new"), tool(REVOKE, "take back what you said last"))

    def call_text(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The answer that a call stands for."""
        return f"{SAY} {arguments['words']}" if name == SAYS else name

    @property
    def typing(self) -> str:
        """How a person types in this seat."""
        return (
            f"As {self.role} type what is to be done, in your own words. {KEEP} (or k): nothing new; "
            f"{REVOKE} (or r): take back what you said last."
        )


def answering(example: str) -> tuple[str, ...]:
    """How whoever instructs is to answer, line by line; with an example."""
    return (
        "How to answer",
        f"Write what is to be done, in your own words, {LONGEST} characters at most, such as:",
        f"{SAY} {example}",
        f"Write {KEEP} to say nothing new, or {REVOKE} to take back what you said last.",
    )


def suggestions(examples: Iterable[str]) -> Iterator[Suggestion]:
    """Lines to type: the beginning of an instruction, and each of these once."""
    yield Suggestion(f"{SAY} ", "tell everybody what to do, in your own words")
    for example in dict.fromkeys(examples):
        yield Suggestion(f"{SAY} {example}")


BETWEEN, CUT = " | ", "..."
"""What stands between the lines of an instruction out of several, and in place of those left out."""


def instruction_of(said: Sequence[tuple[str, str]]) -> str | None:
    """The instruction in what persons have said since it was last asked: lines in order, each with who said
    it. ``None`` for nothing new.

    Several are told with ``BETWEEN`` between them, and with their speakers' names where those are several. A
    line that only says ``revoke`` takes back what stands before it; where nothing comes after it, what held
    is taken back as well. If there is more than ``LONGEST`` characters, the oldest lines are left out.
    """
    lines: list[tuple[str, str]] = []
    revoked = False
    for speaker, line in said:
        instruction = instruction_in(line)
        if instruction == TAKEN_BACK:
            lines, revoked = [], True
        elif instruction is not None:
            lines.append((harmless(speaker), harmless(instruction)))
    if not lines:
        return TAKEN_BACK if revoked else None
    several = len({speaker for speaker, _ in lines}) > 1
    spelt = [f"{speaker}: {line}" if several else line for speaker, line in lines]
    if len(whole := BETWEEN.join(spelt)) <= LONGEST:
        return whole
    kept = [spelt.pop()]
    while spelt and len(BETWEEN.join((CUT, spelt[-1], *kept))) <= LONGEST:
        kept.insert(0, spelt.pop())
    return BETWEEN.join((CUT, *kept) if spelt else kept)[:LONGEST]
