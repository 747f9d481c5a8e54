"""What tests of hosted suites share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def copy(hosted: Path, tmp_path: Path) -> Path:
    """The folder that the module hosts, to be changed."""
    return Path(shutil.copytree(hosted, tmp_path / "copy"))
