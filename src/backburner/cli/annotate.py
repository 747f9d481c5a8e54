"""``annotate``: failures put into classes by people or a model, and how far these agree."""

from __future__ import annotations

import getpass
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import typer
from msgspec import Struct, to_builtins

from backburner.cli.agents import MODELS, UNLIMITED, AskedOfRun, Spending
from backburner.cli.console import out, print_json, progress_bar, remark
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.cli.label_screen import ConsoleTerminal, Session, Work
from backburner.cli.options import JsonOption, KeyOption
from backburner.cli.records import opened
from backburner.evaluation.labels.agreement import RECORD, Agreement, Pair, agreements, kappa_text, who
from backburner.evaluation.labels.cases import (
    Found,
    Item,
    Settled,
    items_of,
    sampled,
    settle,
    shuffled,
    usable,
)
from backburner.evaluation.labels.judging import Court, Judge, Judged, judge_items
from backburner.evaluation.labels.label_files import (
    LabelFile,
    Labels,
    Role,
    Said,
    check_name,
    file_of,
    now,
    read_labels,
)
from backburner.evaluation.labels.label_tables import export_labels, import_labels
from backburner.evaluation.labels.text_judging import TextCourt, annotate_texts, whole
from backburner.evaluation.labels.text_scores import scenario_scores, text_scores
from backburner.evaluation.labels.texts import (
    files_in,
    import_annotations,
    said_by,
    settled_texts,
    sources_in,
    write_scenarios,
)
from backburner.evaluation.records import read_public
from backburner.evaluation.scoring import scores
from backburner.evaluation.tables.terminal import plain_table, section_table
from backburner.kernel.errors import Refused, UnknownName, amount, one_line
from backburner.kernel.scoring import Section


class Judging(AskedOfRun, frozen=True):
    """What the command line says of the language model that labels."""

    OPTION: ClassVar[Any] = typer.Option(
        "--judge",
        metavar="NAME[@KEY=VALUE,...]",
        help="A language model labels, named as run --model has it.",
        rich_help_panel=MODELS,
    )
    TYPE: ClassVar[Any] = str | None

    @classmethod
    def said(cls, written: Any) -> Self:
        """See ``Asked``."""
        return super().said([written] if written else [])


NO_JUDGE = Judging()


class Drawing(Struct, frozen=True):
    """Which cases there are; the fields are keys behind their number."""

    seed: Annotated[int, Key("Of the cases, and of the order under --blind; else 0.")] = 0
    all: Annotated[bool, Key("yes: also cases that the record decides, to see whether it is right.")] = False


