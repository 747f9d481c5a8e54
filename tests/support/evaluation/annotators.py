"""Stand-in annotators of the ten recipes in ``examples/recipes``, whose slips are planted."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

from backburner.evaluation.labels.label_files import Key, LabelFile, Role, file_of, read_labels
from backburner.evaluation.labels.texts import Annotations, Source, lines_of, sources_in
from backburner.kernel.files import Place, read_json

RECIPES = Path(__file__).parents[3] / "examples" / "recipes"


def recipes_in(folder: Path) -> list[Source]:
    """The ten recipes, copied to a folder without anybody's labels."""
    shutil.copy(RECIPES / "ten.words.json", folder)
    return sources_in(folder)


def right(sources: Sequence[Source]) -> dict[Key, str]:
    """What our own annotation says of them."""
    told: Annotations = read_json(RECIPES / "annotation.json", Annotations)
    by_name = {source.words.name: source for source in sources}
    found: dict[Key, str] = {}
    for text in told.texts:
        found |= by_name[text.name].saying(text.actions, Place("annotation.json"))
    return found


def slips(said: dict[Key, str], set_name: str, one: str, other: str, count: int, turn: int) -> dict[Key, str]:
    """``count`` labels of each of these two kinds changed into the other one; other keys in each ``turn``.

    Which keys is drawn, the same for everybody: so the slips of two annotators never meet, and everybody has
    as many labels of each kind as before.
    """
    changed = {}
    for label, wrong in ((one, other), (other, one)):
        keys = sorted(key for key, value in said.items() if key.set == set_name and value == label)
        Random(f"{set_name} {label}").shuffle(keys)
        changed |= dict.fromkeys(keys[turn * count : (turn + 1) * count], wrong)
    return {**said, **changed}


def say(folder: Path, name: str, said: dict[Key, str], role: Role = "person") -> None:
    """Write what somebody says of all texts of a folder."""
    labels = read_labels(folder)
    with LabelFile(file_of(folder, name)) as file:
        for source in sources_in(folder):
            mine = {key: label for key, label in said.items() if key.record == source.record}
            file.add(lines_of(source, mine, name, role, labels))
