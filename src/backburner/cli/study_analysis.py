"""``study analyse``, ``compare`` and ``power``: what data say, people beside models, how many people."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

import typer
from msgspec import Struct

from backburner.cli.console import out, print_json, remark
from backburner.cli.grammar import Key, Keyed, about, keys_of, named, read
from backburner.cli.options import JsonOption
from backburner.evaluation.tables.terminal import section_table
from backburner.kernel.errors import Refused, UnknownName, needs_extra
from backburner.kernel.files import check_destination
from backburner.kernel.scoring import Section

Kind = Literal["within", "between"]

RUNS = 4000
"""Simulated studies for each number of people."""

MOST_RUNS = 200_000


def _with_libraries(needed_for: str) -> None:
    """Raise ``MissingExtra`` where the statistics library is not there."""
    with needs_extra("study", needed_for):
        import statsmodels  # noqa: F401


def _design(name: str) -> Any:
    if name and name not in get_args(Kind):
        raise UnknownName("design", name, get_args(Kind))
    return name or None


def analyse(
    data: Annotated[Path, typer.Argument(help="A folder with a study's tables, CSV or Parquet.")],
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="This measure or item, with every table; repeatable."),
    ] = None,
    contrasts: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast",
            metavar="A,B/C",
            help="The mean of conditions A and B less that of C; NAME=A,B/C gives it a name. Repeatable.",
        ),
    ] = None,
    design: Annotated[
        str, typer.Option("--design", help="within or between subjects; by default what the data are.")
    ] = "",
    to: Annotated[
        Path | None, typer.Option("--out", help="Folder for the page, JSON and the charts as SVG.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every table of every measure and item.")] = False,
    json: JsonOption = False,
) -> None:
    """What a study's data say: tests, effects with intervals, pairs, assumptions, charts.

    The tables are those that a study exports; data of your own need `episodes` (episode, participant,
    condition) and `measures` (episode, measure, value), or `answers` (participant, item, condition, value).
    """
    _with_libraries("the analysis of a study")
    from backburner.study.analysis.analysis import Asked
    from backburner.study.analysis.analysis import analyse as analysed
    from backburner.study.analysis.page import write_analysis
    from backburner.study.analysis.sections import study_sections, variable_sections

    _check_folder(to, data)
    found = analysed(data, Asked(tuple(only or ()), tuple(contrasts or ()), _design(design)))
    written = [] if to is None else write_analysis(found, to)
    if json:
        print_json(found)
        return
    remark(*found.remarks)
    sections = [] if only else study_sections(found)
    if only or everything or contrasts:
        sections += [part for one in found.results for part in variable_sections(one, found.labels)]
    _print(sections)
    if written:
        remark(f"{len(written)} files: {written[0]}")
    else:
        remark("--out FOLDER writes the page with charts, --only NAME shows every table of one.")


def compare(
    data: Annotated[Path, typer.Argument(help="A folder with a study's tables and its records.")],
    runs: Annotated[Path, typer.Argument(help="A folder with records of models, or of any agents.")],
    to: Annotated[
        Path | None, typer.Option("--out", help="Folder for the page, JSON and the charts as SVG.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """People beside models: the same scenarios, rules and metrics for both.

    What only one side has played, or under other rules, limits or versions, is named and left out.
    """
    _with_libraries("a comparison of people and models")
    from backburner.study.analysis.comparison import compare_with_models, sections_of, write_comparison

    _check_folder(to, data, runs)
    found = compare_with_models(data, runs)
    written = [] if to is None else write_comparison(found, to)
    if json:
        print_json(found)
        return
    remark(*found.remarks)
    _print(sections_of(found))
    remark(f"{len(written)} files: {written[0]}" if written else "--out FOLDER writes the page with charts.")


def _check_folder(to: Path | None, *sources: Path) -> None:
    """Raise ``Refused`` or ``BadFile`` where files cannot be written, or would lie among what is read."""
    if to is None:
        return
    for source in sources:
        if to.resolve() == source.resolve():
            raise Refused(f"{to} holds the data; name another folder for what is written")
    check_destination(to / "any")


def _print(sections: Sequence[Section]) -> None:
    """Each table, with what it is said once."""
    told = set()
    for section in sections:
        out.print(section_table(section, out.width))
        if section.text not in told:
            remark(f"{section.text}\n")
            told.add(section.text)


class Assumed(Struct, frozen=True):
    """What is assumed of values in a design; each field is a key behind it."""

    correlation: Annotated[float, Key("Of a person's values in two conditions; else 0.5.")] = 0.5
    epsilon: Annotated[
        float, Key("Sphericity: 1, or less where correlations are not alike.", least=0, most=1)
    ] = 1.0
    level: Annotated[float, Key("Of the test; else 0.05.", least=0.0001, most=0.5)] = 0.05
    factors: Annotated[
        str, Key("Levels of crossed factors, as 2x3; b after one between subjects: 2x2b. Needs --effect F.")
    ] = ""

    @property
    def crossed(self) -> tuple[dict[str, int], list[str]]:
        """The levels of each factor, called a, b ..., and the factors between; raises ``Refused``."""
        parts = self.factors.split("x")
        sizes = [int(number) if (number := part.removesuffix("b")).isdecimal() else 0 for part in parts]
        if not 1 <= len(parts) <= 4 or any(not 2 <= size <= 20 for size in sizes) or prod(sizes) > 50:
            raise Refused(f"--design: factors={self.factors}: write 2x2, 2x3b, at most 50 cells in all")
        names = dict(zip("abcd", sizes, strict=False))
        return names, [name for name, part in zip("abcd", parts, strict=False) if part.endswith("b")]


class Size(Struct, frozen=True):
    """How large an effect is, if not said as Cohen's f; each field is a key."""

    mean: Annotated[tuple[float, ...], Key("A condition's true mean, one for each; with sd.")] = ()
    sd: Annotated[float | None, Key("Standard deviation of values within a condition.", least=0)] = None
    f_test: Annotated[str, Key("A printed one-way F test: F:DF1:DF2, such as 28.11:4:55.")] = ""

    @property
    def printed(self) -> tuple[float, float, float] | None:
        """The printed test, if there is one; raises ``Refused``."""
        if not self.f_test:
            return None
        parts = [Key("", float).value(part, "--effect: f_test") for part in self.f_test.split(":")]
        if len(parts) != 3 or not all(0 < part < 1e6 for part in parts):
            raise Refused("--effect: f_test=F:DF1:DF2 are three numbers above 0")
        return parts[0], parts[1], parts[2]


