"""A scene as SVG."""

from __future__ import annotations

from backburner.drawing.scene.images import NONE, Images
from backburner.drawing.scene.parts import STYLE
from backburner.drawing.scene.stage import Stage, drawn
from backburner.drawing.svg import document, element
from backburner.kernel.scene import Scene


def scene_svg(scene: Scene, *, title: str = "", images: Images = NONE) -> str:
    """A scene seen from above, as a self-contained picture, escaped throughout.

    Places bear their names, what lies on them is a stack of labelled layers, bodies look where they
    face and have below them what they hold. Bars tell how far something has come, grey ones that it
    is paused. Everything has a tooltip. ``images`` stand in for our shapes where there are any.
    """
    stage = Stage([scene], images)
    return document(
        stage.width,
        stage.height,
        STYLE,
        element("defs", images.definitions()),
        stage.ground(),
        drawn(stage.parts(scene).values()),
        title=title or "scene",
        class_="scene",
    )
