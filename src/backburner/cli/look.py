"""``worlds`` and ``list``: what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from backburner.cli.common import JsonOption, out, print_json, remark
from backburner.kernel import registry
from backburner.kernel.errors import BackburnerError, Refused


def worlds(json: JsonOption = False) -> None:
    """The worlds that are installed, and those that cannot be used."""
    there = registry.installed()
    if json:
        packs = [
            {"world": pack.name, "title": pack.title, "version": pack.version, "agents": pack.about_agents}
            for pack in there.packs.values()
        ]
        broken = [{"world": name, "broken": why} for name, why in there.broken.items()]
        print_json([*packs, *broken])
        return
    table = Table("world", "published as", "suites", "rules", "agents")
    for pack in there.packs.values():
        try:
            suites = _suites(pack.name)
        except Refused as error:
            table.add_row(pack.name, escape(f"cannot be used: {error}"))
            continue
        rules = registry.catalogue(pack.name).rules
        own = ", ".join(pack.about_agents)
        table.add_row(pack.name, pack.title, str(len(suites)), ", ".join(rules), own)
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
    suites: dict[str, int] = {}
    for name in [registry.pack(suite).name] if suite else registry.names():
        try:
            suites |= {f"{name}/{path}": len(ids) for path, ids in _suites(name).items()}
        except Refused as error:
            if suite:
                raise
            remark(f"warning: {error}")
    if json:
        print_json(suites)
        return
    table = Table("suite", "scenarios")
    for path, count in suites.items():
        table.add_row(path, str(count))
    out.print(table)


def _suites(name: str) -> Mapping[str, Sequence[str]]:
    """The suites of a world; whatever another package does wrong with them is ``Refused``, in a line."""
    try:
        return registry.catalogue(name).suites()
    except BackburnerError:
        raise
    except Exception as error:
        raise Refused(f"world {name!r}: listing its suites raises {type(error).__name__}: {error}") from error
