"""The records that commands read: folders and logs of Inspect, what counts of them, what they prove."""

from __future__ import annotations

import atexit
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from backburner.cli.console import advancing, complain, print_json, progress_bar, remark, say
from backburner.cli.grammar import Key, Keyed
from backburner.evaluation.labels.label_tables import labels_in, with_labels
from backburner.evaluation.labels.probing import with_probes
from backburner.evaluation.records import Unusable, believed_key, records
from backburner.evaluation.running.searches import about_steps_to_go, steps_to_go
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.answered import answers_for
from backburner.evaluation.scoring.scores import Counting, WorldScores
from backburner.evaluation.scoring.usage import Prices, read_prices
from backburner.evaluation.submissions.vouching import read_vouched
from backburner.kernel.claims import Fact, Verdict
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, Refused, UnknownName, needs_extra
from backburner.kernel.scoring import Measures

if TYPE_CHECKING:
    from backburner.inspect.samples import Converted


CompareOption = Annotated[
    tuple[str, str] | None,
    typer.Option(
        "--compare",
        metavar="A B",
        help="Paired differences of two agents, or of two folders of records within the folder.",
    ),
]
OverOption = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="WORLD|EDITION|FILE",
        help="Over these worlds alone, an edition, or the file of a hosted one; repeatable.",
    ),
]

LOG = ".eval"


def opened(path: Path) -> Path:
    """A folder with the records of a log, which is there until the command ends; any other path as it is."""
    if path.suffix != LOG or path.is_dir():
        return path
    folder = Path(mkdtemp(prefix="backburner-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    found = converted_log(path, folder)
    for sample in found.unfinished:
        remark(f"{path}: {sample} was not played to its end")
    remark(*found.unusable)
    return folder


def opened_one(path: Path) -> Path:
    """The only record of a log; any other path as it is. Raises ``Refused`` where there are several."""
    folder = opened(path)
    if folder == path:
        return path
    files = list(records(folder))
    if len(files) != 1:
        raise Refused(
            f"{path} has {len(files)} records; backburner export --format records makes files of them"
        )
    return files[0]


def converted_log(log: Path, out: Path) -> Converted:
    """The records of a log, as files in a folder; raises ``MissingExtra``."""
    with needs_extra("inspect", "reading a log of Inspect"):
        import inspect_ai  # noqa: F401
    from backburner.inspect.samples import convert

    return convert(log, out)


# --- scores ------------------------------------------------------------------------------------------------


PAGE = "report.html"
"""The report's name in the folder of its records."""


class Searched(Keyed, frozen=True):
    """What is counted that takes searches."""

    OPTION: ClassVar[Any] = typer.Option(
        "--count", metavar="KEY=VALUE,...", help="Which episodes count, and what is counted of them."
    )

    steps_to_go: Annotated[
        float | None, Key(f"Seconds for each search: {about_steps_to_go()}.", least=0.001)
    ] = None


class Counted(Searched, frozen=True):
    """Which episodes count, and what is counted of them."""

    prices: Annotated[Path | None, Key("A JSON file of prices per million tokens: what models cost.")] = None
    failed: Annotated[bool, Key("yes: those that ended by a failed call count as they stand.")] = False
    own: Annotated[
        bool, Key("yes: each agent over all that it has finished; else over the scenarios that all have.")
    ] = False
    without: Annotated[tuple[str, ...], Key("Leave this agent out; may be said again.", free=True)] = ()
    key: Annotated[Path | None, Key("A public key (*.pub): only records signed by it.")] = None

    @property
    def counting(self) -> Counting:
        """Which episodes count, for ``score``."""
        return Counting(self.failed, self.own, self.without)

    @property
    def paid(self) -> Prices | None:
        """The prices of models, if they are told."""
        return None if self.prices is None else read_prices(self.prices)


NOTHING_SEARCHED = Searched()
EVERYTHING = Counted()
"""Where nothing is said."""


def scored_in(
    path: Path, loaded: scores.Records, to_go: float | None, counting: Counting = scores.COUNTING
) -> list[WorldScores]:
    """The scores of what was read from ``path``, with the labels, probes and answers that lie beside it; with
    ``to_go``, after a search of so many seconds for each episode. Raises ``UnknownName`` for an agent to be
    left out that did not play, and ``Refused`` if nobody is left."""
    return with_probes(_scored(path, loaded, to_go, counting), path)


def _scored(path: Path, loaded: scores.Records, to_go: float | None, counting: Counting) -> list[WorldScores]:
    episodes = [episode for _, episode in loaded.episodes]
    agents = dict.fromkeys(episode.header.agent for episode in episodes)
    for name in counting.without:
        if name not in agents:
            raise UnknownName("agent", name, agents)
    if agents and not agents.keys() - set(counting.without):
        raise Refused(f"{path}: --count without= leaves no agent; these have played: {', '.join(agents)}")
    labels, answers = labels_in(path, loaded), answers_for(path)
    if to_go is None:
        return with_labels(scores.score(episodes, labels.of, counting, answers), labels)
    with progress_bar() as bar:
        task, measure = bar.add_task("steps to go", total=len(episodes)), steps_to_go(path, to_go)

        def more(episode: Episode) -> Measures:
            found = {**measure(episode), **labels.of(episode)}
            bar.advance(task)
            return found

        return with_labels(scores.score(episodes, more, counting, answers), labels)


def read_and_scored(path: Path, counted: Counted) -> tuple[scores.Records, list[WorldScores]]:
    """The records of a folder, those alone that are signed by the key if one is named, and their scores."""
    key = believed_key(counted.key)
    with progress_bar() as bar:
        loaded = scores.load(path, key, advancing(bar, "records"))
    return loaded, scored_in(path, loaded, counted.steps_to_go, counted.counting)


# --- what records prove ------------------------------------------------------------------------------------


def check_one(file: Path, key: Path | None, json: bool) -> Verdict:
    """The verdict on a record, told unless it is for JSON; exits with 1 where the record is not true.

    Raises ``BadFile`` if there is no such file.
    """
    public = believed_key(key)
    if not file.exists():
        raise BadFile(file, "", "no such file")
    try:
        verdict = read_vouched(file, public).verdict
    except Unusable as error:
        complain(str(error))
        if json:
            print_json({"file": file, "error": str(error)})
        raise typer.Exit(1) from error
    remark(f"{file}: {verdict.steps} steps replayed, all equal{'' if verdict.finished else '; not finished'}")
    if not json:
        tell_facts(verdict.verified, verdict.claimed)
    return verdict


def check_folder(folder: Path, key: Path | None, json: bool) -> None:
    """What is verified and claimed in how many records, and a line for each that is not true; exits with 1
    where there is one."""
    public = believed_key(key)
    good: dict[Path, Verdict] = {}
    bad: dict[Path, str] = {}
    for file in records(folder):
        try:
            good[file] = read_vouched(file, public).verdict
        except Unusable as error:
            bad[file] = str(error)
    if not good and not bad:
        raise Refused(f"{folder}: no episode record (*.jsonl) in this folder")
    complain(*bad.values())
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


def tell_facts(verified: Iterable[Fact], claimed: Iterable[Fact]) -> None:
    """A line for each, behind what they are."""
    _tell("verified", (f"{fact.part}: {fact.why}" for fact in verified))
    _tell("claimed", (f"{fact.part}: {fact.why}" for fact in claimed))


def _tell(what: str, lines: Iterable[str]) -> None:
    say(*(f"  {what:8}  {line}" for line in lines))
