"""Colours that people with any colour vision tell apart, with dark text readable on all light ones.

``ALONE`` are the light qualitative colours of Paul Tol (https://personal.sron.nl/~pault), without
the blue, which means the body's own hands here, and the grey, which means waiting. Refusals are
red and, besides, bear a cross; waits are hatched: no meaning rests on colour only.

Pictures are drawn in the light colours of the palette, which a file of its own keeps. On a page
``themed`` names each colour by a variable with itself to fall back on, and ``dark_variables`` gives the
dark scheme's values: the same hue (in Oklab, Björn Ottosson, 2020), so light that any two colours have the
contrast that they have in the light scheme (WCAG 2.2), turned around.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import cbrt

from backburner.drawing.svg import Markup

INK = "#1f2933"
MUTED = "#66727f"
LINE = "#e1e6eb"
BAND = "#f6f8fa"

HANDS = "#2f6690"
ON_HANDS = "#ffffff"
HANDS_FILL = "#e9f1f7"
BODIES = (HANDS, "#a04f2c", "#3d7d4f", "#74529c", "#96660f", "#a23b6a")
"""Of the first body, and of each further one in the order of its scene; all bear ``ON_HANDS``."""
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


def body(index: int) -> str:
    """The colour of the ``index``-th body."""
    return BODIES[index % len(BODIES)]


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


# --- a page's colour scheme --------------------------------------------------------------------------------


PAPER = "#171b21"
"""The dark scheme's ground, where the light one has white; pages that hold pictures take it too."""

GREYER = 0.95
"""A colour that no screen can show keeps so much of its colourfulness, again and again until one can."""

FLARE = 0.05
"""What a dark screen reflects, as the guideline's formula of contrast has it."""

HALVINGS = 9
"""Of the range of lightness, until the next shade of a screen is met."""

_COLOUR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-zA-Z_-])")
_PAINT = re.compile(
    r'((?:fill|stroke|stop-color)="|(?:fill|stroke): ?)(#(?:[0-9a-f]{6}|[0-9a-f]{3}))(?![0-9a-z])'
)
_USED = re.compile(r"var\(--c-([0-9a-f]{6}),")


def themed(picture: str) -> Markup:
    """The picture with ``var(--c-1f2933,#1f2933)`` for ``#1f2933`` wherever it fills or draws.

    Only attributes and rules of style are looked at: texts have no quotation marks that are not escaped.
    """
    return Markup(_PAINT.sub(lambda found: found[1] + _variable(found[2]), picture))


def following_scheme(picture: str) -> str:
    """A picture of its own that follows the scheme of whoever looks at it; its first ``style`` says how."""
    turned = themed(picture)
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {dark_variables(turned)} }} }}"
    return turned.replace("</style>", f"{dark}</style>", 1)


def dark_variables(page: str) -> str:
    """The declarations of all variables that a page's pictures use, with their dark values."""
    used = sorted(set(_USED.findall(page)))
    return " ".join(f"--c-{name}: {dark(f'#{name}')};" for name in used)


@lru_cache
def dark(colour: str) -> str:
    """What a colour, ``#rrggbb`` or ``#rgb``, is in the dark."""
    whole = _six(colour)
    if whole == "#ffffff":
        return PAPER
    wanted = (_luminance(PAPER) + FLARE) * contrast(whole, "#ffffff") - FLARE
    _, a, b = _oklab(whole)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _luminance(_shown(middle, a, b)) < wanted else (low, middle)
    return _shown(high, a, b)


def _shown(lightness: float, a: float, b: float) -> str:
    """The most colourful colour of this lightness and hue that a screen can show, up to what is asked for."""
    parts = _rgb(lightness, a, b)
    while not all(-0.001 <= part <= 1.001 for part in parts):
        a, b = GREYER * a, GREYER * b
        parts = _rgb(lightness, a, b)
    return "#" + "".join(f"{round(255 * min(max(part, 0), 1)):02x}" for part in parts)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2.2: from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + FLARE) / (darker + FLARE)


def _variable(colour: str) -> str:
    return f"var(--c-{_six(colour)[1:]},{colour})"


def _six(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f"no colour of six or three small hexadecimal digits: {colour!r}")
    return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])


def _linear(colour: str) -> tuple[float, float, float]:
    """Red, green and blue as amounts of light."""
    parts = (int(_six(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _oklab(colour: str) -> tuple[float, float, float]:
    red, green, blue = _linear(colour)
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _rgb(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    red, green, blue = (12.92 * p if p <= 0.0031308 else 1.055 * p ** (1 / 2.4) - 0.055 for p in linear)
    return red, green, blue
