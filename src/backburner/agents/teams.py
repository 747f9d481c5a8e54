"""Names of teams: one agent for each seat, joined by ``+``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

JOIN = "+"
REPLAY = "replay:"
SUFFIX = ".jsonl"


def members_of(name: str, is_agent: Callable[[str], bool]) -> tuple[str, ...]:
    """The names of a team's members, one if it is no team; an empty one where a name is missing.

    The path of a record may itself hold ``+``, as names of scenarios and of teams do. It goes on to the
    end of the part that ends in ``.jsonl`` and that no agent's name (as ``is_agent`` has it) or nothing
    follows; without such a part, to the next agent's name.
    """
    members: list[str] = []
    parts = name.split(JOIN)
    for at, part in enumerate(parts):
        if members and _goes_on(members[-1], parts[at:], is_agent):
            members[-1] += JOIN + part
        else:
            members.append(part.strip())
    return tuple(members)


def _goes_on(member: str, rest: Sequence[str], is_agent: Callable[[str], bool]) -> bool:
    """Whether ``member`` is the beginning of a record's path that the rest goes on with."""
    if not member.startswith(REPLAY):
        return False
    if not is_agent(rest[0].strip()):
        return True
    own = takewhile(lambda part: not part.strip().startswith(REPLAY), rest)
    return not member.endswith(SUFFIX) and any(part.endswith(SUFFIX) for part in own)
