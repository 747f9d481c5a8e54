"""``study``: experiments with people, from the file to the data."""

from __future__ import annotations

import csv
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backburner.cli.agents import UNLIMITED, Spending
from backburner.cli.console import out, print_json, remark, say
from backburner.cli.listening import USUAL_PLACE, Listening, clients_of
from backburner.cli.options import JsonOption, spread
from backburner.cli.study_analysis import analyse, compare, power
from backburner.kernel.errors import BadFile, Refused, UnknownName, needs_extra

if TYPE_CHECKING:
    from backburner.study.conduct import Conduct

app = typer.Typer(
    help="Experiments with people: a file, those who take part, their data, and what these say.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    add_completion=False,
)

FileArgument = Annotated[Path, typer.Argument(help="The study file (TOML, or JSON).")]
FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", help="The study's data; by default a folder NAME-data beside the file."),
]


def folder_of(file: Path, name: str, folder: Path | None) -> Path:
    """Where a study's data are."""
    return file.parent / f"{name}-data" if folder is None else folder


@app.command()
def new(
    file: FileArgument,
    template: Annotated[
        str, typer.Option("--template", help="mindagent, collab_pairs or people_and_models.")
    ] = "mindagent",
) -> None:
    """Write a study file out of a template, and the schema by which editors check it."""
    from backburner.study.files import write_template

    for path in write_template(template, file):
        remark(str(path))


