"""Pictures as PDF: vectors, with the glyphs that are used embedded, as journals ask for.

Typst sets a page of the picture's size around it. It comes as one wheel without dependencies and brings its
fonts (Libertinus, which articles in LaTeX often have beside them), so that a picture is the same on every
machine; signs that these lack are taken from a font of the machine, if one has them.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from backburner.drawing.svg import FONT, escaped
from backburner.kernel.errors import MissingExtra

PDF_FONT = "Libertinus Serif"
POINTS_PER_PIXEL = 0.75
NAME = "picture.svg"


def pdf_of(picture: str, title: str) -> bytes:
    """The picture as a PDF of one page; the same bytes for the same picture.

    Raises ``MissingExtra`` without typst.
    """
    try:
        import typst
    except ImportError as error:
        raise MissingExtra("pdf", "a picture as PDF") from error
    width, height = _size(picture)
    own = picture.replace(escaped(FONT), PDF_FONT)
    page = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt)\n"
        f'#set document(title: "{_quoted(title)}", date: none)\n'
        f'#image("{NAME}", width: 100%, alt: "{_quoted(_told(picture))}")\n'
    )
    with tempfile.TemporaryDirectory(prefix="backburner-") as folder:
        (Path(folder) / NAME).write_text(own, encoding="utf-8")
        source = Path(folder) / "page.typ"
        source.write_text(page, encoding="utf-8")
        made: bytes = typst.compile(str(source), root=folder, format="pdf")
    return made


def _size(picture: str) -> tuple[float, float]:
    """Width and height in points."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    if found is None:
        raise ValueError("a picture without a size")
    return float(found[1]) * POINTS_PER_PIXEL, float(found[2]) * POINTS_PER_PIXEL


def _told(picture: str) -> str:
    """What the picture shows in words, for those who cannot see it."""
    description = ElementTree.fromstring(picture).find("{http://www.w3.org/2000/svg}desc")  # noqa: S314  # our own
    return "" if description is None else description.text or ""


def _quoted(text: str) -> str:
    """``text`` inside of a string of Typst."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
