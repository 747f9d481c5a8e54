"""``verify`` and ``keys``: what is true of records and submissions, and the keys that sign them."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any

import typer
from msgspec import Struct

from backburner.cli.console import advancing, complain, out, print_json, progress_bar, remark, say
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.cli.options import JsonOption, KeyOption
from backburner.cli.records import OverOption, check_folder, check_one, opened, tell_facts
from backburner.evaluation.comparing.headline import scale, scales
from backburner.evaluation.comparing.headline_tables import headline_section
from backburner.evaluation.records import believed_key, make_keys, records
from backburner.evaluation.submissions.checking import Verification, verify_submission
from backburner.evaluation.submissions.hosting import (
    check_reveal,
    checked_options,
    read_commitment,
    secret_in,
)
from backburner.evaluation.submissions.submission import MANIFEST
from backburner.evaluation.tables.terminal import section_table
from backburner.generation.builder import builder_of
from backburner.kernel.building import SEALED
from backburner.kernel.errors import BadFile, Refused, amount


class Revealed(Struct, frozen=True):
    """What the host of scenarios reveals; each field is a key behind what was published."""

    secret: Annotated[Path | None, Key("The file of the secret seed.")] = None
    suite: Annotated[Path | None, Key("The folder of the scenarios.")] = None
    edition: Annotated[Path | None, Key("The file that scores them as an edition of the headline.")] = None
    rebuild: Annotated[bool, Key("yes: build the scenarios again, too.")] = False


def verify(
    path: Annotated[
        Path, typer.Argument(help="A submission, an episode record, a folder of records, an Inspect log.")
    ],
    key: KeyOption = None,
    over: OverOption = None,
    commitment: Annotated[
        str,
        typer.Option(
            "--commitment",
            metavar="FILE@secret=FILE,suite=FOLDER",
            help=about(keys_of(Revealed), "Records of hosted scenarios: what the host published before."),
        ),
    ] = "",
    json: JsonOption = False,
) -> None:
    """Play every record again, compute every figure again, and tell what is merely claimed.

    Exit code 1: something is not what it is said to be.
    """
    if commitment:
        file, tail = named(commitment)
        revealed = read(Revealed, tail, "--commitment")
        _check_reveal(path, Path(file), revealed, key, json)
        return
    if (path / MANIFEST).exists() or (path / MANIFEST).is_symlink():
        _check_submission(path, key, tuple(over or ()), json)
        return
    path = opened(path)
    if path.is_dir():
        check_folder(path, key, json)
    elif (verdict := check_one(path, key, json)) and json:
        print_json({"file": path, "check": verdict})


def _check_submission(folder: Path, key: Path | None, over: Sequence[str], json: bool) -> None:
    public, measured = believed_key(key), scale(over)
    others = () if over else scales()
    with progress_bar() as bar:
        found = verify_submission(folder, measured, public, advancing(bar, "records"), others)
    if json:
        print_json({"folder": folder, "about": found.manifest.about, **_plain(found)})
    elif not found.problems:
        tell_facts(found.verified, found.claimed)
        if found.headline is not None:
            out.print(section_table(headline_section([found.headline]), out.width))
        for like in found.likenesses:
            remark(f"where there was a choice, {like.words}")
    _tell_problems(found.problems)
    records = len(found.manifest.records)
    state = amount(len(found.problems), "problems") if found.problems else f"{found.steps} steps, all equal"
    marks = f"; {', '.join(found.marks)}" if found.marks else ""
    remark(f"{folder}: {found.manifest.name}: {records} records, {state}{marks}")
    if found.problems:
        raise typer.Exit(1)


MOST_PROBLEMS = 20


def _tell_problems(problems: Sequence[str]) -> None:
    complain(*problems[:MOST_PROBLEMS])
    if more := len(problems[MOST_PROBLEMS:]):
        complain(f"and {more} more")


def _plain(found: Verification) -> dict[str, object]:
    names = ("problems", "verified", "claimed", "headline", "marks", "steps", "asking", "likenesses")
    return {name: getattr(found, name) for name in names}


def _check_reveal(path: Path, file: Path, revealed: Revealed, key: Path | None, json: bool) -> None:
    if revealed.secret is None or revealed.suite is None:
        raise Refused(f"--commitment {file}: needs what the host reveals: {file}@secret=FILE,suite=FOLDER")
    commitment = read_commitment(file)
    if not revealed.secret.is_file():
        raise BadFile(revealed.secret, "", "no such file")
    secret, _ = secret_in(revealed.secret)

    def again(options: Mapping[str, Any]) -> Path:
        builder = builder_of(commitment.world)
        made = mkdtemp(prefix="backburner-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        folder = Path(made, "suite")
        remark("the builder is at work again")
        asked = {**checked_options(builder, options), SEALED: True}
        builder.build(folder, asked, lambda total: None)
        return folder

    public = believed_key(key)
    played = list(records(opened(path)))
    if not played:
        raise Refused(f"{path}: no record")
    rebuild = again if revealed.rebuild else None
    found = check_reveal(commitment, secret, revealed.suite, played, rebuild, public, revealed.edition)
    if json:
        print_json(found)
    else:
        tell_facts(found.verified, found.claimed)
    _tell_problems(found.problems)
    if found.problems:
        raise typer.Exit(1)


# --- keys --------------------------------------------------------------------------------------------------


def keys(
    file: Annotated[Path, typer.Argument(help="Where the private key is to be; the public one is FILE.pub.")],
) -> None:
    """A pair of keys: with one you sign records (--sign), with the other anybody checks them (--key)."""
    private, public = make_keys(file)
    say(f"{public}: give it to everybody")
    remark(f"{private}: your own, which nobody else may read; backburner run --sign {private}")