@app.command()
def check(
    file: FileArgument,
    scenarios: Annotated[
        bool,
        typer.Option("--scenarios", help="Print the ids of the trials' scenarios, and no more."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Whether everything in a study file fits, and what it makes of it: orders, trials, stages."""
    from backburner.study.factors import design_of
    from backburner.study.files import read_study
    from backburner.study.stages import ids_of, most_trials, table_of, team_size

    found = read_study(file)
    study = found.study
    if scenarios:
        sys.stdout.write("".join(f"{id}\n" for id in ids_of(study)))
        return
    rows = table_of(study)
    facts = {
        "name": study.name,
        "digest": found.digest,
        "design": f"{design_of(study)} subjects, {study.design.order} order",
        "teams": study.design.teams,
        "people": study.design.teams * team_size(study),
        "trials": most_trials(study),
        "orders": [list(row) for row in rows],
        "scenarios": ids_of(study),
        "languages": list(study.languages),
        "remarks": list(found.remarks),
    }
    if study.factors:
        facts["factors"] = {
            factor.name: {"kind": factor.kind, "levels": [level.name for level in factor.levels]}
            for factor in study.factors
        }
    if json:
        print_json(facts)
        return
    for name in ("name", "digest", "design", "teams", "people", "trials"):
        say(f"{name:<10} {facts[name]}")
    for factor in study.factors:
        levels = ", ".join(level.name for level in factor.levels)
        say(f"{'factor':<10} {factor.name} ({factor.kind}): {levels}")
    for number, row in enumerate(rows, 1):
        say(f"order {number:<4} {' > '.join(row)}")
    for line in found.remarks:
        remark(f"{file}: {line}")


@app.command()
def preregister(file: FileArgument) -> None:
    """Print what the file says beforehand as a document: design, hypotheses, people, exclusions, analysis."""
    with needs_extra("study", "study preregister"):
        import statsmodels  # noqa: F401
    from backburner.study.files import read_study
    from backburner.study.preregistration import document

    sys.stdout.write(document(read_study(file)))


@app.command()
def links(
    file: FileArgument,
    base: Annotated[
        str, typer.Option("--address", help="Of the server, as participants reach it.")
    ] = "http://127.0.0.1:8765",
    number: Annotated[
        int, typer.Option("--number", min=0, max=100_000, help="So many invitations, one for each person.")
    ] = 0,
    folder: FolderOption = None,
) -> None:
    """The links by which people come: the study's own, or one for each person (CSV on stdout)."""
    from backburner.study.files import read_study
    from backburner.study.journal import Journal
    from backburner.study.participants import INVITATION, Links, address_of

    study = read_study(file).study
    if not number:
        if not study.recruitment.open:
            raise Refused(f"{file}: only invitations are let in; make some with --number")
        parameter = study.recruitment.participant
        sys.stdout.write(f"{address_of(base, study, {})}\n")
        remark(f"A recruiting platform adds ?{parameter}=ID; who comes again with it goes on.")
        return
    made = Links(Journal(folder_of(file, study.name, folder)).secret())
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["invitation", "link"])
    for one in range(1, number + 1):
        rows.writerow([one, address_of(base, study, {INVITATION: made.invitation(one)})])


@app.command()
@spread
def serve(
    file: FileArgument,
    listening: Listening = USUAL_PLACE,
    budget: Spending = UNLIMITED,
    folder: FolderOption = None,
) -> None:
    """Let people take part, in the browser. Prints the link; Ctrl-C ends it, and the next start goes on."""
    from backburner.study.conduct import Conduct
    from backburner.study.files import read_study
    from backburner.study.pages import MOST_BYTES

    found = read_study(file)
    for line in found.remarks:
        remark(f"{file}: {line}")
    with needs_extra("serve", "study serve"):
        from backburner.serve.catalogue import read_models
        from backburner.serve.connections import Bounds
        from backburner.serve.server import Server
        from backburner.study.site import StudySite, models_of
    entries = models_of(found.study, () if listening.models is None else read_models(listening.models))
    conduct = Conduct(found, folder_of(file, found.study.name, folder))
    site = Server(
        folder=conduct.journal.folder,
        host=listening.host,
        port=listening.port,
        addresses=listening.addresses,
        proxies=listening.proxies,
        bounds=Bounds(of_one_address=listening.room.connections, wrong_tokens=listening.room.wrong),
        token=secrets.token_urlsafe(16),  # nobody opens games here but the study
        models=entries,
        client_of=clients_of(entries),
        budget=budget.budget(),
        extension=lambda games: StudySite(conduct, games),
        most_message_bytes=MOST_BYTES,
    )
    try:
        site.run(lambda page: _tell(page, conduct))
    finally:
        conduct.close()
    remark(f"stopped; the data are in {conduct.journal.folder}")


def _tell(page: str, conduct: Conduct) -> None:
    from backburner.study.participants import address_of, researcher_address

    base = page.partition("#")[0]
    say(address_of(base, conduct.study, {}))
    out.file.flush()
    remark("people take part there; Ctrl-C stops the server")
    remark(f"who is where, for you alone: {researcher_address(base, conduct.study, conduct.links)}")


TOGETHER = 4
"""So many simulated participants take part at one time, at least."""


@app.command()
def pilot(
    file: FileArgument,
    participants: Annotated[
        int, typer.Option("--participants", min=1, max=1000, help="So many are simulated.")
    ] = 12,
    without_browser: Annotated[
        bool, typer.Option("--without-browser", help="Over WebSockets, as pages do, but much faster.")
    ] = False,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="A folder for pictures of each stage in the browser.")
    ] = None,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Rehearse the whole study with simulated participants, through the real server and a browser.

    Their answers are drawn from a truth that is written to truth.json in the folder (NAME-pilot beside the
    file, unless another is named). Stand-ins play in the place of models, so that nothing is paid for.
    """
    from backburner.study.files import read_study
    from backburner.study.stages import team_size

    found = read_study(file)
    with needs_extra("serve", "study pilot"):
        from backburner.study.pilot import rehearse
    where = file.parent / f"{found.study.name}-pilot" if folder is None else folder
    size = team_size(found.study)
    ends = rehearse(
        found.study,
        where,
        participants,
        browser=not without_browser,
        together=-(-TOGETHER // size) * size,
        pictures=pictures,
        told=remark,
        media=found.media,
    )
    if json:
        print_json({"folder": where, "ends": dict(ends)})
        return
    remark(f"{', '.join(f'{number} {end}' for end, number in ends.items())}; the data are in {where}")
    again = f"backburner study export {file} --folder {where} --out TABLES"
    say(again)


@app.command()
def export(
    file: FileArgument,
    to: Annotated[Path, typer.Option("--out", help="Folder for the tables and records.")],
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="csv, parquet; repeatable. By default csv.")
    ] = None,
    personal: Annotated[
        bool,
        typer.Option("--personal", help="With answers marked as personal, and platforms' ids."),
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """The data as tidy tables with a codebook, and the records of the games.

    Those who did not agree, who took it back or who are forgotten are in none of them.
    """
    from backburner.study.export import FORMATS, write_export
    from backburner.study.export.data import data_of
    from backburner.study.files import read_study

    names = formats or ["csv"]
    for name in names:
        if name not in FORMATS:
            raise UnknownName("format", name, FORMATS)
    if "parquet" in names:
        with needs_extra("data", "--format parquet"):
            import pyarrow  # noqa: F401
    if to.exists() and not to.is_dir():
        raise BadFile(to, "", "is a file; name a folder")
    source = folder_of(file, read_study(file).study.name, folder)
    if source.resolve() == to.resolve():
        raise Refused(f"{to} holds the study's data; name another folder for the tables")
    data = data_of(source, personal=personal)
    written = write_export(data, to, names)
    if json:
        print_json({"files": written, "participants": len(data.people)})
        return
    remark(f"{len(data.people)} participants, {len(written)} files: {to}")


@app.command()
def forget(
    file: FileArgument,
    participants: Annotated[
        list[str] | None, typer.Argument(metavar="[PARTICIPANT]...", help="Whose data are removed.")
    ] = None,
    expired: Annotated[
        bool,
        typer.Option("--expired", help="All whose data have been kept as long as the file says."),
    ] = False,
    folder: FolderOption = None,
) -> None:
    """Remove what was kept of participants: a tombstone stays, and the journal's chain holds."""
    from backburner.study.files import read_study
    from backburner.study.participants import forget_all

    if not participants and not expired:
        raise Refused("whose data? Name participants, or say --expired")
    study = read_study(file).study
    where = folder_of(file, study.name, folder)
    gone = forget_all(where, study, participants or [], expired=expired, now=time.time())
    for one, games in gone.items():
        remark(f"{one}: removed, with the records of {len(games)} games")
    if not gone and participants:
        remark("their data are removed already")
    elif not gone:
        remark("nobody's data have been kept for as long as the file says")


app.command("analyse")(analyse)
app.command("compare")(compare)
app.command("power")(spread(power))
