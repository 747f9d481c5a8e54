"""``annotate`` over texts in plain words, from the first key to a scenario that can be solved."""

from __future__ import annotations

import json
import re
from pathlib import Path

from msgspec import to_builtins
from typer.testing import CliRunner

from backburner.cli import app
from backburner.evaluation.labels.label_files import read_labels
from backburner.kernel import registry

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```json\n(.*?)^```", (ROOT / "docs" / "from-words.md").read_text(), re.M | re.S)


def ran(*words: object, keys: str = "", code: int = 0) -> str:
    run = CliRunner().invoke(app, [*map(str, words)], input=keys, env={"COLUMNS": "160", "LINES": "40"})
    assert run.exit_code == code, run.output
    return f"{run.output}{run.exception or ''}"


def test_somebody_at_the_terminal_makes_a_scenario(tmp_path: Path) -> None:
    """Boiling: autonomous, in one go, on the stove, 5 min (the ninth of the scale). Pouring: continuous, in
    one go, no device, 1 min; after boiling, at most 1 min."""
    text = {"name": "Tea", "text": "Boil the water, then pour it."}
    (tmp_path / "tea.words.json").write_text(json.dumps({"world": "recipe2plan", "texts": [text]}))
    shown = ran("annotate", tmp_path, "--annotator", "ann", keys="1215911151q")
    assert "While this goes on, may the cook do something else?" in shown
    assert "What must be stirred, turned or watched" in shown
    assert "1 label missing, first limit: later: then pour it." in ran(
        "annotate", tmp_path, "--export", tmp_path / "made", code=1
    )
    ran("annotate", tmp_path, "--annotator", "ann", keys="2")
    ran("annotate", tmp_path, "--export", tmp_path / "made")
    (found,) = json.loads(ran("solve", tmp_path / "made" / "Tea.json", "--json"))
    assert (found["status"], found["objective"]) == ("optimal", 360)


def test_the_files_of_the_page_are_read_and_an_adjudicator_settles_what_is_divided(tmp_path: Path) -> None:
    words, annotation = BLOCKS
    example = registry.from_words("recipe2plan").example
    assert list(to_builtins(example, str_keys=True)) == json.loads(annotation)["texts"][0]["actions"]
    (tmp_path / "coffee.words.json").write_text(words)
    (tmp_path / "ann.json").write_text(annotation)
    (tmp_path / "bob.json").write_text(annotation.replace('"ann"', '"bob"').replace('"stove"', '"microwave"'))
    for name in ("ann", "bob"):
        assert f"{name}: 28 labels" in ran("annotate", tmp_path, "--labels", tmp_path / f"{name}.json")
    told = json.loads(ran("annotate", tmp_path, "--agreement", "--json"))
    (device,) = (row for row in told["scores"] if row["set"] == "Resource limitations")
    # of four labels three agree; by chance 9/16; both have no device three times: (3/4 - 9/16) / (7/16) = 3/7
    assert (device["agree (%)"], device["kappa"], device["printed"]) == (75.0, 0.43, 0.86)
    assert "rows" in ran("annotate", tmp_path, "--agreement", "--set", "device")
    shown = ran("annotate", tmp_path, "--annotator", "eve", "--adjudicate", keys="5")
    assert "ann: stove" in shown
    ran("annotate", tmp_path, "--export", tmp_path / "made")
    (recipe,) = json.loads((tmp_path / "made" / "Coffee.json").read_text())["recipes"]
    assert recipe["steps"][0]["appliance"] == "stove"
    assert {said.annotator for said in read_labels(tmp_path).said if said.role == "adjudicator"} == {"eve"}


def test_a_stand_in_rehearses_a_model_and_a_wrong_set_is_named(tmp_path: Path) -> None:
    (tmp_path / "coffee.words.json").write_text(BLOCKS[0])
    shown = ran("annotate", tmp_path, "--judge", "stand-in:skill=0.9")
    assert "1 case labelled" in shown
    assert "unknown label set 'devise'" in ran("annotate", tmp_path, "--set", "devise", code=1)


def test_no_labels_are_written_over_texts(tmp_path: Path) -> None:
    words, file = BLOCKS[0], tmp_path / "coffee.words.json"
    file.write_text(words)
    assert "texts in plain words" in ran("annotate", tmp_path, "--export", file, code=1)
    assert file.read_text() == words
    refused = ran("annotate", tmp_path, "--adjudicate", "--agreement", code=1)
    assert "--adjudicate and --agreement: one at a time" in refused
