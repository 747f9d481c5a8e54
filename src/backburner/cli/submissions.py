"""``submit`` and ``verify``: a folder with an agent's records and what they show, made and checked."""

from __future__ import annotations

import atexit
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any

import msgspec
import typer

from backburner.cli.common import (
    JsonOption,
    KeyOption,
    SignOption,
    complain,
    out,
    print_json,
    remark,
)
from backburner.cli.progress import progress_bar
from backburner.cli.records import opened
from backburner.cli.verifying import check_folder, check_one, tell
from backburner.evaluation.comparing.headline import Scale, scale
from backburner.evaluation.comparing.headline_tables import headline_section, name_of
from backburner.evaluation.running.jobs import records
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import read_prices
from backburner.evaluation.submissions.checking import Verification, verify_submission
from backburner.evaluation.submissions.hosting import (
    builder_of,
    check_reveal,
    checked_options,
    read_commitment,
    secret_in,
)
from backburner.evaluation.submissions.signing import believed_key, read_signer
from backburner.evaluation.submissions.submission import ALLOWED, LINK, MANIFEST, About
from backburner.evaluation.submissions.submitting import collect
from backburner.evaluation.submissions.submitting import submit as make
from backburner.evaluation.tables.sections import interval_text, section_table
from backburner.kernel.errors import BadFile, Refused, UnknownName, amount, shorten
from backburner.kernel.files import Place, converted, fields_of, read_json

OverOption = Annotated[
    list[str] | None,
    typer.Option("--over", metavar="WORLD", help="Over these worlds alone; repeatable."),
]


