"""The wording of a prompting method: Jinja templates, one file for each message it sends."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from jinja2 import DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from backburner.kernel.digest import digest
from backburner.kernel.errors import BadFile, nearest

SUFFIX = ".jinja"


class Prompts:
    """The templates of one method.

    A template knows three names: ``briefing`` (what the seat was told before play), ``text`` (what
    it is told now) and ``first`` (whether this is the first message of the conversation).

    ``folder`` holds the user's own wording, as ``<method>/<message>.jinja``; what it leaves out is
    worded as shipped. Raises ``BadFile`` for a message that the method does not send, and for a
    template that cannot be filled in.
    """

    def __init__(self, method: str, folder: Path | None = None) -> None:
        self._files = dict(_shipped(method))
        self._places = dict.fromkeys(self._files, f"the shipped templates of {method}")
        if folder is not None:
            self._take_over(folder / method)
        self.digest = digest(self._files)
        self._environment = ImmutableSandboxedEnvironment(
            loader=DictLoader(self._files),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # a model reads this, not a browser
        )
        self._try_out()

    def render(self, message: str, *, first: bool, briefing: str, text: str) -> str:
        """The message in full."""
        template = self._environment.get_template(message + SUFFIX)
        return template.render(first=first, briefing=briefing, text=text)

    def _take_over(self, folder: Path) -> None:
        own = sorted(folder.glob(f"*{SUFFIX}"))
        if not own:
            raise BadFile(folder, "", f"holds no templates ({', '.join(self._files)})")
        for path in own:
            if path.name not in self._files:
                guess = nearest(path.name, self._files) or list(self._files)
                raise BadFile(
                    path, "", f"this method sends no such message; did you mean {' or '.join(guess)}?"
                )
            try:
                self._files[path.name] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise BadFile(path, "", str(error)) from error
            self._places[path.name] = str(path)

    def _try_out(self) -> None:
        """Fill in every template once, so that a fault shows before play and not in its midst."""
        for name, place in self._places.items():
            try:
                for first in (True, False):
                    self.render(name.removesuffix(SUFFIX), first=first, briefing="briefing", text="text")
            except TemplateError as error:
                line = getattr(error, "lineno", None)
                where = f"line {line}" if line else ""
                raise BadFile(place, where, f"{error}; a template knows first, briefing and text") from error


def _shipped(method: str) -> Iterator[tuple[str, str]]:
    folder = files("backburner.agents.models") / "templates" / method
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(SUFFIX):
            yield file.name, file.read_text(encoding="utf-8")