def annotate(
    runs: Annotated[Path, typer.Argument(help="A folder of records, one record, or texts (*.words.json).")],
    set_name: Annotated[
        str, typer.Option("--set", help="The label set; by default the first of each world.")
    ] = "",
    annotator: Annotated[
        str, typer.Option("--annotator", help="Your name in the labels; by default that of your account.")
    ] = "",
    sample: Annotated[
        str,
        typer.Option(
            "--sample",
            metavar="[NUMBER][@KEY=VALUE]",
            help=about(keys_of(Drawing), "So many cases, the same ones for everybody."),
        ),
    ] = "",
    blind: Annotated[
        bool | None,
        typer.Option(
            "--blind/--adjudicate",
            help="Hide agents' names and others' labels, in an order of your own; or settle the cases in "
            "which annotators differ.",
        ),
    ] = None,
    status: Annotated[
        bool | None,
        typer.Option(
            "--status/--agreement",
            help="Only tell what is decided, labelled and open; or how far annotators agree: kappas, and "
            "where they differ.",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", help="Take labels from a CSV or JSON Lines file; of texts from a JSON file."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", help="Write all labels to a file: *.csv, *.json; or scenarios of texts to a folder."
        ),
    ] = None,
    judge: Judging = NO_JUDGE,
    budget: Spending = UNLIMITED,
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Put failures into classes: by people at the terminal, from files, by a judge model.

    Run it again to go on. Labels lie in the folder ``labels`` of the records, where ``report`` and ``score``
    find them. Texts in plain words become scenarios in the same way.
    """
    written, tail = named(sample)
    number = Key("", int, least=1).value(written, "--sample") if written else None
    drawing = read(Drawing, tail, "--sample")
    adjudicate, agreement, complete = blind is False, status is False, True
    asked = "--agreement" if agreement else "--status"
    _check_together(
        bool(judge.model),
        adjudicate,
        {"--labels": labels, "--export": export, asked: status is not None},
    )
    room = _room(opened(runs), set_name, None if key is None else read_public(key))
    if labels is not None:
        name = check_name(annotator or _account())
        for who_said, count in room.take(labels, name).items():
            remark(f"{who_said}: {amount(count, 'labels')}")
    elif judge.model:
        bounds = budget.budget()
        make_client, _ = judge.engine_of(bounds)
        bench = Judge.of(judge.spec("act"), make_client, bounds, judge.manner.at_once, room.court)
        items = room.chosen(drawing.all, number, drawing.seed)
        with progress_bar() as bar:
            task = bar.add_task("cases", total=len(items))
            told = room.judged(bench, items, lambda: bar.advance(task))
        _tell_judged(told)
    elif export is None and status is None:
        name = check_name(annotator or _account())
        room.sit(
            name,
            _Sitting(bool(blind), adjudicate, drawing.seed),
            room.chosen(drawing.all, number, drawing.seed),
        )
    room.reread()
    if export is not None:
        complete = room.export(export, bool(blind))
    if agreement:
        room.tell_agreement(json)
    elif json:
        print_json(_plain_status(room))
    else:
        _print_status(room)
    if not complete or (judge.model and (told.failed or told.stopped)):
        raise typer.Exit(1)


def _check_together(judge: bool, adjudicate: bool, others: dict[str, Any]) -> None:
    """Raises ``Refused`` for options that make no sense together."""
    said = [
        name for name, value in (("--judge", judge), ("--adjudicate", adjudicate), *others.items()) if value
    ]
    if len(said) > 1 and not set(said) <= set(others):
        raise Refused(f"{said[0]} and {said[1]}: one at a time")


def _account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        raise Refused("say who labels: --annotator NAME") from None


class _Room:
    """The records of a folder, their cases, and what has been said of them."""

    court: type[Court] = Court

    def __init__(self, runs: Path, set_name: str, key: str | None = None) -> None:
        self.runs, self.set = runs, set_name
        self.find(key)
        self.reread(tell=True)

    def find(self, key: str | None) -> None:
        """What there is to be labelled."""
        loaded = scores.load(self.runs, key or "")
        self.found: Found = items_of(loaded.episodes, self.set)
        remark(*loaded.unusable, *self.found.unusable)

    def reread(self, *, tell: bool = False) -> None:
        """What lies in the folder now."""
        self.labels: Labels = read_labels(self.runs)
        self.settled: list[Settled] = settle(self.found.items, self.labels)
        if tell:
            remark(*self.labels.unusable, *usable(self.found.items, self.labels)[1])

    def chosen(self, decided: bool, sample: int | None, seed: int) -> list[Item]:
        """The cases to be labelled: of the set that was asked for, or the first one of each world."""
        first: dict[str, str] = {}
        for item in self.found.items:
            first.setdefault(item.key.world, item.key.set)
        items = [
            item
            for item in self.found.items
            if (self.set or first[item.key.world]) == item.key.set and (item.open or decided)
        ]
        return sampled(items, sample, seed)

    def take(self, file: Path, annotator: str) -> dict[str, int]:
        """Take labels from a file."""
        return import_labels(file, self.runs, self.found.items, annotator, self.set)

    def judged(self, bench: Judge, items: Sequence[Item], progress: Callable[[], object]) -> Judged:
        """Have a model label these."""
        return judge_items(bench, self.runs, items, self.labels, progress)

    def export(self, file: Path, blind: bool) -> bool:
        """Write the labels; whether all that was asked for is written."""
        number = export_labels(file, self.runs, self.settled, blind)
        remark(f"{amount(number, 'rows')}: {file}")
        return True

    def tell_agreement(self, json: bool) -> None:
        """How far annotators agree."""
        found = self.agreements()
        if json:
            print_json([_plain(each) for each in found])
            return
        for each in found:
            _print(each)

    def agreements(self) -> list[Agreement]:
        """Of each set; raises ``Refused`` where nothing is labelled."""
        found = list(agreements(self.settled))
        if not found:
            raise Refused(f"{self.runs}: nobody has labelled anything here (backburner annotate)")
        return found

    def is_open(self, labels: set[str]) -> bool:
        """Whether an adjudicator is asked about a case of which others say this."""
        return len(labels) > 1

    def sit(self, annotator: str, sitting: _Sitting, items: Sequence[Item]) -> bool:
        """A session at the terminal over those of the items that this annotator has not labelled; whether
        there were any, and all have a label now."""
        role = sitting.role
        mine = {s.key for s in self.labels.said if s.annotator == annotator and s.role == role and s.label}
        said, _ = usable(items, self.labels)
        left = [item for item in items if item.key not in mine]
        if sitting.adjudicate:
            left = [item for item in left if self.is_open({one.label for one in said.get(item.key, ())})]
        if sitting.blind:
            left = shuffled(left, annotator, sitting.seed)
        if not left:
            remark(f"nothing left to label for {annotator} here")
            return False
        others = {} if sitting.blind else {
            key: [one for one in found if one.annotator != annotator] for key, found in said.items()
        }  # fmt: skip
        with LabelFile(file_of(self.runs, annotator)) as file:

            def keep(item: Item, label: str, note: str) -> None:
                key = item.key
                file.add([Said(
                    annotator, role, key.world, key.set, item.labels.version, key.record, label, now(),
                    key.at, key.seat, note, sitting.blind,
                )])  # fmt: skip

            def agent(item: Item) -> str:
                return "" if sitting.blind else one_line(item.agent)

            number = Session(Work(left, others, agent, keep), ConsoleTerminal(out)).run()
        remark(f"{amount(number, 'cases')} labelled, {len(left) - number} left: {file.path}")
        return number == len(left)


def _room(runs: Path, set_name: str, key: str | None) -> _Room:
    return _Texts(runs, set_name) if files_in(runs) else _Room(runs, set_name, key)


class _Texts(_Room):
    """Texts in plain words: what is asked of somebody follows from what they have said so far."""

    court = TextCourt

    def find(self, key: str | None) -> None:
        """The texts."""
        self.sources = sources_in(self.runs)
        known = {labels.name for source in self.sources for labels in source.declared.sets}
        if self.set and self.set not in known:
            raise UnknownName("label set", self.set, known)

    def reread(self, *, tell: bool = False) -> None:
        """What lies in the folder now."""
        self.labels = read_labels(self.runs)
        self.settled = settled_texts(self.sources, self.labels)
        if tell:
            remark(*self.labels.unusable)

    def chosen(self, decided: bool, sample: int | None, seed: int) -> list[Item]:
        """The texts to be labelled, each as one item."""
        return sampled([whole(source) for source in self.sources], sample, seed)

    def take(self, file: Path, annotator: str) -> dict[str, int]:
        """Take over a file of annotations."""
        return import_annotations(file, self.runs, self.sources, annotator, self.labels)

    def judged(self, bench: Judge, items: Sequence[Item], progress: Callable[[], object]) -> Judged:
        """Have a model annotate these texts."""
        return annotate_texts(bench, self.runs, items, self.labels, progress)

    def export(self, file: Path, blind: bool) -> bool:
        """Write the labels, or the scenarios of all texts that are settled."""
        if not file.is_dir() and files_in(file):
            raise Refused(f"{file}: what is called so are texts in plain words; name another file")
        if file.suffix in (".csv", ".json"):
            return super().export(file, blind)
        left = write_scenarios(file, self.sources, self.settled)
        remark(*left, f"{amount(len(self.sources) - len(left), 'scenarios')}: {file}")
        return not left

    def tell_agreement(self, json: bool) -> None:
        """A table of all sets; every pair of annotators only of the set that is asked for."""
        found = self.agreements()
        sections = [text_scores(self.settled), scenario_scores(self.sources, self.labels)]
        if json:
            rows = ([dict(zip(one.columns, row, strict=True)) for row in one.rows] for one in sections)
            scores, scenarios = rows
            print_json({"sets": [_plain(each) for each in found], "scores": scores, "scenarios": scenarios})
            return
        for section in sections:
            out.print(section_table(section, out.width))
            remark(section.text)
        for each in found:
            if each.labels.name == self.set:
                _print(each)

    def is_open(self, labels: set[str]) -> bool:
        """Also what nobody has labelled, as somebody else's actions begin elsewhere."""
        return len(labels) != 1

    def sit(self, annotator: str, sitting: _Sitting, items: Sequence[Item]) -> bool:
        """Sitting after sitting, until nothing follows from what was said, or the annotator quits."""
        texts = {item.key.record for item in items}
        while True:
            said = said_by(self.labels, annotator, sitting.role)
            if sitting.adjudicate:
                parts: list[Item] = [one.item for one in self.settled]
            else:
                parts = [part for source in self.sources for part in source.parts(said)]
            wanted = [p for p in parts if p.key.record in texts and self.set in ("", p.key.set)]
            if not super().sit(annotator, sitting, wanted):
                return False
            self.reread()


class _Sitting:
    """How a session goes."""

    def __init__(self, blind: bool, adjudicate: bool, seed: int) -> None:
        self.blind, self.adjudicate, self.seed = blind, adjudicate, seed
        self.role: Role = "adjudicator" if adjudicate else "person"


# --- what there is -----------------------------------------------------------------------------------------


def _counts(settled: Sequence[Settled]) -> dict[tuple[str, str], Counter[str]]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for one in settled:
        found.setdefault((one.item.key.world, one.item.key.set), Counter())[one.how] += 1
    return found


def _print_status(room: _Room) -> None:
    rows = []
    for (world, name), hows in _counts(room.settled).items():
        settled = hows.total() - hows["record"] - hows["tied"] - hows["none"]
        rows.append((world, name, hows.total(), hows["record"], settled, hows["tied"], hows["none"]))
    columns = ("world", "set", "cases", "record", "settled", "tied", "open")
    if rows:
        out.print(plain_table(columns, rows, out.width))
    else:
        remark("nothing in these records is to be labelled")
    for name, role in room.labels.annotators.items():
        number = sum(said.annotator == name and bool(said.label) for said in room.labels.said)
        remark(f"{name} ({role}): {amount(number, 'labels')}")


def _plain_status(room: _Room) -> dict[str, Any]:
    sets = [
        {"world": world, "set": name, "cases": hows.total(), **hows}
        for (world, name), hows in _counts(room.settled).items()
    ]
    counts = Counter(said.annotator for said in room.labels.said if said.label)
    return {
        "sets": sets,
        "annotators": [
            {"name": name, "role": role, "labels": counts[name]}
            for name, role in room.labels.annotators.items()
        ],
    }


def _tell_judged(told: Judged) -> None:
    remark(
        f"{told.name}: {amount(told.labelled, 'cases')} labelled, {told.unreadable} answers unreadable, "
        f"{told.kept} kept from before, {told.failed} calls failed; {told.calls} calls now"
    )
    for line in told.errors[:5]:
        remark(f"  {line}")
    if told.stopped:
        remark(f"stopped: {told.stopped}")


# --- agreement ---------------------------------------------------------------------------------------------

MOST_DIVIDED = 20
"""Cases in which annotators differ that are listed; the JSON has all of them."""


def _print(each: Agreement) -> None:
    said = ", ".join(f"{who(each.roles, name)} {number}" for name, number in each.annotators.items())
    out.print(f"{each.world}: {each.labels.title}", style="bold", markup=False, highlight=False)
    remark(f"labels: {said}")
    if each.pairs:
        out.print(section_table(kappas(each), out.width))
        remark(KAPPAS_TEXT)
    else:
        remark("no two annotators have labelled the same case")
    for pair in each.pairs:
        out.print(section_table(confusion(pair), out.width))
    if each.divided:
        out.print(section_table(_divided(each), out.width))
        remark("backburner annotate RUNS --adjudicate --annotator NAME settles them")


KAPPAS_TEXT = (
    "Cohen's kappa of two, Fleiss' of all; of each label against all others. 95 % jackknife intervals over "
    "episodes; none where annotators never differ, or with fewer than 3 episodes."
)


def kappas(each: Agreement) -> Section:
    """The coefficients of a label set as a table."""
    rows: list[tuple[Any, ...]] = []
    for pair in each.pairs:
        names = f"{who(each.roles, pair.one)}, {who(each.roles, pair.other)}"
        rows.append((names, "all", pair.kappa.cases, round(pair.agreeing, 1), kappa_text(pair.kappa)))
        rows += [("", key, k.cases, "", kappa_text(k)) for key, k in pair.by_label.items()]
    if (all_of_them := each.together) is not None:
        rows.append(("all annotators", "all", all_of_them.kappa.cases, "", kappa_text(all_of_them.kappa)))
        rows += [("", key, k.cases, "", kappa_text(k)) for key, k in all_of_them.by_label.items()]
    columns = ("annotators", "label", "cases", "agree (%)", "kappa [95 %]")
    return Section("Agreement", KAPPAS_TEXT, columns, tuple(rows))


def confusion(pair: Pair) -> Section:
    """How often each label of one met each of the other."""
    used = list(pair.confusion)
    rows = tuple((key, *(pair.confusion[key][other] for other in used)) for key in used)
    text = f"Rows: {pair.one}; columns: {pair.other}."
    return Section(f"{pair.one} (rows) against {pair.other}", text, (pair.one, *used), rows)


def _divided(each: Agreement) -> Section:
    rows = []
    for one in each.divided[:MOST_DIVIDED]:
        at = "" if one.item.key.at < 0 else f" step {one.item.key.at}"
        said = "; ".join(f"{said.annotator}: {said.label}" for said in one.said)
        rows.append((f"{one.item.id}{at}", said, one.label or one.how))
    title = f"{len(each.divided)} cases in which annotators differ"
    return Section(title, "", ("case", "labels", "settled"), tuple(rows))


def _plain(each: Agreement) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: to_builtins(getattr(each, name))
        for name in ("world", "annotators", "roles", "pairs", "together")
    }
    divided = [
        {
            **to_builtins(one.item.key),
            "id": one.item.id,
            "settled": one.label,
            "how": one.how,
            "said": {said.annotator: said.label for said in one.said},
        }
        for one in each.divided
    ]
    return {**fields, "set": each.labels.name, "record": RECORD, "divided": divided}
