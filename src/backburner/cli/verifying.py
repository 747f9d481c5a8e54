"""What records prove, told, for ``verify`` and ``replay --check``; and the ``keys`` that sign them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from backburner.cli.common import complain, out, print_json, remark
from backburner.evaluation.running.jobs import records
from backburner.evaluation.submissions.signing import believed_key, make_keys
from backburner.evaluation.submissions.verification import Unusable, read_verified
from backburner.kernel.claims import Fact, Verdict
from backburner.kernel.errors import BadFile, Refused


def keys(
    file: Annotated[Path, typer.Argument(help="Where the private key is to be; the public one is FILE.pub.")],
) -> None:
    """A pair of keys: with one you sign records (--sign), with the other anybody checks them (--key)."""
    private, public = make_keys(file)
    out.print(f"{public}: give it to everybody", markup=False, highlight=False, soft_wrap=True)
    remark(f"{private}: your own, which nobody else may read; backburner run --sign {private}")


def check_one(file: Path, key: Path | None, json: bool) -> Verdict:
    """The verdict on a record, told unless it is for JSON; exits with 1 where the record is not true.

    Raises ``BadFile`` if there is no such file.
    """
    public = believed_key(key)
    if not file.exists():
        raise BadFile(file, "", "no such file")
    try:
        verdict = read_verified(file, public, players=True).verdict
    except Unusable as error:
        complain(str(error))
        if json:
            print_json({"file": file, "error": str(error)})
        raise typer.Exit(1) from error
    remark(f"{file}: {verdict.steps} steps replayed, all equal{'' if verdict.finished else '; not finished'}")
    if not json:
        tell("verified", (f"{fact.part}: {fact.why}" for fact in verdict.verified))
        tell("claimed", (f"{fact.part}: {fact.why}" for fact in verdict.claimed))
    return verdict


def check_folder(folder: Path, key: Path | None, json: bool) -> None:
    """What is verified and claimed in how many records, and a line for each that is not true; exits with 1
    where there is one."""
    public = believed_key(key)
    good: dict[Path, Verdict] = {}
    bad: dict[Path, str] = {}
    for file in records(folder):
        try:
            good[file] = read_verified(file, public, players=True).verdict
        except Unusable as error:
            bad[file] = str(error)
    if not good and not bad:
        raise Refused(f"{folder}: no episode record (*.jsonl) in this folder")
    for line in bad.values():
        complain(line)
    for file in (file for file, verdict in good.items() if not verdict.finished):
        remark(f"{file}: not finished")
    steps = sum(verdict.steps for verdict in good.values())
    remark(f"{folder}: {len(good)} of {len(good) + len(bad)} records replayed, {steps} steps, all equal")
    if json:
        errors = [{"file": file, "error": line} for file, line in bad.items()]
        print_json([*({"file": file, "check": verdict} for file, verdict in good.items()), *errors])
    else:
        tell("verified", _counted([verdict.verified for verdict in good.values()]))
        tell("claimed", _counted([verdict.claimed for verdict in good.values()]))
    if bad or not good:
        raise typer.Exit(1)


def _counted(of_records: Sequence[Sequence[Fact]]) -> Iterable[str]:
    """In how many records each part stands."""
    counted = Counter(part for facts in of_records for part in dict.fromkeys(fact.part for fact in facts))
    return (f"{part}: in {number}" for part, number in counted.items())


def tell(what: str, lines: Iterable[str]) -> None:
    """A line for each, behind what they are."""
    for line in lines:
        out.print(f"  {what:8}  {line}", markup=False, highlight=False, soft_wrap=True)
