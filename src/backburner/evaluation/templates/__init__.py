"""How pages are made of templates: foreign text is escaped, and a name that is not there is an error."""

from __future__ import annotations

import base64
from functools import cache
from hashlib import sha256
from importlib.resources import files

import jinja2
from markupsafe import Markup

from backburner.drawing.svg import escaped
from backburner.evaluation.tables.words import columns_of_words, number_text
from backburner.kernel import __version__
from backburner.kernel.errors import one_line


def page_templates(package: str = "backburner.evaluation", *, xml: bool = False) -> jinja2.Environment:
    """The templates of a package, for one page, which adds its filters to those that tables need; with
    ``xml`` a page is XML, too, whatever characters foreign text has.

    ``line``: foreign text in one line, without anything that would turn its writing; ``version``: of the
    package.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_in_xml if xml else None,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "columns_of_words": columns_of_words,
        "line": lambda text: one_line(str(text)),
        "number": number_text,
    }
    environment.globals["version"] = __version__
    return environment


@cache
def asset(path: str) -> str:
    """A style or script of this package's templates."""
    return files("backburner.evaluation").joinpath("templates", path).read_text("utf-8")


def script_digest(script: str) -> str:
    """What a page's policy calls a script that may run."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"


def _in_xml(value: object) -> Markup:
    """A value as it may stand in XML."""
    if isinstance(value, jinja2.Undefined | Markup):
        return Markup(value)  # noqa: S704  # a macro's own, or what the template calls safe
    return Markup(escaped(str(value)))  # noqa: S704
