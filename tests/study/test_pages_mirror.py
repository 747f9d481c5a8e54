"""What participants' pages take for the protocol is what the server speaks: messages, tags, fields."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

from backburner.study import pages
from support.mirrors import structs_in

SOURCE = (Path(__file__).parents[2] / "web" / "src" / "study" / "protocol.ts").read_text("utf-8")


def structs() -> dict[str, Any]:
    return structs_in(pages.FromPage, pages.FromServer)


def test_every_message_has_its_tag_and_its_fields() -> None:
    theirs = dict(re.findall(r"export interface (\w+) \{\n(.*?)\n\}", SOURCE, re.DOTALL))
    assert theirs.keys() == structs().keys()
    for name, kind in structs().items():
        fields = re.findall(r"^  (\w+)\??: ", theirs[name], re.MULTILINE)
        tag = kind.__struct_config__.tag
        assert fields == [*(["kind"] if tag else []), *kind.__struct_fields__], name
        if tag:
            assert f'  kind: "{tag}";' in theirs[name]


def test_both_kinds_of_messages_are_named() -> None:
    for union in ("FromPage", "FromServer"):
        named = re.search(rf"export type {union} =([^;]*);", SOURCE)
        assert named
        members = {member.__name__ for member in get_args(getattr(pages, union))}
        assert set(re.findall(r"\w+", named.group(1))) == members


def test_every_word_that_pages_use_ships() -> None:
    from backburner.study.words import shipped

    folder = Path(__file__).parents[2] / "web" / "src" / "study"
    sources = "".join(file.read_text() for file in folder.glob("*.tsx"))
    used = set(re.findall(r"(?<!\.)\bwords\.(?:words\.)?(\w+)", sources))
    used -= {"words", "title", "languages", "language", "contact", "withdrawal"}
    assert used
    assert {f"ui.{word}" for word in used} <= shipped()["en"].keys()
