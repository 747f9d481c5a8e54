"""``replay``: a record as a timeline, as scenes, as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct
from rich.console import Group

from backburner.cli.console import images_of, out, picture_width, print_json, remark, write_picture
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.cli.options import JsonOption, OracleSecondsOption, RenderingOption, SvgOption
from backburner.cli.records import opened_one
from backburner.drawing.palette import following_scheme
from backburner.drawing.scene import Images, moving_svg, scene_svg
from backburner.drawing.timeline import timeline_svg, timeline_text
from backburner.drawing.timeline.chart import BODIES
from backburner.evaluation.transcripts.page import transcript_html
from backburner.evaluation.transcripts.plans import Plans
from backburner.kernel import replay as replaying
from backburner.kernel.activities import activities
from backburner.kernel.assessment import Window
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import Refused, why
from backburner.kernel.values import Event
from backburner.kernel.view import Shot


class Moment(Struct, frozen=True):
    """Which moment a picture is of; each field is a key behind the name of its file."""

    step: Annotated[int | None, Key("The scene after this step, -1 for the beginning; else the last.")] = None
    moving: Annotated[
        int | None,
        Key("At most so many scenes, one after the other: a picture that moves.", least=2, most=200),
    ] = None


def replay(
    file: Annotated[Path, typer.Argument(help="An episode record, or an Inspect log of one.")],
    svg: SvgOption = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a page with the timeline, all steps, and scenes that play."),
    ] = None,
    picture: Annotated[
        str,
        typer.Option(
            "--picture",
            metavar="FILE[@KEY=VALUE]",
            help=about(keys_of(Moment), "Write a scene as a picture (SVG), light and dark."),
        ),
    ] = "",
    rendering: RenderingOption = None,
    oracle_seconds: OracleSecondsOption = 2.0,
    json: JsonOption = False,
) -> None:
    """The timeline of a record: one lane for each body and each appliance, waits visible."""
    file = opened_one(file)
    episode = read_episode(file)
    chart = _Chart(file, episode)
    if svg is not None:
        write_picture(svg, chart.svg(), file)
    if picture:
        name, tail = named(picture)
        moment = read(Moment, tail, "--picture")
        write_picture(Path(name), chart.scene(moment, images_of(rendering)), file)
    if html is not None:
        write_picture(
            html,
            transcript_html(file, episode, plans=Plans(seconds=oracle_seconds), images=images_of(rendering)),
            file,
        )
    if json:
        timeline = {"activities": activities(chart.events), "windows": chart.windows}
        print_json({"header": episode.header, **timeline, "ending": episode.ending})
    elif not (svg or html or picture):
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
        self.events: tuple[Event, ...] = tuple(episode.events())
        try:
            world = replaying.world_of(episode)
            self.events = replaying.story_of(episode, world)
            self.windows = replaying.windows_of(episode, world)
            self.shots = replaying.shots_of(episode, world)
        except Exception as error:  # a stranger's record may be what no play of ours would have come to
            remark(f"{file}: drawn without scenes and without limits of time: {why(error)}")
        header = episode.header
        self.unit = header.time_unit
        self.title = f"{header.id} · {header.agent} · {header.rules_name} rules"
        self.standing = tuple(body.name for shot in self.shots[:1] for body in shot.scene.bodies)
        self.bodies = (*BODIES, *header.players, *self.standing)

    def text(self) -> Group:
        return timeline_text(
            self.events,
            unit=self.unit,
            width=picture_width(),
            bodies=self.bodies,
            windows=self.windows,
            standing=self.standing,
        )

    def scene(self, moment: Moment, images: Images) -> str:
        """The scene after a step, or the last one, or all of them as one picture."""
        step = moment.step
        wanted = [shot for shot in self.shots if step is None or shot.step == step]
        if not self.shots:
            raise Refused(f"{self.episode.header.id} has no scenes")
        if moment.moving:
            if step is not None:
                raise Refused("--picture: step= is one scene, moving= several; say one of them")
            return following_scheme(
                moving_svg(self.shots, title=self.title, images=images, most=moment.moving)
            )
        if not wanted:
            raise Refused(f"the record has steps 0 to {self.shots[-1].step}, and no step {step}")
        return following_scheme(scene_svg(wanted[-1].scene, title=self.title, images=images))

    def svg(self) -> str:
        return timeline_svg(
            self.events,
            title=self.title,
            unit=self.unit,
            bodies=self.bodies,
            windows=self.windows,
            standing=self.standing,
        )
