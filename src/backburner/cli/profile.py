"""``profile``: how fast a model thinks, fitted to a few calls."""

from __future__ import annotations

import asyncio
import random
import re
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from backburner.agents.models.client import ModelClient
from backburner.agents.models.profiles import Measured, fitted, measure, profile_of, write_profile
from backburner.agents.spec import Endpoint
from backburner.cli.agents import NOTHING_SAID, Asked
from backburner.cli.console import out, print_json, remark
from backburner.cli.options import JsonOption
from backburner.evaluation.tables.terminal import table_of
from backburner.kernel.errors import Refused
from backburner.kernel.files import check_destination


def profile(
    model: Asked = NOTHING_SAID,
    out_file: Annotated[
        Path | None,
        typer.Option("--out", help="Where the profile is written; else NAME.json in the current folder."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure how fast a model reads and writes, for runs in which thinking takes time.

    Makes 12 calls, and writes a file for --clock profile:FILE.

    Exit codes: 0 measured, 2 a call failed, or longer answers took no longer.
    """
    if not model.model or model.seats:
        raise Refused("name one model: --model NAME, or NAME@base_url=URL on your own server")
    file = out_file or Path(re.sub(r"[^\w.-]+", "-", model.model) + ".json")
    check_destination(file)
    client = model.client(Endpoint(model.model, model.manner.base_url))
    measured = asyncio.run(_measured(client))
    fit = fitted(measured)
    found = profile_of(fit, client, measured, date.today())
    write_profile(file, found)
    if json:
        print_json({"profile": found, "calls": measured, "residuals": [fit.off(each) for each in measured]})
    else:
        rows = [
            (str(each.call.input), str(each.call.cached), str(each.call.output), f"{each.seconds:.3f}",
             f"{fit.seconds(each.call):.3f}", f"{fit.off(each):+.3f}")
            for each in measured
        ]  # fmt: skip
        out.print(table_of(("input", "cached", "output", "seconds", "fitted", "residual"), rows, out.width))
        speeds = f"decode {found.decode}/s, prefill {found.prefill or '∞'}/s, first {found.first} s"
        out.print(speeds, markup=False, highlight=False)
    remark(f"wrote {file}; play by it with --clock profile:{file}")


async def _measured(client: ModelClient) -> tuple[Measured, ...]:
    """The calls, with prompts that nobody has sent before."""
    try:
        return await measure(client, random.Random())
    finally:
        await client.aclose()
