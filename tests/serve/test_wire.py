"""The pages' sources have what goes over the wire as the server has it: they are written from its structs."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct
from msgspec.inspect import type_info

from support.programs import ROOT, program

PROGRAM = ROOT / "web" / "wire.py"


@pytest.fixture(scope="module")
def wire() -> ModuleType:
    """The program that writes the sources."""
    return program("web/wire.py")


def test_the_pages_have_what_would_be_written() -> None:
    done = subprocess.run([sys.executable, PROGRAM, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_struct_that_is_not_written_yet_is_found(
    wire: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["wire.py", "--check"])
    for path, text in wire.files().items():
        copy = tmp_path / path.name
        copy.write_text(text.replace("export interface", "export  interface", 1))
        monkeypatch.setattr(wire, "files", partial(dict, [(copy, text)]))
        with pytest.raises(SystemExit, match="run `make web`"):
            wire.main()


class Leaf(Struct, omit_defaults=True):
    name: str
    marks: tuple[str, ...] = ()


class Asked(Struct, tag_field="kind", tag="asked"):
    leaf: Leaf
    line: Annotated[str, Meta(max_length=3)] | None = None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (int | float | None, "number | null"),
        (tuple[Leaf, ...], "Leaf[]"),
        (tuple[str | int, ...], "(string | number)[]"),
        (tuple[int, str], "[number, string]"),
        (dict[str, tuple[bool, ...]], "Record<string, boolean[]>"),
        (Literal["b", "a"], '"a" | "b"'),
    ],
    ids=str,
)
def test_types(wire: ModuleType, kind: Any, text: str) -> None:
    assert wire.typescript(type_info(kind)) == text


def test_a_struct_is_an_interface_with_its_tag(wire: ModuleType) -> None:
    assert wire.interface(Leaf, True) == "export interface Leaf {\n  name: string;\n  marks?: string[];\n}\n"
    said = wire.interface(Asked, False)
    assert said == ('export interface Asked {\n  kind: "asked";\n  leaf: Leaf;\n  line: string | null;\n}\n')


def test_what_has_no_type_there_is_refused(wire: ModuleType) -> None:
    with pytest.raises(TypeError, match="knows no TypeScript"):
        wire.typescript(type_info(bytes))
