"""A scene of any world that can be drawn: as a picture, in the terminal."""

from backburner.drawing.scene.appearance import Images, read_rendering
from backburner.drawing.scene.picture import moving_svg, scene_svg
from backburner.drawing.scene.terminal import scene_text

__all__ = ["Images", "moving_svg", "read_rendering", "scene_svg", "scene_text"]
