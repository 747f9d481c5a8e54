"""``build``: new scenarios, by the builders of the worlds that have one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct
from rich.markup import escape

from backburner.cli.agents import cluster_at
from backburner.cli.console import BuildProgress, out, print_json, remark, say
from backburner.cli.grammar import Key, about, as_options, keys_declared, keys_of, named, read, values
from backburner.cli.options import JsonOption
from backburner.evaluation.submissions.hosting import host, options_of, secret_in
from backburner.evaluation.tables.terminal import plain_table
from backburner.generation.builder import builder_of
from backburner.kernel import packs
from backburner.kernel.building import CLUSTER, SEALED, WORKERS, Builder, Built
from backburner.kernel.built import beside
from backburner.kernel.errors import Refused, amount
from backburner.kernel.files import write_whole
from backburner.kernel.values import indented_json


class Mixed(Struct, frozen=True):
    """What is said of a secret seed; the field is a key behind its file."""

    public: Annotated[str, Key("A text that is mixed into it.", free=True)] = ""


def _builders() -> Mapping[str, Builder | Refused]:
    """The builder of each world that has one, or why it cannot be used."""
    found: dict[str, Builder | Refused] = {}
    for pack in packs.installed().packs.values():
        if pack.builder or pack.generator:
            try:
                found[pack.name] = builder_of(pack.name)
            except Refused as error:
                found[pack.name] = error
    return found


BUILDERS = _builders()


def _help() -> str:
    """What each builder makes, and its keys."""
    parts = ["A world, and how it builds:"]
    for world, builder in BUILDERS.items():
        if isinstance(builder, Refused):
            parts.append(escape(f"{world}: cannot be used: {builder}"))
        else:
            parts.append(
                about(keys_declared(builder.arguments), f"\n\n[bold]{world}[/bold]: {escape(builder.help)}")
            )
    return "\n\n".join(parts)


def build(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(metavar="WORLD[@KEY=VALUE,...]", help=_help(), autocompletion=lambda: list(BUILDERS)),
    ],
    *,
    out_dir: Annotated[
        Path,
        typer.Option("--out", help="Folder for the scenarios: new, empty, or of the same build, to go on."),
    ],
    secret: Annotated[
        str,
        typer.Option(
            "--secret-seed-file",
            metavar="FILE[@KEY=VALUE]",
            help=about(
                keys_of(Mixed),
                "Keep the seed to yourself: it comes from this secret, made if it is not there.",
            ),
        ),
    ] = "",
    json: JsonOption = False,
) -> None:
    """New scenarios, as files that every other command takes.

    Each KEY of a world may be written as an option of its own: --width 2.5. With --json, stdout has the index
    in the end; on stderr stands a line of JSON for each scenario when it is kept, unless it is a terminal.
    """
    world, tail = named(what)
    if what.startswith("-"):
        raise Refused(f"name a world before {what}: backburner build WORLD {what} ...")
    builder = _builder(world)
    options = _options(builder, tail, context.args, world)
    if secret:
        file, mixed = named(secret)
        public = read(Mixed, mixed, "--secret-seed-file").public
        _host(world, builder, out_dir, Path(file), public, options, json)
        return
    built = _built(builder, out_dir, options, lines=json)
    if json:
        print_json(built.index)
    else:
        _tell(built)
    if built.missing:
        remark(built.missing)
        raise typer.Exit(1)


def _builder(world: str) -> Builder:
    """The builder of a world; raises ``UnknownName``, and ``Refused`` where it has none that can be used."""
    pack = packs.pack(world)
    if not (pack.generator or pack.builder):
        *most, last = BUILDERS
        raise Refused(f"{pack.name}: scenarios are built for {', '.join(most)} and {last} only")
    return builder_of(pack.name)


def _options(builder: Builder, written: str, extra: Sequence[str], world: str) -> dict[str, Any]:
    """What a builder is asked for: all that is said or has a default. A cluster stands there with how many
    workers it is to have, if that is said."""
    keys = keys_declared(builder.arguments)
    said = {**values(keys, written, world), **as_options(keys, extra, world)}
    for argument in builder.arguments:
        if argument.required and argument.name not in said:
            raise Refused(f"{world}: say {argument.name}=VALUE. {argument.help}")
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    at = {CLUSTER: (said[CLUSTER], said.get(WORKERS))} if said.get(CLUSTER) else {}
    return {**usual, **said, **at}


PRIVATE = ".build"
"""Behind the name of a secret: the folder with what its builder wrote, seeds and all."""

COMMITMENT = ".commitment.json"
"""Behind the name of a suite: what is published of it."""


def _host(
    world: str,
    builder: Builder,
    out_dir: Path,
    file: Path,
    public: str,
    options: Mapping[str, Any],
    json: bool,
) -> None:
    """Scenarios from a secret seed, and what is to be published beforehand."""
    options_of(builder, world, options)
    secret, new = secret_in(file)
    if new:
        remark(f"{file}: a new secret; who has it knows the scenarios")
    private = file.with_name(file.name + PRIVATE)
    commitment, built = host(
        world,
        builder,
        options,
        secret,
        private,
        out_dir,
        public=public,
        build=lambda folder, chosen: _built(builder, folder, chosen),
    )
    published = out_dir.with_name(out_dir.name + COMMITMENT)
    write_whole(published, indented_json(commitment), lasting=True)
    if json:
        print_json(commitment)
    else:
        out.print(f"{amount(commitment.scenarios, 'scenarios')}: {out_dir}", markup=False, soft_wrap=True)
        say(f"publish now: {published}")
    remark(f"keep to yourself until all have played: {out_dir}, {file}, {private}")
    if commitment.edition:
        remark(f"to score records as an edition of the headline, also to keep: {beside(private, SEALED)}")
    if built.missing:
        remark(built.missing)
        raise typer.Exit(1)


def _built(builder: Builder, out_dir: Path, options: Mapping[str, Any], *, lines: bool = False) -> Built:
    """Build under a bar, or with ``lines`` of JSON; if it is stopped, there is a remark on what is there."""
    address, workers = options.get(CLUSTER) or ("", None)
    with (
        cluster_at(address, workers, remark) as cluster,
        BuildProgress(builder.things, lines=lines) as progress,
    ):
        try:
            at = {} if cluster is None else {CLUSTER: cluster.running}
            return builder.build(out_dir, {**options, **at}, progress.heard)
        except KeyboardInterrupt:
            remark(f"stopped; what was found until then is in {out_dir}; the same command goes on from there")
            raise


def _tell(built: Built) -> None:
    if built.rows:
        out.print(plain_table(built.columns, built.rows, out.width))
    remark(*built.remarks)
    say(*built.lines)
