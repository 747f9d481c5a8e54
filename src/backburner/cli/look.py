"""``worlds`` and ``list``: what there is."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from backburner.cli.common import JsonOption, out, print_json
from backburner.kernel import registry
from backburner.kernel.errors import Refused


def worlds(json: JsonOption = False) -> None:
    """The worlds that are installed, and those that cannot be used."""
    there = registry.installed()
    if json:
        packs = [
            {"world": pack.name, "title": pack.title, "version": pack.version}
            for pack in there.packs.values()
        ]
        broken = [{"world": name, "broken": why} for name, why in there.broken.items()]
        print_json([*packs, *broken])
        return
    table = Table("world", "published as", "suites", "rules")
    for pack in there.packs.values():
        try:
            offered = registry.catalogue(pack.name)
        except Refused as error:
            table.add_row(pack.name, escape(f"cannot be used: {error}"))
            continue
        table.add_row(pack.name, pack.title, str(len(offered.suites())), ", ".join(offered.rules))
    for name, why in there.broken.items():
        table.add_row(name, escape(f"cannot be used: {why}"))
    out.print(table)


def list_(
    suite: Annotated[
        str | None, typer.Argument(help="A suite, such as timearena/pairs, or a folder of scenario files.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """The suites, or the scenarios of one suite."""
    if suite is not None and ("/" in suite or registry.is_folder(suite)):
        ids = registry.expand(suite)
        if json:
            print_json(ids)
        else:
            for id in ids:
                out.print(id, highlight=False, markup=False, soft_wrap=True)
        return
    chosen = [registry.pack(suite).name] if suite else registry.names()
    suites = {
        f"{name}/{path}": len(ids)
        for name in chosen
        for path, ids in registry.catalogue(name).suites().items()
    }
    if json:
        print_json(suites)
        return
    table = Table("suite", "scenarios")
    for path, count in suites.items():
        table.add_row(path, str(count))
    out.print(table)
