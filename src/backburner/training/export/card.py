"""The data card: what is in the folder, how it was made, and where ``datasets`` finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.evaluation.tables.schema import Table, item_of
from backburner.training.export.demonstrations import PROMPTED_BY, LeftOut, Settings
from backburner.training.export.splits import SPLITS, Split
from backburner.training.export.tables import TABLES

MOST_NAMED = 20
"""Things that were left out that are named one by one."""


class DataFile(Struct, frozen=True):
    """A file of the data set: its path in the folder, its rows, and the SHA-256 of its bytes."""

    table: str
    split: Split
    path: str
    rows: int
    sha256: str


class Made(Struct, frozen=True):
    """Everything that the card tells.

    ``split``: that of each scenario; ``parts``: of each; ``mixed``: left out, as they have parts of two
    splits. ``versions``: of the package, its worlds and the libraries that decide what is written.
    """

    settings: Settings
    files: tuple[DataFile, ...]
    split: Mapping[str, Split]
    parts: Mapping[str, Sequence[str]]
    mixed: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    versions: Mapping[str, str]


def command_of(settings: Settings) -> str:
    """The command that writes this data set again."""
    usual = Settings(settings.format, settings.suites)
    said = [f"backburner export {' '.join(settings.suites)} --format {settings.format}"]
    said.append(f"--agents {','.join(settings.agents)}")
    if settings.format == "messages":
        said.append(f"--method {','.join(settings.methods)}")
    said += ["--no-thoughts"] * (not settings.thoughts) + ["--unproven"] * settings.unproven
    for option in ("seeds", "rules", "limits", "plan_seconds", "effort", "validation", "test"):
        if getattr(settings, option) != getattr(usual, option):
            said.append(f"--{option.replace('_', '-')} {getattr(settings, option)}")
    if settings.hold_out:
        said.append(f"--hold-out '{','.join(settings.hold_out)}'")
    return " ".join(said)


def card(made: Made) -> str:
    """The text of ``README.md``; the same data gives the same text."""
    return "\n".join([*_front_matter(made), *_body(made)]) + "\n"


def _front_matter(made: Made) -> Iterator[str]:
    first = TABLES[made.settings.format][0].name
    yield from ("---", "license: mit", "language:", "- en", "pretty_name: Backburner demonstrations")
    yield from ("tags:", "- backburner", "- planning", "- scheduling", "- language-agents", "configs:")
    for table in TABLES[made.settings.format]:
        files = [file for file in made.files if file.table == table.name]
        if not files:
            continue
        yield f"- config_name: {table.name}"
        yield from ["  default: true"] * (table.name == first)
        yield "  data_files:"
        for file in files:
            yield from (f"  - split: {file.split}", f"    path: {file.path}")
    yield "---"


def _body(made: Made) -> Iterator[str]:
    settings = made.settings
    yield from ("", f"# Backburner: {settings.format} of {', '.join(settings.suites)}", "")
    yield from _how(settings)
    yield from ("", "## Counts", "", "| table | split | scenarios | rows | file |", "|---|---|---|---|---|")
    for file in made.files:
        scenarios = sum(split == file.split for split in made.split.values())
        yield f"| {file.table} | {file.split} | {scenarios} | {file.rows} | `{file.path}` |"
    yield from _splits(made)
    for table in TABLES[settings.format]:
        yield from _table(table)
    yield from _left_out(made)
    yield from ("", "## Made with", "", "```sh", command_of(settings), "```", "")
    yield "The same command with these versions gives the same bytes:"
    yield ""
    yield from (f"- {name} {version}" for name, version in made.versions.items())
    yield from ("", "SHA-256 of the files:", "")
    yield from (f"- `{file.path}` {file.sha256}" for file in made.files)
    yield from ("", "## Licence", "")
    yield (
        "MIT, as Backburner. Words and data are its own; facts about the published benchmarks (names,"
        " numbers, which step needs which) come from their articles, which the world's page names."
    )


def _how(settings: Settings) -> Iterator[str]:
    agents = ", ".join(settings.agents)
    proof = "best that was found in the time" if settings.unproven else "proven best: no plan is better"
    yield (
        f"Episodes of [Backburner](https://pypi.org/project/backburner/), played by {agents} under"
        f" {settings.rules} rules. Every decision was read and judged by the world's own rules. Plans of"
        f" `oracle` are {proof}."
    )
    yield ""
    if settings.format == "messages":
        yield (
            f"Each row is a conversation of a prompting method ({', '.join(settings.methods)}): byte for byte"
            " what `backburner run` sends to a model, answered from the demonstration. The answers to learn"
            " from stand at the places in `own`."
        )
        yield ""
        yield (
            "Thoughts are made of facts of the episode: what runs meanwhile and until when, what a decision"
            " comes before, what is on the critical path. They know how play goes on, as a plan does."
            if settings.thoughts
            else "Answers have no thoughts."
        )
    else:
        yield (
            "`states` has every decision point with what could be decided there and what it is worth: the"
            " time that is lost by it, from the oracle's proven finish before and after. `preferences` has"
            " pairs of a decision that loses nothing and a plausible slip, behind the prompts of"
            f" `{PROMPTED_BY}`. Where the oracle proves nothing, worth is null, and `scenarios` says why."
            " With several seats, worth is given what the others do in the demonstration."
        )


def _splits(made: Made) -> Iterator[str]:
    yield from ("", "## Splits", "")
    yield (
        "A scenario is built of parts (tasks, recipes, dishes). No part is in two splits: scenarios that"
        " share one, directly or by others between them, stay together."
    )
    if made.settings.hold_out:
        yield f"Held out for the test: {', '.join(made.settings.hold_out)}."
    if made.mixed:
        yield f"{len(made.mixed)} scenarios have parts of the test and of training, and are left out."
    wanted = {"validation": made.settings.validation, "test": made.settings.test}
    for split, share in wanted.items():
        if share and split not in made.split.values():
            yield f"There is no {split} split: what would be in it shares parts with what is in the others."
    yield ""
    for split in SPLITS:
        ids = [id for id, of in made.split.items() if of == split]
        parts = sorted({part for id in ids for part in made.parts[id]})
        if ids:
            yield f"- {split}: {len(ids)} scenarios of {', '.join(parts)}"


SHAPES: Mapping[Any, str] = {str: "string", int: "int64", float: "float64", bool: "bool"}


def _shape(kind: Any) -> str:
    item = item_of(kind)
    if item is None:
        return SHAPES[kind]
    if issubclass(item, Struct):
        return f"list of {{{', '.join(item.__struct_fields__)}}}"
    return "list of strings" if item is str else f"list of {SHAPES[item]}"


def _table(table: Table) -> Iterator[str]:
    yield from ("", f"## {table.name}: one {table.row}", "", "| column | type | meaning |", "|---|---|---|")
    for column in table.columns:
        yield f"| {column.name} | {_shape(column.kind)} | {column.meaning} |"


def _left_out(made: Made) -> Iterator[str]:
    if not made.left_out:
        return
    yield from ("", "## Left out", "")
    yield from (f"- {one.what}: {one.why}" for one in made.left_out[:MOST_NAMED])
    if len(made.left_out) > MOST_NAMED:
        yield f"- and {len(made.left_out) - MOST_NAMED} more, which `export.json` names"
