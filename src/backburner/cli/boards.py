"""``leaderboard``: submissions checked, ranked, and shown on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from backburner.cli.common import JsonOption, out, print_json, remark
from backburner.cli.progress import progress_bar
from backburner.cli.submissions import OverOption
from backburner.evaluation.comparing.headline import scale
from backburner.evaluation.submissions.leaderboard import PAGE, Board, place_text, plain, write_leaderboard
from backburner.evaluation.submissions.leaderboard import leaderboard as board_of
from backburner.evaluation.submissions.originality import RECEIPTS
from backburner.evaluation.tables.sections import interval_text, plain_table
from backburner.kernel.files import check_destination


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
        measured, receipts = scale(tuple(over or ())), out_dir / RECEIPTS
        board = board_of(folder, measured, receipts, lambda name, total: bar.update(task, advance=1))
    page, _ = write_leaderboard(board, out_dir)
    if json:
        print_json(plain(board))
    else:
        _tell(board)
        out.print(f"leaderboard: {page}", markup=False, highlight=False, soft_wrap=True)
    if board.refused:
        raise typer.Exit(1)


def _tell(board: Board) -> None:
    if board.ranked:
        rows = [
            (one.manifest.name, place_text(one), interval_text(one.score), one.folder) for one in board.ranked
        ]
        out.print(plain_table(("agent", "place", "headline", "folder"), rows, out.width))
    for one in board.unranked:
        remark(f"{one.folder}: {one.manifest.name}: without a place, as {one.why}")
    for refused in board.refused:
        more = f" (and {refused.more} more)" if refused.more else ""
        remark(f"{refused.folder}: refused: {refused.why}{more}")
