"""What a notebook shows of a value. Who draws stands above the kernel, and is imported when one is shown."""

from __future__ import annotations

from importlib import import_module

DRAWN = "backburner.evaluation.notebook"
"""The module that draws, with a function ``html_of``."""


def html_of(value: object) -> str | None:
    """The value as a piece of HTML; ``None`` where nothing can be drawn of it, and its text is shown."""
    html: str | None = import_module(DRAWN).html_of(value)
    return html


class Shown:
    """A value that notebooks show as a piece of HTML: IPython, Jupyter and others ask for it by this name."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return html_of(self)
