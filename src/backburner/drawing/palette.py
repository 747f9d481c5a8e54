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
KEPT = "#5d7286"
MISSED = REFUSED


def alone(index: int) -> str:
    """The colour of the ``index``-th lane that works by itself."""
    return ALONE[index % len(ALONE)]


FLOOR = ("#fdfcf9", "#f6f4ee")
"""The two tones of a floor's squares."""

COUNTER = "#e9edf1"
WOOD = "#eddcc2"
STEEL = "#d3dae1"
BASIN = "#bcdcf0"
PLAIN_FOOD = ("#f3d9b8", "#cfe3b0", "#f6c4b4", "#d9e4ee", "#f7e3a1", "#e3cfe9", "#d8cbb8", "#c9e6df")
FOODS = {
    "bread": "#edd2a2",
    "bun": "#e8bf7d",
    "bowl": "#e4e8ec",
    "cheese": "#fbdc72",
    "chicken": "#f5dcc0",
    "egg": "#fbeeb8",
    "fish": "#c6dbe6",
    "lettuce": "#bfdd88",
    "onion": "#e5cdea",
    "patty": "#d8a988",
    "pan": "#c7cfd7",
    "pepper": "#b9d98f",
    "plate": "#eef1f4",
    "pot": "#c7cfd7",
    "potato": "#e6d6a0",
    "pumpkin": "#f5b972",
    "rice": "#f6f2e4",
    "tomato": "#f5a08f",
    "water": "#aed6f1",
}
"""Light colours of what lies about in kitchens, by a word that its kind contains."""


def food(kind: str) -> str:
    """A light colour for a thing of this kind, always the same."""
    words = [word for word in FOODS if word in kind.lower()]
    return FOODS[max(words, key=len)] if words else PLAIN_FOOD[sum(map(ord, kind)) % len(PLAIN_FOOD)]


BLOCKS = {
    "bedrock": "#9a9fa5",
    "brick": "#dba792",
    "chest": "#dba85a",
    "clay": "#c3c9d3",
    "cobblestone": "#c2c7cc",
    "dirt": "#cfb18c",
    "farmland": "#c3a078",
    "fence": "#d8bd91",
    "furnace": "#aab1b8",
    "glass": "#e2f0f4",
    "grass": "#bcd894",
    "gravel": "#cbc6c0",
    "ice": "#cde6f5",
    "lava": "#f4a460",
    "leaves": "#96bf76",
    "log": "#bd9464",
    "netherrack": "#cc918b",
    "obsidian": "#8c84a3",
    "ore": "#b7bec5",
    "path": "#dcc88e",
    "planks": "#e3c898",
    "sand": "#f0e5b8",
    "snow": "#f1f6f9",
    "sandstone": "#eadfb4",
    "stone": "#ced3d7",
    "vine": "#a4c986",
    "water": "#a6cdf0",
    "wheat": "#e5d374",
    "wood": "#c7a171",
    "wool": "#eceef0",
}
"""Light colours of blocks that the ground is of, by a word in the block's name."""

OTHER_BLOCK = "#d9dde1"


def is_block(kind: str) -> bool:
    """Whether one of a kind's words, which ``_`` parts, is that of a block."""
    return not BLOCKS.keys().isdisjoint(_words(kind))


def block(kind: str) -> str:
    """A light colour for a block; the last of its words that has one counts."""
    return next((BLOCKS[word] for word in reversed(_words(kind)) if word in BLOCKS), OTHER_BLOCK)


def _words(kind: str) -> list[str]:
    words = kind.lower().replace(" ", "_").split("_")
    return [*words, *(word.removesuffix("s") for word in words)]
