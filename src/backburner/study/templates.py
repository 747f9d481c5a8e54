"""Studies that ship as templates, and the schema by which an editor checks a study file."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from backburner.kernel.editor_schemas import schema_texts
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import write_whole
from backburner.study.design import Study

TEMPLATES = {
    "mindagent": "people alone, beside one to three model-led agents, beside random ones",
    "collab_pairs": "pairs of people, one of whom alone knows the recipe",
    "people_and_models": "people alone on scenarios that models play as well",
}
"""Each template with what it is about."""

SCHEMA = "study.schema.json"


def template(name: str) -> bytes:
    """The text of a template; raises ``UnknownName``."""
    if name not in TEMPLATES:
        raise UnknownName("template", name, TEMPLATES)
    return files(__package__).joinpath("data", "templates", f"{name}.toml").read_bytes()


def schema() -> str:
    """The JSON Schema of study files, which editors know TOML by as well.

    Patterns end with ``$``, as editors write the end of a text.
    """
    return schema_texts({"study": Study})[SCHEMA].replace("\\\\Z", "$")


def write_template(name: str, file: Path) -> list[Path]:
    """Write a template and, beside it, the schema that its first line names; the files.

    Raises ``UnknownName``, and ``Refused`` where there is a file already.
    """
    content = template(name)
    if file.exists():
        raise Refused(f"{file} is there already; name another file")
    write_whole(file, content)
    beside = file.parent / SCHEMA
    write_whole(beside, schema().encode())
    return [file, beside]
