"""JSON Schemas of structs that users write files of, for editors that check and complete as one types."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from backburner.kernel.files import write_whole


def schema_texts(types: Mapping[str, Any]) -> dict[str, str]:
    """File name to text of the schema of each of these types, which go by name."""
    return {f"{name}.schema.json": _text(msgspec.json.schema(type)) for name, type in types.items()}


def write_schemas(folder: Path, types: Mapping[str, Any]) -> None:
    """Write the schemas of these types into a folder."""
    for name, text in schema_texts(types).items():
        write_whole(folder / name, text.encode())


def _text(schema: dict[str, Any]) -> str:
    encoded = msgspec.json.encode(_described(schema), order="sorted")
    return msgspec.json.format(encoded, indent=1).decode() + "\n"


def _described(schema: Any) -> Any:
    """The schema with the docstrings that describe it as plain text."""
    if isinstance(schema, dict):
        return {
            key: cleandoc(value) if key == "description" and isinstance(value, str) else _described(value)
            for key, value in schema.items()
        }
    return [_described(one) for one in schema] if isinstance(schema, list) else schema
