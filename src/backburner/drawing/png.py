"""Scenes as PNG, for models that see: the same picture on every machine, as the font comes with it."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from importlib.resources import as_file, files
from math import ceil

from msgspec import Struct

from backburner.kernel.errors import NotDrawn, needs_extra
from backburner.kernel.view import Scene

DRAWING = 1
"""The number of the drawing, in records of models that saw it: raised whenever scenes are drawn otherwise."""

FONT = "DejaVu Sans Condensed"

LONGEST_SIDE = 1568
"""Pixels of a picture's longer side at most: servers make smaller what is larger."""

_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')

PATCH = 28
"""Pixels on each side of a square that is counted as a token, where no server tells how many there were."""


class Picture(Struct, frozen=True):
    """A picture as SVG, and its size as PNG in pixels. The PNG is made where it is sent, and kept nowhere."""

    svg: str
    width: int
    height: int

    @property
    def tokens(self) -> int:
        """An estimate of what it counts as: one for each square of ``PATCH`` pixels, begun ones included."""
        return ceil(self.width / PATCH) * ceil(self.height / PATCH)

    @property
    def told(self) -> str:
        """The picture in words, for people who are shown what a model is sent."""
        return f"[a picture of {self.width} x {self.height} pixels]"


def picture_of(scene: Scene, zoom: float = 1.0) -> Picture:
    """The scene, drawn ``zoom`` times as large as on pages, but no larger than ``LONGEST_SIDE``."""
    from backburner.drawing.scene import scene_svg  # which takes longer to load than most commands have

    svg = str(scene_svg(scene, alike=True))
    size = _SIZE.match(svg)
    assert size is not None  # noqa: S101  # it is a document of our own
    width, height = map(float, size.groups())
    scale = min(zoom, LONGEST_SIDE / max(width, height))
    return Picture(svg, max(1, round(width * scale)), max(1, round(height * scale)))


def check_png() -> None:
    """Raises ``MissingExtra`` where pictures cannot be made."""
    with needs_extra("png", "showing pictures to models"):
        import resvg_py  # noqa: F401


def png(picture: Picture) -> bytes:
    """The picture as PNG. Raises ``MissingExtra``, and ``NotDrawn`` where it cannot be made."""
    check_png()
    import resvg_py

    with as_file(files("backburner.drawing") / "data" / "DejaVuSansCondensed.ttf") as font:
        try:
            return bytes(
                resvg_py.svg_to_bytes(
                    svg_string=picture.svg,
                    width=picture.width,
                    height=picture.height,
                    skip_system_fonts=True,
                    font_files=[str(font)],
                    font_family=FONT,
                    sans_serif_family=FONT,
                )
            )
        except ValueError as error:
            raise NotDrawn(f"a picture of {picture.width} x {picture.height} pixels: {error}") from error


@lru_cache(maxsize=1 << 10)  # a conversation is sent again with each call
def data_url(picture: Picture) -> str:
    """The PNG as an address that holds it; raises what ``png`` raises."""
    return f"data:image/png;base64,{base64.b64encode(png(picture)).decode()}"
