"""``build``: new scenarios, by the builders of the worlds that have one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from backburner.cli.console import advancing, out, print_json, progress_bar, remark
from backburner.cli.options import JsonOption, taking
from backburner.evaluation.submissions.hosting import host, options_of, secret_in, write_commitment
from backburner.evaluation.tables.terminal import plain_table
from backburner.kernel import packs
from backburner.kernel.building import Builder, Built
from backburner.kernel.errors import Refused, amount


class _Worlds(TyperGroup):
    """The worlds that scenarios are built for; another name is answered as everywhere."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            known = packs.pack(cmd_name).name
            *most, last = self.commands
            raise Refused(f"{known}: scenarios are built for {', '.join(most)} and {last} only")
        return super().get_command(ctx, cmd_name)


build = typer.Typer(
    cls=_Worlds,
    no_args_is_help=True,
    help="New scenarios, as files that every other command takes.",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _command(world: str, builder: Builder) -> Callable[..., None]:
    """A command out of a builder, with its options."""

    def build_scenarios(
        *,
        out_dir: Annotated[
            Path,
            typer.Option(
                "--out", help="Folder for the scenarios: new, empty, or of the same build, to go on."
            ),
        ],
        secret: Annotated[
            Path | None,
            typer.Option(
                "--secret-seed-file",
                help="Keep the seed to yourself: it comes from this secret, made if it is not there.",
            ),
        ] = None,
        public: Annotated[
            str, typer.Option("--public", help="With a secret seed: a text that is mixed into it.")
        ] = "",
        options: Mapping[str, Any],
        json: JsonOption = False,
    ) -> None:
        if secret is not None:
            _host(world, builder, out_dir, secret, public, options, json)
            return
        if public:
            raise Refused("--public is mixed into a secret seed: --secret-seed-file FILE")
        built = _built(builder, out_dir, options)
        if json:
            print_json(built.index)
        else:
            _tell(built)
        if built.missing:
            remark(built.missing)
            raise typer.Exit(1)

    build_scenarios.__doc__ = builder.help
    return taking(builder.arguments, build_scenarios)


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
    write_commitment(published, commitment)
    if json:
        print_json(commitment)
    else:
        out.print(f"{amount(commitment.scenarios, 'scenarios')}: {out_dir}", markup=False, soft_wrap=True)
        out.print(f"publish now: {published}", markup=False, highlight=False, soft_wrap=True)
    remark(f"keep to yourself until all have played: {out_dir}, {file}, {private}")
    if built.missing:
        remark(built.missing)
        raise typer.Exit(1)


def _built(builder: Builder, out_dir: Path, options: Mapping[str, Any]) -> Built:
    """Build under a bar; if it is stopped, there is a remark on what is there."""
    with progress_bar() as bar:
        try:
            return builder.build(out_dir, options, advancing(bar, builder.things))
        except KeyboardInterrupt:
            remark(f"stopped; what was found until then is in {out_dir}; the same command goes on from there")
            raise


def _tell(built: Built) -> None:
    if built.rows:
        out.print(plain_table(built.columns, built.rows, out.width))
    for line in built.remarks:
        remark(line)
    for line in built.lines:
        out.print(line, markup=False, highlight=False, soft_wrap=True)


def _refusing(error: Refused) -> Callable[[], None]:
    """The command of a world whose builder cannot be loaded."""

    def cannot_build() -> None:
        raise error

    cannot_build.__doc__ = f"Cannot be used: {error}"
    return cannot_build


for _pack in packs.installed().packs.values():
    if _pack.builder:
        try:
            _made = _command(_pack.name, packs.part(_pack.name, _pack.builder))
        except Refused as error:
            _made = _refusing(error)
        build.command(_pack.name)(_made)
