"""Keys and clicks: which action a key, or a mouse button on a thing, stands for (article of Robotouille,
Figure 10).

The first action of the file that is possible there is taken, so several may share a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile, UnknownName


class Click(Struct, frozen=True, forbid_unknown_fields=True):
    """A mouse button on the thing that an action's parameter stands for."""

    click_on: str
    button: str = "left"


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """A key, pressed by somebody who is at the thing that the parameter ``at`` stands for, or anywhere."""

    key: str
    at: str | None = None


class ClickAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the click that asks for it."""

    name: str
    input_instructions: Click

    @property
    def param(self) -> str | None:
        """The parameter that is named."""
        return self.input_instructions.click_on


class KeyAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action and the key that asks for it."""

    name: str
    input_instructions: Key

    @property
    def param(self) -> str | None:
        """The parameter that is named, if any."""
        return self.input_instructions.at


class Controls(Struct, frozen=True, forbid_unknown_fields=True):
    """All keys and clicks, in the order in which they are tried."""

    mouse_click_actions: tuple[ClickAction, ...] = ()
    keyboard_actions: tuple[KeyAction, ...] = ()

    def entries(self) -> Iterator[tuple[str, ClickAction | KeyAction]]:
        """Each with its place in the file, such as ``keyboard_actions[0]``."""
        for index, click in enumerate(self.mouse_click_actions):
            yield f"mouse_click_actions[{index}]", click
        for index, key in enumerate(self.keyboard_actions):
            yield f"keyboard_actions[{index}]", key

    def known(self, verbs: Mapping[str, Sequence[str]]) -> Controls:
        """Those whose actions and parameters are among ``verbs``."""

        def fits(action: ClickAction | KeyAction) -> bool:
            return action.name in verbs and action.param in (None, *verbs[action.name])

        return Controls(
            tuple(action for action in self.mouse_click_actions if fits(action)),
            tuple(action for action in self.keyboard_actions if fits(action)),
        )


def read_controls(file: Path, verbs: Mapping[str, Sequence[str]]) -> Controls:
    """The keys and clicks in a file, for the actions ``verbs`` (name to parameters).

    Raises ``BadFile`` naming entry and field for what is no such file, or names no such action.
    """
    try:
        controls = msgspec.json.decode(file.read_bytes(), type=Controls)
    except OSError as error:
        raise BadFile(file, "", error.strerror or str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(file, "", f"no file of keys and clicks: {error}") from error
    for where, entry in controls.entries():
        if entry.name not in verbs:
            raise BadFile(file, f"{where}, field 'name'", str(UnknownName("action", entry.name, verbs)))
        if entry.param is not None and entry.param not in verbs[entry.name]:
            why = str(UnknownName("parameter", entry.param, verbs[entry.name], f"action {entry.name!r}"))
            raise BadFile(file, f"{where} {entry.name!r}, field 'input_instructions'", why)
    return controls