def submit(
    path: Annotated[Path, typer.Argument(help="A folder of records, or an Inspect log.")],
    out_dir: Annotated[Path, typer.Option("--out", help="The submission: a folder that is new or empty.")],
    agent: Annotated[str, typer.Option("--agent", help="Whose records, where several have played.")] = "",
    seeds: Annotated[
        int, typer.Option("--seeds", min=0, help="Take seeds 0 to N-1; by default as many as all have.")
    ] = 0,
    about: Annotated[
        Path | None,
        typer.Option("--about", help="A JSON file: agent, organisation, models, links, note."),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What the agent is to be called.")] = "",
    organisation: Annotated[str, typer.Option("--organisation", help="Who submits it.")] = "",
    models: Annotated[
        list[str] | None, typer.Option("--model", help="A model that it asks; repeatable.")
    ] = None,
    links: Annotated[
        list[str] | None, typer.Option("--link", help="Where more about it stands; repeatable.")
    ] = None,
    note: Annotated[str, typer.Option("--note", help="What else should be known.")] = "",
    prices: Annotated[
        Path | None, typer.Option("--prices", help="A JSON file of prices: what the models cost.")
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", help=f"Submit all the same, and say so: {', '.join(ALLOWED)}; repeatable."),
    ] = None,
    over: OverOption = None,
    sign: SignOption = None,
    json: JsonOption = False,
) -> None:
    """A folder with an agent's records, settings, costs and figures, for `verify` and `leaderboard`."""
    allowed = tuple(allow or ())
    for word in allowed:
        if word not in ALLOWED:
            raise UnknownName("exception", word, ALLOWED)
    told = _about(about)
    words = {"agent": name, "organisation": organisation, "note": note}
    lists = {"models": tuple(models or ()), "links": tuple(links or ())}
    given = {key: value for key, value in {**words, **lists}.items() if value}
    told = _checked({**msgspec.structs.asdict(told), **given}, "options")
    paid, signer = (
        None if prices is None else read_prices(prices),
        None if sign is None else read_signer(sign),
    )
    measured = scale(tuple(over or ()))
    collected = collect(scores.load(opened(path)), measured, agent, seeds, allowed)
    manifest, shown = make(collected, measured, out_dir, told, prices=paid, sign=signer)
    for line in collected.left_out:
        remark(line)
    if json:
        print_json(manifest)
        return
    if shown.headline.score.value is None:
        out.print(section_table(headline_section([shown.headline]), out.width))
    for line in shown.headline.missing:
        remark(f"missing: {line}")
    score = interval_text(shown.headline.score)
    number = f"{len(manifest.records)} records, {manifest.seeds} seeds"
    line = f"{out_dir}: {name_of(shown.headline)}, headline {score}, {number}"
    out.print(line, markup=False, highlight=False, soft_wrap=True)
    remark(f"backburner verify {out_dir} checks it as others will")


def _about(file: Path | None) -> About:
    return About() if file is None else _checked(read_json(file), str(file))


def _checked(raw: object, source: str) -> About:
    links = raw.get("links") if isinstance(raw, dict) else None
    for index, link in enumerate(links if isinstance(links, list | tuple) else ()):
        if isinstance(link, str) and not re.match(LINK, link):
            why = f"{shorten(link)!r}: write an address that begins with https:// or http://, without blanks"
            raise Place(source).entry("links", index).wrong(why)
    about = converted(raw, About, Place(source), fields_of(About), ())
    for name in about.__struct_fields__:
        value = getattr(about, name)
        for text in [value] if isinstance(value, str) else value:
            if not text.isprintable():
                raise Refused(f"{source}: {name}: has a line break or another character that is no text")
    return about


def verify(
    path: Annotated[
        Path, typer.Argument(help="A submission, an episode record, a folder of records, an Inspect log.")
    ],
    key: KeyOption = None,
    over: OverOption = None,
    commitment: Annotated[
        Path | None,
        typer.Option("--commitment", help="Records of hosted scenarios: what the host published before."),
    ] = None,
    secret: Annotated[
        Path | None, typer.Option("--secret-seed-file", help="With --commitment: the secret, revealed.")
    ] = None,
    suite: Annotated[
        Path | None, typer.Option("--suite", help="With --commitment: the scenarios, revealed.")
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="With --commitment: build the scenarios again, too.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Play every record again, compute every figure again, and tell what is merely claimed.

    Exit code 1: something is not what it is said to be.
    """
    if commitment is not None:
        if secret is None or suite is None:
            raise Refused("--commitment needs what the host reveals: --secret-seed-file and --suite")
        _check_reveal(path, commitment, secret, suite, key, json, rebuild=rebuild)
        return
    if secret is not None or suite is not None or rebuild:
        raise Refused("--secret-seed-file, --suite and --rebuild are for --commitment FILE")
    if (path / MANIFEST).exists() or (path / MANIFEST).is_symlink():
        _check_submission(path, key, scale(tuple(over or ())), json)
        return
    path = opened(path)
    if path.is_dir():
        check_folder(path, key, json)
    elif (verdict := check_one(path, key, json)) and json:
        print_json({"file": path, "check": verdict})


def _check_submission(folder: Path, key: Path | None, over: Scale, json: bool) -> None:
    public = believed_key(key)
    with progress_bar() as bar:
        task = bar.add_task("records", total=None)
        found = verify_submission(
            folder, over, public, lambda total: bar.update(task, total=total, advance=1)
        )
    if json:
        print_json({"folder": folder, "about": found.manifest.about, **_plain(found)})
    elif not found.problems:
        tell("verified", (f"{fact.part}: {fact.why}" for fact in found.verified))
        tell("claimed", (f"{fact.part}: {fact.why}" for fact in found.claimed))
        if found.headline is not None:
            out.print(section_table(headline_section([found.headline]), out.width))
        for like in found.likenesses:
            remark(f"where there was a choice, {like.words}")
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
    names = ("problems", "verified", "claimed", "headline", "marks", "steps", "asking", "likenesses")
    return {name: getattr(found, name) for name in names}


def _check_reveal(
    path: Path, file: Path, secret: Path, suite: Path, key: Path | None, json: bool, *, rebuild: bool
) -> None:
    commitment = read_commitment(file)
    if not secret.is_file():
        raise BadFile(secret, "", "no such file")
    revealed, _ = secret_in(secret)

    def again(options: Mapping[str, Any]) -> Path:
        builder = builder_of(commitment.world)
        folder = Path(mkdtemp(prefix="backburner-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        remark("the builder is at work again")
        builder.build(folder, checked_options(builder, options), lambda total: None)
        return folder

    public = believed_key(key)
    played = list(records(opened(path)))
    if not played:
        raise Refused(f"{path}: no record")
    found = check_reveal(commitment, revealed, suite, played, again if rebuild else None, public)
    if json:
        print_json(found)
    else:
        tell("verified", (f"{fact.part}: {fact.why}" for fact in found.verified))
        tell("claimed", (f"{fact.part}: {fact.why}" for fact in found.claimed))
    for line in found.problems[:MOST_PROBLEMS]:
        complain(line)
    if more := len(found.problems[MOST_PROBLEMS:]):
        complain(f"and {more} more")
    if found.problems:
        raise typer.Exit(1)
