"""Figures as files: one SVG for each picture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from backburner.evaluation.figures.values import Figure, Panel
from backburner.kernel.files import write_whole

LONGEST_NAME = 120


def write_figures(figures: Iterable[tuple[str, Figure]], folder: Path) -> list[Path]:
    """Write each picture to ``<folder>/<world>/<figure>[-<picture>].svg``; the files' paths.

    ``figures``: pairs of world and figure. Pictures of equal names are numbered.
    """
    written: list[Path] = []
    for world, figure in figures:
        for panel in figure.panels:
            name = f"{figure.key}-{_slug(panel.title)}" if len(figure.panels) > 1 else figure.key
            path = _free(folder / world, name[:LONGEST_NAME], written)
            write_whole(path, _standing_alone(panel))
            written.append(path)
    return written


def _standing_alone(panel: Panel) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{panel.svg}\n'.encode()


def _slug(title: str) -> str:
    """Letters and digits of a title, in lower case, with a dash for whatever stands between."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "picture"


def _free(folder: Path, name: str, taken: list[Path]) -> Path:
    """The first path of this name, or of it with a number, that was not written yet."""
    path, number = folder / f"{name}.svg", 2
    while path in taken:
        path, number = folder / f"{name}-{number}.svg", number + 1
    return path
