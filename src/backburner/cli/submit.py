"""``submit`` and ``leaderboard``: a folder with an agent's records and figures, and many such, ranked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from backburner.cli.console import out, print_json, progress_bar, remark, say
from backburner.cli.grammar import Key, keys_of, values
from backburner.cli.grammar import about as about_keys
from backburner.cli.options import JsonOption, SignOption
from backburner.cli.records import OverOption, opened
from backburner.evaluation.comparing.headline import scale, scales
from backburner.evaluation.comparing.headline_tables import headline_section, name_of
from backburner.evaluation.records import read_signer
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import read_prices
from backburner.evaluation.submissions.leaderboard import PAGE, Board, place_of, plain, write_leaderboard
from backburner.evaluation.submissions.leaderboard import leaderboard as board_of
from backburner.evaluation.submissions.originality import RECEIPTS
from backburner.evaluation.submissions.submission import ALLOWED, LINK, About, texts_of
from backburner.evaluation.submissions.submitting import collect
from backburner.evaluation.submissions.submitting import submit as make
from backburner.evaluation.tables.terminal import plain_table, section_table
from backburner.evaluation.tables.words import interval_text
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.files import Place, check_destination, converted, read_json


class Told(Struct, frozen=True):
    """What can be said of a submission without a file; each field is a key."""

    agent: Annotated[str, Key("What the agent is to be called.", free=True)] = ""
    organisation: Annotated[str, Key("Who submits it.", free=True)] = ""
    model: Annotated[tuple[str, ...], Key("A model that it asks; may be said again.")] = ()
    link: Annotated[tuple[str, ...], Key("Where more about it stands; may be said again.")] = ()
    note: Annotated[str, Key("What else is to be known.", free=True)] = ""


def submit(
    path: Annotated[Path, typer.Argument(help="A folder of records, or an Inspect log.")],
    out_dir: Annotated[Path, typer.Option("--out", help="The submission: a folder that is new or empty.")],
    agent: Annotated[str, typer.Option("--agent", help="Whose records, where several have played.")] = "",
    seeds: Annotated[
        int, typer.Option("--seeds", min=0, help="Take seeds 0 to N-1; by default as many as all have.")
    ] = 0,
    about: Annotated[
        str,
        typer.Option(
            "--about",
            metavar="FILE|KEY=VALUE,...",
            help=about_keys(
                keys_of(Told), "A JSON file with agent, organisation, models, links, note; or here:"
            ),
        ),
    ] = "",
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
    paid, signer = (
        None if prices is None else read_prices(prices),
        None if sign is None else read_signer(sign),
    )
    measured = scale(tuple(over or ()))
    collected = collect(scores.load(opened(path)), measured, agent, seeds, allowed)
    manifest, shown = make(collected, measured, out_dir, told, prices=paid, sign=signer)
    remark(*collected.left_out)
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
    say(line)
    remark(f"backburner verify {out_dir} checks it as others will")


def _about(written: str) -> About:
    """What a file says of the agent, or the option itself."""
    if "=" not in written:
        return _checked(read_json(Path(written)), written) if written else About()
    said = values(keys_of(Told), written, "--about")
    lists = {"models": said.pop("model", ()), "links": said.pop("link", ())}
    return _checked({**said, **lists}, "--about")


def _checked(raw: object, source: str) -> About:
    links = raw.get("links") if isinstance(raw, dict) else None
    for index, link in enumerate(links if isinstance(links, list | tuple) else ()):
        if isinstance(link, str) and not re.match(LINK, link):
            why = f"{shorten(link)!r}: write an address that begins with https:// or http://, without blanks"
            raise Place(source).entry("links", index).wrong(why)
    about = converted(raw, About, Place(source))
    for name, text in texts_of(about):
        if not text.isprintable():
            raise Refused(f"{source}: {name}: has a line break or another character that is no text")
    return about


# --- submissions side by side ------------------------------------------------------------------------------


def leaderboard(
    folder: Annotated[Path, typer.Argument(help="A folder of submissions, each a folder of its own.")],
    out_dir: Annotated[Path, typer.Option("--out", help="Where the page and its JSON are to be.")] = Path(
        "board"
    ),
    over: OverOption = None,
    json: JsonOption = False,
) -> None:
    """Check every submission, rank those that hold, and write one page with all of them.

    Exit code 1: one was refused; it is listed with the reason.
    """
    check_destination(out_dir / PAGE)
    with progress_bar() as bar:
        task = bar.add_task("submissions", total=None)
        measured, receipts = scales(over or ()), out_dir / RECEIPTS
        board = board_of(folder, measured, receipts, lambda name, total: bar.update(task, advance=1))
    page, _ = write_leaderboard(board, out_dir)
    if json:
        print_json(plain(board))
    else:
        _tell(board)
        say(f"leaderboard: {page}")
    if board.refused:
        raise typer.Exit(1)


def _tell(board: Board) -> None:
    if board.ranked:
        rows = [
            (one.manifest.name, place_of(one), interval_text(one.score), one.folder) for one in board.ranked
        ]
        out.print(plain_table(("agent", "place", "headline", "folder"), rows, out.width))
    for one in board.unranked:
        remark(f"{one.folder}: {one.manifest.name}: without a place, as {one.why}")
    for refused in board.refused:
        more = f" (and {refused.more} more)" if refused.more else ""
        remark(f"{refused.folder}: refused: {refused.why}{more}")
