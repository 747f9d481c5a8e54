"""Instructions in words: what a seat without bodies says to those who work, for worlds with such a seat.

To everybody else an instruction is foreign text: it is told on one line, without signs that are not printed,
and has ``LONGEST`` characters at most. What holds for how long is the world's business.
"""

from __future__ import annotations

from backburner.kernel.thinking import spoken

LONGEST = 500
"""Characters of an instruction."""

SAY, KEEP, REVOKE = "say:", "keep", "revoke"

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


def words(instruction: str | None) -> str:
    """The answer in which this instruction is found."""
    if instruction is None:
        return KEEP
    return f"{SAY} {instruction}" if instruction else REVOKE
