"""Actions over certain things: what has to hold, what follows, how it is called."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.contract import Option
from backburner.worlds.robotouille.game.actions import Acts
from backburner.worlds.robotouille.game.domain import Action, Claim
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.schema import PLAYER


class Deed:
    """An action over certain things, as masks over the bits of a layout.

    It is possible where all ``needs`` are set and no ``forbids`` is; it sets ``adds`` and clears
    ``clears`` at once, and starts ``effects`` (index, arguments). ``robots`` are the players in it.
    """

    __slots__ = (
        "action", "adds", "args", "clears", "effects", "forbids", "name", "needs", "option", "robots", "text",
    )  # fmt: skip

    def __init__(self, action: Action, args: tuple[int, ...], layout: Layout) -> None:
        names = [layout.objects[one].name for one in args]
        self.action = action.name
        self.args = args
        self.needs, self.forbids = masks(action.needs, args, layout)
        self.adds, self.clears = masks(action.fx, args, layout)
        self.effects = tuple((use.effect, tuple(args[place] for place in use.places)) for use in action.uses)
        self.robots = tuple(one for one in args if layout.objects[one].type == PLAYER)
        pairs = zip(action.params, names, strict=True)
        self.name = f"{action.name}({','.join(f'{param}={name}' for param, name in pairs)})"
        self.text = filled(action.text, dict(zip(action.params, names, strict=True))) or self.name
        self.option = Option(Acts((self.name,)), self.text, not self.does_something)

    @property
    def does_something(self) -> bool:
        """Whether it changes or starts anything; waiting does not."""
        return bool(self.adds or self.clears or self.effects)

    def label(self, layout: Layout) -> str:
        """The action and what it is done to, without the robot."""
        things = (layout.objects[arg].name for arg in self.args if arg not in self.robots)
        return " ".join((self.action, *things))

    def possible(self, facts: int) -> bool:
        """Whether its preconditions hold."""
        return facts & self.needs == self.needs and not facts & self.forbids


def masks(claims: Sequence[Claim], args: tuple[int, ...], layout: Layout) -> tuple[int, int]:
    """(bits that are to be set, bits that are to be clear); the later claim about a fact wins."""
    on = off = 0
    for claim in claims:
        bit = layout.bit(claim.predicate, tuple(args[place] for place in claim.places))
        on, off = (on | bit, off & ~bit) if claim.is_true else (on & ~bit, off | bit)
    return on, off


def filled(template: str, names: dict[str, str]) -> str:
    """A sentence with ``{param}`` replaced by names; nothing else in it is interpreted."""
    for param, name in names.items():
        template = template.replace(f"{{{param}}}", name)
    return template
