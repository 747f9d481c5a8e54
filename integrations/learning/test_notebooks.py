"""The notebooks of ``examples/notebooks`` run from top to bottom in a kernel, and show what they promise."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jupytext
import pytest
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[2] / "examples" / "notebooks"

SHOWN = {
    "first_result": (4, ["<svg", "none can be better than 37", "22 steps played again, all as recorded"]),
    "evaluate_and_compare": (2, ["240 episodes of 30 scenarios", "<td>rounds</td>", "rounds against serial"]),
    "train_a_policy": (3, ["17 decisions, 46 numbers seen", "proven optimum", "learnt"]),
    "write_a_world": (3, ["checks hold in", "optimal", "none can be better than 10", "boil water"]),
}
"""Of each notebook how many pictures it has at least, and what it says or shows."""


def outputs_of(file: Path, folder: Path) -> list[dict[str, Any]]:
    """What the cells of a notebook give, by kind; raises where one fails."""
    notebook = jupytext.read(file)
    with TemporaryDirectory() as sockets:  # a short path; TCP would be warned of
        kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{sockets}/kernel")
        resources = {"metadata": {"path": str(folder)}}
        NotebookClient(notebook, timeout=120, km=kernel, resources=resources).execute()
    given = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output.get("data") or {"text/plain": output["text"], "to": output["name"]} for output in given]


def test_there_is_a_test_of_each() -> None:
    assert {file.stem for file in NOTEBOOKS.glob("*.py")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_it_runs_and_shows_pictures(name: str, tmp_path: Path) -> None:
    least, words = SHOWN[name]
    outputs = outputs_of(NOTEBOOKS / f"{name}.py", tmp_path)
    assert [output["text/plain"] for output in outputs if output.get("to") == "stderr"] == []
    shown = [
        output.get("text/html") or output.get("image/svg+xml") or output["text/plain"] for output in outputs
    ]
    assert sum("<svg" in each for each in shown) >= least
    everything = "\n".join(shown)
    assert [word for word in words if word not in everything] == [] and "<script" not in everything
