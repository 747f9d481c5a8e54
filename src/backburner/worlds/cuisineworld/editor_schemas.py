"""JSON Schemas of cookbook and level files, for editors that check and complete as one types.

``python -m backburner.worlds.cuisineworld.editor_schemas`` writes them anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from backburner.worlds.cuisineworld.cookbook import Cookbook
from backburner.worlds.cuisineworld.scenario_files import ScenarioFile

FOLDER = Path(__file__).parent / "data" / "schemas"


def editor_schemas() -> Mapping[str, str]:
    """File name to text of each schema."""
    types = {"cookbook": Cookbook, "scenario": ScenarioFile}
    return {f"{name}.schema.json": _text(msgspec.json.schema(type)) for name, type in types.items()}


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


def main() -> None:
    """Write the files that are shipped."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in editor_schemas().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
