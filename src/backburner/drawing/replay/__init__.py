"""An episode to be played back: its scenes, its timeline and its steps on one page."""

from backburner.drawing.replay.page import replay_html

__all__ = ["replay_html"]
