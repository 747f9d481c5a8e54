"""The pages that are shipped are those that the sources make; told by digests, without Node."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

import backburner
from backburner.drawing import palette
from backburner.drawing.scene import map as maps
from backburner.drawing.scene import marks

ASSETS = Path(backburner.__file__).parent / "serve" / "assets"
WEB = Path(__file__).parents[2] / "web"
SOURCES = ("src", "build.mjs", "package.json", "tsconfig.json")
BUILT = json.loads((ASSETS / "built.json").read_text("utf-8"))


def files(name: str) -> Iterator[Path]:
    path = WEB / name
    yield from (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else (path,)


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def test_they_are_built_from_these_sources() -> None:
    found = {file.relative_to(WEB).as_posix(): file for name in SOURCES for file in files(name)}
    lines = [f"{digest(found[path].read_bytes())}  {path}\n" for path in sorted(found, key=str.encode)]
    assert digest("".join(lines).encode()) == BUILT["sources"], "web/ has changed: run `make web`"


def test_each_file_is_the_one_that_was_built() -> None:
    there = {file.name: digest(file.read_bytes()) for file in ASSETS.iterdir() if file.name != "built.json"}
    assert there == BUILT["files"]


@pytest.mark.parametrize("name", sorted(BUILT["files"]))
def test_nothing_is_loaded_from_elsewhere(name: str) -> None:
    text = (ASSETS / name).read_text("utf-8")
    outside = ('src="http', "src='http", 'href="http', "url(http", "url(//", 'src="//')
    loaded = (*outside, "@import", "sourceMappingURL")
    assert not [mark for mark in loaded if mark in text]


def test_no_page_makes_markup_of_text() -> None:
    """Names and words of players, records and models are text wherever they are shown."""
    ways = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
    ours = [file for file in files("src") if file.suffix in (".ts", ".tsx")]
    assert ours
    found = [f"{file.name}: {way}" for file in ours for way in ways if way in file.read_text("utf-8")]
    assert not found


def test_the_kitchens_materials_have_the_colours_of_all_drawings() -> None:
    style = (WEB / "src" / "style" / "base.css").read_text("utf-8")
    light = f"--counter: {palette.COUNTER}; --wood: {palette.WOOD}; --steel: {palette.STEEL};"
    floor = f"--floor: {palette.FLOOR[0]}; --floor-odd: {palette.FLOOR[1]};"
    assert light in style
    assert floor in style


def test_the_same_scenes_are_maps_as_on_replay_pages() -> None:
    """Sizes that say when a scene is a map, and how its ground is shaded, stand in both languages."""
    layout = (WEB / "src" / "scene" / "map_layout.ts").read_text("utf-8")
    for name in ("WIDE_CELLS", "SPARSE", "FAR"):
        assert f"const {name} = {getattr(maps, name)};" in layout
    ground = (WEB / "src" / "scene" / "terrain.tsx").read_text("utf-8")
    for name in ("STEPS", "DEEPEN"):
        assert f"const {name} = {getattr(marks, name)};" in ground
    assert f"const LENGTHS = {list(marks.LENGTHS)};" in ground
    assert f'export const LIT = "{marks.LIT}";' in ground
