"""How pages are made of templates: foreign text is escaped, and a name that is not there is an error."""

from __future__ import annotations

import jinja2


def page_templates(package: str = "backburner.evaluation") -> jinja2.Environment:
    """The templates of a package, for one page, which adds its filters to them."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
