"""What the pages take for the protocol is what the server speaks: messages, tags, fields."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec

from backburner.kernel.values import Event
from backburner.serve import protocol
from support.mirrors import structs_in

SOURCE = (Path(__file__).parents[2] / "web" / "src" / "protocol.ts").read_text("utf-8")

Fields = dict[str, bool]
"""Name of a field to whether it may be left out."""


def mirrored() -> dict[str, tuple[str, Fields]]:
    """Interface to (tag, fields)."""
    found = {}
    for name, body in re.findall(r"export interface (\w+) \{\n(.*?)\n\}", SOURCE, re.DOTALL):
        fields = {field: bool(mark) for field, mark in re.findall(r"^  (\w+)(\??): ", body, re.MULTILINE)}
        tag = re.search(r'^  kind: "(\w+)";$', body, re.MULTILINE)
        fields = {field: may for field, may in fields.items() if not (tag and field == "kind")}
        found[name] = (tag.group(1) if tag else "", fields)
    return found


def structs() -> dict[str, Any]:
    kinds = (protocol.FromPage, protocol.FromServer, protocol.GamePlan, protocol.Opened, Event)
    return structs_in(*kinds)


def test_every_message_has_its_tag_and_its_fields() -> None:
    ours, theirs = structs(), mirrored()
    assert ours.keys() == theirs.keys()
    for name, kind in ours.items():
        tag, fields = theirs[name]
        config = kind.__struct_config__
        assert tag == (config.tag or ""), name
        assert fields.keys() == set(kind.__struct_fields__), name


def test_what_may_be_left_out_is_marked() -> None:
    """The server leaves out defaults of some; a page may leave out whatever has one."""
    for name, kind in structs().items():
        sent = name in {member.__name__ for member in get_args(protocol.FromServer)}
        optional = {field for field, may in mirrored()[name][1].items() if may}
        defaults = {field.name for field in msgspec.structs.fields(kind) if not field.required}
        if kind.__struct_config__.omit_defaults:
            assert optional == defaults, name
        else:
            assert optional <= (set() if sent else defaults), name


def test_both_kinds_of_messages_are_named() -> None:
    for union in ("FromPage", "FromServer"):
        named = re.search(rf"export type {union} =([^;]*);", SOURCE)
        assert named
        assert set(re.findall(r"\w+", named.group(1))) == {
            member.__name__ for member in get_args(getattr(protocol, union))
        }
