"""JSON Schemas of domain, problem and scenario files, so that editors check and complete them.

``python -m backburner.worlds.robotouille.game.editor_schemas`` writes them anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from backburner.kernel.editor_schemas import schema_texts, write_schemas
from backburner.worlds.robotouille.game.scenario_files import ScenarioFile
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile

FOLDER = Path(__file__).parents[1] / "data" / "schemas"
TYPES = {"domain": DomainFile, "problem": ProblemFile, "scenario": ScenarioFile}


def editor_schemas() -> Mapping[str, str]:
    """File name to text of each schema."""
    return schema_texts(TYPES)


if __name__ == "__main__":
    write_schemas(FOLDER, TYPES)
