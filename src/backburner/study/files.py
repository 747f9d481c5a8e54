"""Study files: read, with the templates that ship and the schema by which an editor checks them.

What cannot work is a ``BadFile`` that names the place; what works and is likely not meant is a remark.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.editor_schemas import schema_texts
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.files import Place, converted, decoded, read_regular, read_text, write_whole
from backburner.kernel.values import canonical_json
from backburner.study.checking import check
from backburner.study.design import Item, Questionnaire, Study
from backburner.study.factors import with_cells
from backburner.study.media import Media, media_of
from backburner.study.words import flat

MOST_BYTES = 1 << 18
"""Of a study file: TOML is read at some megabytes a second, and this is thirty times the longest template."""


class StudyFile(Struct, frozen=True):
    """A study as its file has it. ``digest``: of its content, comments and order of fields aside, and of what
    it shows (``media``)."""

    study: Study
    digest: str
    remarks: tuple[str, ...] = ()
    media: Mapping[str, Media] = {}


def read_study(path: Path) -> StudyFile:
    """The study of a file, checked in full; raises ``BadFile`` naming the place of the first mistake."""
    study = parsed(_raw(path), str(path))
    remarks = check(study, Place(str(path)))
    media = media_of(study, path.parent, Place(str(path)))
    return StudyFile(study, digest_of(study, media), tuple(remarks), media)


def parsed(raw: Any, file: str) -> Study:
    """The structs of a study file's plain values; names are not checked. Raises ``BadFile``."""
    place = Place(file)
    if isinstance(raw, dict) and isinstance(raw.get("texts"), dict):
        raw = raw | {"texts": {tongue: flat(texts) for tongue, texts in raw["texts"].items()}}
    study = converted(raw, Study, place)
    used = tuple(_with_items(one, place, i) for i, one in enumerate(study.questionnaires))
    return with_cells(replace(study, questionnaires=used), place)


def digest_of(study: Study, media: Mapping[str, Media] | None = None) -> str:
    """The digest of a study's content and of what it shows, which is kept with its data."""
    shown = canonical_json({name: each.digest for name, each in media.items()}) if media else b""
    return blake2b(canonical_json(study) + shown, digest_size=32).hexdigest()


def _raw(path: Path) -> Any:
    if path.suffix == ".json":
        return decoded(read_regular(path, MOST_BYTES), path)
    try:
        return tomllib.loads(read_text(path, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise BadFile(path, "", f"not TOML: {error}") from error


# --- shipped questionnaires ------------------------------------------------------------------------------


class _Shipped(Struct, frozen=True, forbid_unknown_fields=True):
    items: tuple[Item, ...]
    intro: str | None = None


@cache
def shipped_questionnaires() -> Mapping[str, _Shipped]:
    """Those that a study's questionnaire may ``use``, by name."""
    raw = files(__package__).joinpath("data", "questionnaires.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(raw), dict[str, _Shipped])


def _with_items(one: Questionnaire, place: Place, index: int) -> Questionnaire:
    here = place.entry("questionnaires", index, one.name)
    if one.use is None:
        return one
    shipped = shipped_questionnaires()
    if one.use not in shipped:
        raise here.field("use").wrong(str(UnknownName("questionnaire", one.use, shipped)))
    base = shipped[one.use]
    return replace(one, items=(*base.items, *one.items), intro=one.intro or base.intro, use=None)


# --- templates --------------------------------------------------------------------------------------------


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
    """The JSON Schema of study files, which editors know TOML by as well."""
    return schema_texts({"study": Study})[SCHEMA]


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
