"""What records and submissions prove, told: ``verify`` and ``replay --check``; and ``keys`` that sign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from backburner.cli.common import (
    JsonOption,
    KeyOption,
    complain,
    out,
    print_json,
    progress_bar,
    remark,
)
from backburner.evaluation.headline import Scale, scale
from backburner.evaluation.headline_tables import headline_section
from backburner.evaluation.jobs import records
from backburner.evaluation.signing import make_keys, read_public
from backburner.evaluation.submission import MANIFEST
from backburner.evaluation.submission_checks import Verification, verify_submission
from backburner.evaluation.tables import section_table
from backburner.evaluation.verification import Unusable, read_verified
from backburner.kernel.claims import Fact, Verdict
from backburner.kernel.errors import BadFile, amount


def keys(
    file: Annotated[Path, typer.Argument(help="Where the private key is to be; the public one is FILE.pub.")],
) -> None:
    """A pair of keys: with one you sign records (--sign), with the other anybody checks them (--key)."""
    private, public = make_keys(file)
    out.print(f"{public}: give it to everybody", markup=False, highlight=False, soft_wrap=True)
    remark(f"{private}: your own, which nobody else may read; backburner run --sign {private}")


def verify(
    path: Annotated[
        Path, typer.Argument(help="A submission, an episode record, a folder of records, an Inspect log.")
    ],
    key: KeyOption = None,
    over: Annotated[
        list[str] | None,
        typer.Option("--over", metavar="WORLD", help="A submission over these worlds alone; repeatable."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play every record again, compute every figure again, and tell what is merely claimed.

    Exit code 1: something is not what it is said to be.
    """
    from backburner.cli.records import opened  # which takes the checks of records from here

    if (path / MANIFEST).exists() or (path / MANIFEST).is_symlink():
        _check_submission(path, key, scale(tuple(over or ())), json)
        return
    path = opened(path)
    if path.is_dir():
        check_folder(path, key, json)
    elif (verdict := check_one(path, key, json)) and json:
        print_json({"file": path, "check": verdict})


def _check_submission(folder: Path, key: Path | None, over: Scale, json: bool) -> None:
    public = "" if key is None else read_public(key)
    with progress_bar() as bar:
        task = bar.add_task("records", total=None)
        found = verify_submission(
            folder, over, public, lambda total: bar.update(task, total=total, advance=1)
        )
    if json:
        print_json({"folder": folder, "about": found.manifest.about, **_plain(found)})
    elif not found.problems:
        _tell("verified", (f"{fact.part}: {fact.why}" for fact in found.verified))
        _tell("claimed", (f"{fact.part}: {fact.why}" for fact in found.claimed))
        if found.headline is not None:
            out.print(section_table(headline_section([found.headline]), out.width))
    for line in found.problems[:MOST_PROBLEMS]:
        complain(line)
    if more := len(found.problems[MOST_PROBLEMS:]):
        complain(f"and {more} more")
    records = len(found.manifest.records)
    state = amount(len(found.problems), "problems") if found.problems else f"{found.steps} steps, all equal"
    marks = f"; {', '.join(found.marks)}" if found.marks else ""
    remark(f"{folder}: {found.manifest.name}: {records} records, {state}{marks}")
    if found.problems:
        raise typer.Exit(1)


MOST_PROBLEMS = 20


def _plain(found: Verification) -> dict[str, object]:
    names = ("problems", "verified", "claimed", "headline", "marks", "steps")
    return {name: getattr(found, name) for name in names}


def check_one(file: Path, key: Path | None, json: bool) -> Verdict:
    """The verdict on a record, told unless it is for JSON; exits with 1 where the record is not true.

    Raises ``BadFile`` if there is no such file.
    """
    public = "" if key is None else read_public(key)
    if not file.exists():
        raise BadFile(file, "", "no such file")
    try:
        verdict = read_verified(file, public).verdict
    except Unusable as error:
        complain(str(error))
        if json:
            print_json({"file": file, "error": str(error)})
        raise typer.Exit(1) from error
    remark(f"{file}: {verdict.steps} steps replayed, all equal{'' if verdict.finished else '; not finished'}")
    if not json:
        _tell("verified", (f"{fact.part}: {fact.why}" for fact in verdict.verified))
        _tell("claimed", (f"{fact.part}: {fact.why}" for fact in verdict.claimed))
    return verdict


def check_folder(folder: Path, key: Path | None, json: bool) -> None:
    """What is verified and claimed in how many records, and a line for each that is not true; exits with 1
    where there is one."""
    public = "" if key is None else read_public(key)
    good: dict[Path, Verdict] = {}
    bad: dict[Path, str] = {}
    for file in records(folder):
        try:
            good[file] = read_verified(file, public).verdict
        except Unusable as error:
            bad[file] = str(error)
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
        _tell("verified", _counted([verdict.verified for verdict in good.values()]))
        _tell("claimed", _counted([verdict.claimed for verdict in good.values()]))
    if bad or not good:
        raise typer.Exit(1)


def _counted(of_records: Sequence[Sequence[Fact]]) -> Iterable[str]:
    """In how many records each part stands."""
    counted = Counter(part for facts in of_records for part in dict.fromkeys(fact.part for fact in facts))
    return (f"{part}: in {number}" for part, number in counted.items())


def _tell(what: str, lines: Iterable[str]) -> None:
    for line in lines:
        out.print(f"  {what:8}  {line}", markup=False, highlight=False, soft_wrap=True)