class Simulation(Keyed, frozen=True):
    """How studies are simulated."""

    OPTION: ClassVar[Any] = typer.Option("--simulate", metavar="KEY=VALUE,...", help="Simulated studies.")

    studies: Annotated[int, Key(f"For each line; else {RUNS}, 0: none.", least=0, most=MOST_RUNS)] = RUNS
    points: Annotated[int, Key("Values are ratings from 1 to so many.", least=0, most=101)] = 0
    seed: Annotated[int, Key("Of what is drawn.", least=0)] = 0


AS_USUAL = Simulation()


def power(
    conditions: Annotated[
        int | None,
        typer.Option("--conditions", min=2, max=50, help="How many; else as --effect has them."),
    ] = None,
    design: Annotated[
        str,
        typer.Option(
            "--design",
            metavar="NAME[@KEY=VALUE,...]",
            help=about(keys_of(Assumed), "within or between subjects."),
        ),
    ] = "within",
    effect: Annotated[
        str,
        typer.Option(
            "--effect",
            metavar="F|KEY=VALUE,...",
            help=about(keys_of(Size), "Cohen's f: 0.1 is small, 0.25 medium, 0.4 large; or"),
        ),
    ] = "",
    people: Annotated[
        list[int] | None,
        typer.Option("--participants", min=2, max=20_000, help="What do so many find? Repeatable."),
    ] = None,
    often: Annotated[
        float, typer.Option("--power", min=0.06, max=0.999, help="How likely the effect is to be found.")
    ] = 0.8,
    simulate: Simulation = AS_USUAL,
    json: JsonOption = False,
) -> None:
    """How many people a study needs, by noncentral F and by simulated studies.

    The effect is Cohen's f, or comes from true means (`--effect mean=3,mean=3.5,sd=1`), or from an article
    (`--effect f_test=28.11:4:55`).
    """
    _with_libraries("a study's power")
    from backburner.study.analysis.power import Effect, Plan, checked, power_of, power_sections

    by_key = read(Size, effect if "=" in effect else "", "--effect")
    f = Key("", float, least=0).value(effect, "--effect") if effect and "=" not in effect else None
    printed, means = by_key.printed, by_key.mean
    kind, tail = named(design)
    way: Kind = _design(kind) or "within"
    of = read(Assumed, tail, f"--design {kind}")
    if of.factors:
        from backburner.study.analysis.factor_power import factor_sections

        if f is None or way == "between":
            raise Refused("--design within@factors=...: the effect is --effect F; b marks a factor between")
        sizes, between = of.crossed
        asked = (f, people or (), of.correlation, of.level, often, simulate.studies, simulate.seed)
        made = factor_sections(sizes, between, *asked)
        print_json(made) if json else _print(made)
        return
    number = conditions or _conditions(means, printed)
    size, printed_size = _size(f, means, by_key.sd, printed, number)
    assumed = Effect(way, number, size, of.correlation, of.epsilon, means, simulate.points)
    plan = Plan(tuple(people or ()), often, of.level, simulate.studies, simulate.seed)
    found = power_of(checked(assumed), plan, printed_size)
    if json:
        print_json(found)
        return
    _print(power_sections(found))


def _conditions(means: Sequence[float] | None, printed: tuple[float, float, float] | None) -> int:
    """How many conditions there are means of, or a printed one-way test has; raises ``Refused``."""
    if means and len(means) > 1:
        return len(means)
    if printed is not None and 1 <= printed[1] < 50 and printed[1] == int(printed[1]):
        return int(printed[1]) + 1
    raise Refused("how many conditions? Give --conditions, or --effect with a mean for each, or an f_test")


def _size(
    f: float | None,
    means: Sequence[float] | None,
    deviation: float | None,
    printed: tuple[float, float, float] | None,
    conditions: int,
) -> tuple[float, Any]:
    """Cohen's f by the one of three ways that was said, and what a printed test says of it."""
    from backburner.study.analysis.anova import FTest
    from backburner.study.analysis.power import effect_of_f_test, effect_of_means

    if sum(given is not None for given in (f, means or None, printed)) != 1:
        raise Refused(
            "how large is the effect? Give --effect F, or mean=M for each condition with sd, or f_test"
        )
    if f is not None:
        return f, None
    if printed is not None:
        size = effect_of_f_test(FTest(*printed, 0.0))
        return size.value or 0.0, size
    if len(means or ()) != conditions or deviation is None:
        raise Refused(
            f"--effect: a mean for each of the {conditions} conditions, and sd, how values vary within one"
        )
    return effect_of_means(means or (), deviation), None
