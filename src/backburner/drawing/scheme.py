"""Pictures that follow a page's colour scheme: each colour as a CSS variable, and what it is in the dark.

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
