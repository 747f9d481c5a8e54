"""JSON Schemas of structs that users write files of, for editors that check and complete as one types.

``python -m backburner.kernel.editor_schemas`` writes those of all worlds anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import cleandoc, getfile
from pathlib import Path
from typing import Any

import msgspec

from backburner.kernel import packs, registry
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.files import write_whole


def schema_texts(types: Mapping[str, Any]) -> dict[str, str]:
    """File name to text of the schema of each of these types, which go by name."""
    return {f"{name}.schema.json": _text(msgspec.json.schema(type)) for name, type in types.items()}


def folder_of(catalogue: Catalogue[Any]) -> Path:
    """Where a world keeps its schemas: ``data/schemas``, beside the folder of its catalogue's module."""
    return Path(getfile(type(catalogue))).parents[1] / "data" / "schemas"


def write_schemas(catalogue: Catalogue[Any]) -> None:
    """Write the schemas of a world's files into its folder."""
    folder = folder_of(catalogue)
    for name, text in schema_texts(catalogue.file_types).items():
        write_whole(folder / name, text.encode())


def _text(schema: dict[str, Any]) -> str:
    encoded = msgspec.json.encode(_described(schema), order="sorted")
    return msgspec.json.format(encoded, indent=1).decode() + "\n"


def _described(schema: Any) -> Any:
    """The schema with the docstrings that describe it as plain text, patterns as editors write them."""
    if isinstance(schema, dict):
        return {key: _WRITTEN.get(key, _described)(value) for key, value in schema.items()}
    return [_described(one) for one in schema] if isinstance(schema, list) else schema


def _plain(value: Any) -> Any:
    return cleandoc(value) if isinstance(value, str) else _described(value)


def _pattern(value: Any) -> Any:
    """Python ends a text with ``\\Z``, editors with ``$``."""
    return value.replace(r"\Z", "$") if isinstance(value, str) else _described(value)


_WRITTEN: Mapping[str, Callable[[Any], Any]] = {"description": _plain, "pattern": _pattern}


if __name__ == "__main__":
    for world in packs.names():
        if registry.catalogue(world).file_types:
            write_schemas(registry.catalogue(world))
