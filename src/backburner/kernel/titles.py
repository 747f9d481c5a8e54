"""What scenarios are called: a short name for people, beside the id that they type.

A name says what is to be done, in the world's words, and after a dot what tells the scenario from others like
it: ``Kitchen 3: salmon sushi, tuna sushi · 3 bodies``. Worlds say the parts (``Catalogue.called``,
``Catalogue.said``); here they are put together, so that no name is longer than ``LONGEST``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from backburner.kernel.errors import one_line, shorten

LONGEST, LEAST_NAME = 60, 9
"""Characters of a name, and of each of its parts where several share the room."""

MOST_TOLD = 44
"""Characters of what stands after the dot."""

_PARTS = re.compile(r"[_\s]+|(?<=[a-z])(?=[A-Z][a-z])|(?<=[A-Za-z])-(?=[A-Za-z])|(?<=\d)-|-(?=\d)")


class Called(Struct, frozen=True):
    """What a scenario is made of, by the ``names`` of its tasks, and ``marks`` that tell it from others."""

    names: tuple[str, ...]
    marks: tuple[str, ...] = ()


def plain(name: str) -> str:
    """A name as words: ``salmonSushi`` is ``salmon sushi``, ``Daikon-Radish`` is ``Daikon Radish``."""
    parts = [part for part in _PARTS.split(one_line(name)) if part]
    if {*"-_ "} & {*name}:
        return " ".join(parts)
    return " ".join(part.lower() if at and part.istitle() else part for at, part in enumerate(parts))


def title(called: Called, options: Mapping[str, str], said: Mapping[str, str]) -> str:
    """The name of a scenario with these ``options``, told as ``said`` (see ``Catalogue.said``)."""
    known = [key.partition("=")[0] for key in said]
    inside = sorted(options, key=lambda key: known.index(key) if key in known else len(known))
    told = ", ".join(filter(None, (*called.marks, *(_told(key, options[key], said) for key in inside))))
    told = f" · {shorten(one_line(told), MOST_TOLD)}" if told else ""
    name = joined([one_line(name) for name in called.names], LONGEST - len(told))
    return f"{name[:1].upper()}{name[1:]}{told}"


def _told(key: str, value: str, said: Mapping[str, str]) -> str:
    """An option in words: of its value, of the option, or else as it is written."""
    return said.get(f"{key}={value}", said.get(key, f"{plain(key)} {{}}")).replace("{}", plain(value))


def joined(names: Sequence[str], room: int) -> str:
    """The names, each cut to its share of the room; where that were too little, the first few of them."""
    for shown in range(len(names), 0, -1):
        more = f" + {len(names) - shown} more" if shown < len(names) else ""
        share = (room - len(more) - 3 * (shown - 1)) // shown
        whole = " + ".join(names[:shown]) + more
        if len(whole) <= room:
            return whole
        if share >= LEAST_NAME or shown == 1:
            return " + ".join(_cut(name, share) for name in names[:shown]) + more
    return ""


def _cut(name: str, most: int) -> str:
    """The name cut between words where that leaves enough of it."""
    if len(name) <= most:
        return name
    kept = name[: most - 1]
    words = kept.rpartition(" ")[0] if not name[most - 1].isspace() else kept
    return f"{(words if 2 * len(words) >= most else kept).rstrip(' ,:;')}…"
