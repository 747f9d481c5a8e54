"""Colours that people with any colour vision tell apart, with dark text readable on all light ones.

``ALONE`` are the light qualitative colours of Paul Tol (https://personal.sron.nl/~pault), without
the blue, which means the body's own hands here, and the grey, which means waiting. Refusals are
red and, besides, bear a cross; waits are hatched: no meaning rests on colour only.
"""

from __future__ import annotations

INK = "#1f2933"
MUTED = "#66727f"
LINE = "#e1e6eb"
BAND = "#f6f8fa"

HANDS = "#2f6690"
ON_HANDS = "#ffffff"
HANDS_FILL = "#e9f1f7"
ALONE = ("#44bb99", "#eedd88", "#99ddff", "#c8a2d8", "#ee8866", "#bbcc33", "#ffaabb", "#d9b48f")
ALONE_FILL = "#e8f7f1"
ALONE_LINE = "#1f8a67"
WAIT = "#a3adb8"
REFUSED = "#c0271d"
REFUSED_FILL = "#fde4e1"
EDGE = "#8592a0"
SCORE = "#8b95a1"


def alone(index: int) -> str:
    """The colour of the ``index``-th lane that works by itself."""
    return ALONE[index % len(ALONE)]
