"""``replay`` and ``convert``: a record as a timeline, scenes and pages; logs of Inspect as records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group

from backburner.cli.console import images_of, out, picture_width, print_json, remark, write_picture
from backburner.cli.options import JsonOption, KeyOption, OracleSecondsOption, RenderingOption, SvgOption
from backburner.cli.records import LOG, check_folder, check_one, converted_log, opened, opened_one
from backburner.drawing.palette import following_scheme
from backburner.drawing.scene import Images, scene_svg
from backburner.drawing.timeline import timeline_svg, timeline_text
from backburner.drawing.timeline.chart import BODIES
from backburner.evaluation.transcripts.page import transcript_html
from backburner.evaluation.transcripts.plans import Plans
from backburner.kernel import replay as replaying
from backburner.kernel.activities import activities
from backburner.kernel.assessment import Window
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import Refused, amount, why
from backburner.kernel.view import Shot

# --- logs of Inspect ---------------------------------------------------------------------------------------


def convert(
    logs: Annotated[list[Path], typer.Argument(help="Logs of Inspect (*.eval).")],
    out_dir: Annotated[Path, typer.Option("--out", help="Folder for the records.")] = Path("runs"),
    json: JsonOption = False,
) -> None:
    """The episode records in logs of Inspect, as files that commands read."""
    converted = {str(log): converted_log(log, out_dir) for log in logs}
    if json:
        print_json(converted)
        return
    for log, result in converted.items():
        written = f"{amount(len(result.written), 'records')} written, {len(result.kept)} there already"
        remark(f"{log}: {written}: {out_dir}")
        for sample in result.unfinished:
            remark(f"  {sample} was not played to its end")
        for line in result.unusable:
            remark(f"  {line}")


# --- what was played ---------------------------------------------------------------------------------------


def replay(
    file: Annotated[Path, typer.Argument(help="An episode record; to be checked, also a folder of them.")],
    check: Annotated[
        bool, typer.Option("--check", help="Derive everything again, and tell what is merely claimed.")
    ] = False,
    key: KeyOption = None,
    svg: SvgOption = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a page with the timeline, all steps, and scenes that play."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Write the scene after --step as a picture (SVG), light and dark."),
    ] = None,
    step: Annotated[
        int | None, typer.Option("--step", help="The step of --picture, -1 for the beginning; else the last.")
    ] = None,
    rendering: RenderingOption = None,
    oracle_seconds: OracleSecondsOption = 2.0,
    json: JsonOption = False,
) -> None:
    """The timeline of a record: one lane for each body and each appliance, waits visible.

    ``--check`` exits with 1 if something in a record is not what its world gives.
    """
    if key is not None and not check:
        raise Refused("--key is for --check, which looks at signatures")
    if step is not None and picture is None:
        raise Refused("--step is for --picture")
    if check and (file.is_dir() or file.suffix == LOG):
        check_folder(opened(file), key, json)
        return
    file = opened_one(file)
    checked = check_one(file, key, json) if check else None
    episode = read_episode(file)
    chart = _Chart(file, episode)
    if svg is not None:
        write_picture(svg, chart.svg(), file)
    if picture is not None:
        write_picture(picture, chart.scene(step, images_of(rendering)), file)
    if html is not None:
        write_picture(
            html,
            transcript_html(file, episode, plans=Plans(seconds=oracle_seconds), images=images_of(rendering)),
            file,
        )
    if json:
        timeline = {"activities": activities(episode.events()), "windows": chart.windows}
        found = {} if checked is None else {"check": checked}
        print_json({"header": episode.header, **timeline, "ending": episode.ending, **found})
    elif not (check or svg or html or picture):
        out.print(chart.title, style="bold", markup=False, highlight=False)
        out.print(chart.text())
        _tell_ending(episode)


def _tell_ending(episode: Episode) -> None:
    if episode.ending is None:
        remark(f"the record stops after step {len(episode.entries)}; it was not finished")
        return
    numbers = ", ".join(f"{name} {value}" for name, value in episode.ending.numbers.items())
    out.print(f"{episode.ending.status}: {episode.ending.reason} ({numbers})", highlight=False, markup=False)
    if episode.ending.error:
        out.print(episode.ending.error, style="red", markup=False)


class _Chart:
    """A record with what its world tells about it, if the world is here."""

    def __init__(self, file: Path, episode: Episode) -> None:
        self.episode = episode
        self.windows: tuple[Window, ...] = ()
        self.shots: tuple[Shot, ...] = ()
        try:
            world = replaying.world_of(episode)
            self.windows = replaying.windows_of(episode, world)
            self.shots = replaying.shots_of(episode, world)
        except Exception as error:  # a stranger's record may be what no play of ours would have come to
            remark(f"{file}: drawn without scenes and without limits of time: {why(error)}")
        header = episode.header
        self.unit = header.time_unit
        self.title = f"{header.id} · {header.agent} · {header.rules_name} rules"
        acting = (body.name for shot in self.shots[:1] for body in shot.scene.bodies)
        self.bodies = (*BODIES, *header.players, *acting)

    def text(self) -> Group:
        events = self.episode.events()
        return timeline_text(
            events, unit=self.unit, width=picture_width(), bodies=self.bodies, windows=self.windows
        )

    def scene(self, step: int | None, images: Images) -> str:
        """The scene after a step, or the last one."""
        wanted = [shot for shot in self.shots if step is None or shot.step == step]
        if not self.shots:
            raise Refused(f"{self.episode.header.id} has no scenes")
        if not wanted:
            raise Refused(f"the record has steps 0 to {self.shots[-1].step}, and no step {step}")
        return following_scheme(scene_svg(wanted[-1].scene, title=self.title, images=images))

    def svg(self) -> str:
        events = self.episode.events()
        return timeline_svg(
            events, title=self.title, unit=self.unit, bodies=self.bodies, windows=self.windows
        )
