"""How pages are made of templates: foreign text is escaped, and a name that is not there is an error."""

from __future__ import annotations

import jinja2


def page_templates() -> jinja2.Environment:
    """An environment of its own for each page, which adds its filters to it."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("backburner.evaluation"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
