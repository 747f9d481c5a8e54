"""The JSON Schemas that editors check files of users with."""

from __future__ import annotations

import msgspec
import pytest

from backburner.kernel import packs, registry
from backburner.kernel.editor_schemas import folder_of, schema_texts

WITH_SCHEMAS = [name for name in packs.names() if registry.catalogue(name).file_types]


def test_three_worlds_have_schemas() -> None:
    assert {"collab_overcooked", "cuisineworld", "robotouille"} <= set(WITH_SCHEMAS)


@pytest.mark.parametrize("name", WITH_SCHEMAS)
def test_the_schemas_for_editors_are_current(name: str) -> None:
    """Renewed by ``python -m backburner.kernel.editor_schemas``."""
    catalogue = registry.catalogue(name)
    shipped = {file.name: file.read_text("utf-8") for file in folder_of(catalogue).iterdir()}
    assert shipped == schema_texts(catalogue.file_types)
    assert all(msgspec.json.decode(text)["$defs"] for text in shipped.values())
