"""Writes what goes over the wire in TypeScript, from the structs that the server speaks with.

    python web/wire.py           write the files
    python web/wire.py --check   exit code 1 if one of them is not what would be written

A struct is an interface. A field may be left out where the server leaves out its default, or where a page is
the one that sends it and the server has a default for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from msgspec import Struct, inspect, json
from msgspec.inspect import type_info
from msgspec.structs import fields as fields_of

from backburner.drawing.scene.pictures import PICTURES, Pictures
from backburner.kernel.values import Event
from backburner.kernel.view import Cell
from backburner.serve import after, catalogue, games, protocol
from backburner.study import pages, supervision
from backburner.study.entries import Answer

SOURCES = Path(__file__).resolve().parent / "src"


def files() -> dict[Path, str]:
    """Each file with what stands in it."""
    told = (protocol.Opened, Event, catalogue.OffersTold, catalogue.ScenarioTold, games.GameTold)
    told += (after.LessonTold, after.OpenedAgain, after.BoardTold, after.Ghost)
    sent = (protocol.GamePlan, after.Again)
    play = written(protocol, {"Cell": Cell}, sent, told) + known(protocol.FromServer)
    studies = written(pages, {"Answer": Answer})
    supervised = written(supervision, {}, of_play=(protocol.Frame, protocol.SeatTold, protocol.Closed))
    return {
        SOURCES / "protocol.ts": play,
        SOURCES / "study" / "protocol.ts": studies,
        SOURCES / "study" / "supervision.ts": supervised,
        SOURCES / "scene" / "pictures_data.ts": drawn(),
    }


def drawn() -> str:
    """The pictures of things."""
    source = "// The pictures of drawing/data/pictures.json: written by web/wire.py, in `make web`.\n"
    value = json.format(json.encode(PICTURES), indent=1).decode()
    return f"{source}\n{interface(Pictures, False)}\nexport const PICTURES: Pictures = {value};\n"


def written(
    module: ModuleType,
    named: Mapping[str, Any],
    sent: tuple[type, ...] = (),
    told: tuple[type, ...] = (),
    of_play: tuple[type[Struct], ...] = (),
) -> str:
    """The messages of a module, its ``FromPage`` and ``FromServer``.

    ``named``: types that pages know by a name, and that are no structs. ``sent``, ``told``: structs besides
    the messages that a page sends or is told. ``of_play``: what the messages of games have already.
    """
    said, heard = get_args(module.FromPage), get_args(module.FromServer)
    from_page, before = list(structs(*said, *sent)), list(structs(*of_play))
    from_server = [kind for kind in structs(*heard, *told) if kind not in (*from_page, *before)]
    brought = ", ".join(sorted(kind.__name__ for kind in of_play))
    imports = f'import type {{ {brought} }} from "../protocol";\n' if of_play else ""
    names = "".join(f"export type {name} = {typescript(type_info(kind))};\n" for name, kind in named.items())
    interfaces = [interface(kind, True) for kind in from_page]
    interfaces += [interface(kind, kind.__struct_config__.omit_defaults) for kind in from_server]
    messages = [
        f"export type {union} = {' | '.join(kind.__name__ for kind in kinds)};\n"
        for union, kinds in (("FromPage", said), ("FromServer", heard))
    ]
    source = (
        f"// What goes over the wire, as {module.__name__} has it: written by web/wire.py, in `make web`.\n"
    )
    return "\n".join((source + imports, names, *interfaces, "".join(messages)))


def known(messages: Any) -> str:
    """The kinds of messages that the pages of games know: they pass over those of a newer server."""
    tags = ", ".join(f'"{kind.__struct_config__.tag}"' for kind in get_args(messages))
    return f'\nexport const KINDS: readonly FromServer["kind"][] = [{tags}];\n'


def structs(*kinds: Any) -> Iterator[type[Struct]]:
    """The structs of these types and all that they hold, each after what it holds."""
    seen: set[type] = set()

    def inside(node: Any) -> Iterator[type[Struct]]:
        if isinstance(node, inspect.StructType):
            if node.cls in seen:
                return
            seen.add(node.cls)
            for field in node.fields:
                yield from inside(field.type)
            yield node.cls
        for several in ("types", "item_types"):
            for part in getattr(node, several, ()):
                yield from inside(part)
        for one in ("item_type", "key_type", "value_type"):
            if hasattr(node, one):
                yield from inside(getattr(node, one))

    for kind in kinds:
        yield from inside(type_info(kind))


def interface(kind: type[Struct], may_miss: bool) -> str:
    """A struct in TypeScript. ``may_miss``: whether a field that has a default may be left out."""
    tag = kind.__struct_config__.tag
    lines = [f'  kind: "{tag}";'] if tag else []
    for field in fields_of(kind):
        mark = "?" if may_miss and not field.required else ""
        lines.append(f"  {field.name}{mark}: {typescript(type_info(field.type))};")
    return "\n".join((f"export interface {kind.__name__} {{", *lines, "}\n"))


def typescript(node: inspect.Type) -> str:
    """A type in TypeScript."""
    match node:
        case inspect.StructType():
            return node.cls.__name__
        case inspect.LiteralType():
            return " | ".join(f'"{value}"' for value in node.values)
        case inspect.UnionType():
            parts = sorted(node.types, key=lambda part: isinstance(part, inspect.NoneType))
            return " | ".join(dict.fromkeys(map(typescript, parts)))
        case inspect.VarTupleType() | inspect.ListType():
            inner = typescript(node.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(map(typescript, node.item_types))}]"
        case inspect.DictType():
            return f"Record<{typescript(node.key_type)}, {typescript(node.value_type)}>"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
    raise TypeError(f"web/wire.py knows no TypeScript for {node}")


def main() -> None:
    """Write the files, or compare them."""
    check = sys.argv[1:] == ["--check"]
    for path, text in files().items():
        if not check:
            path.write_text(text, "utf-8")
        elif path.read_text("utf-8") != text:
            raise SystemExit(f"{path} is not what the server speaks: run `make web` and commit what it makes")


if __name__ == "__main__":
    main()
