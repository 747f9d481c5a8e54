"""How a check speaks up."""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import shorten


class ContractViolation(AssertionError):
    """A world breaks its contract. ``check`` names the demand, ``where`` the seed and the step."""

    def __init__(self, check: str, world: str, where: str, what: str) -> None:
        self.check, self.world, self.where = check, world, where
        super().__init__(f"{world}: {where}: {check}: {what}")


class Expect:
    """How one check speaks up: it counts the cases looked at and raises at the first that fails."""

    def __init__(self, check: str, world: str, where: str) -> None:
        self.check, self.world, self.where = check, world, where
        self.cases = 0
        self.obstacle = ""

    def __call__(self, holds: bool, otherwise: str) -> None:
        """One case; ``otherwise`` says what is wrong if it does not hold."""
        self.cases += 1
        if not holds:
            raise self.violation(otherwise)

    def same(self, one: object, other: object, what: str) -> None:
        """One case: the two are equal; ``what`` says which two."""
        self(one == other, what if one == other else f"{what}: {difference(one, other)}")

    def violation(self, what: str) -> ContractViolation:
        """What to raise when the demand is not met."""
        return ContractViolation(self.check, self.world, self.where, what)

    def cannot(self, why: str) -> None:
        """The check cannot look at this case, because ..."""
        self.obstacle = why


def difference(one: object, other: object, path: str = "") -> str:
    """Where two values differ, in their innermost fields that do."""
    if isinstance(one, Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            if getattr(one, name) != getattr(other, name):
                return difference(getattr(one, name), getattr(other, name), f"{path}.{name}")
    return f"{path or 'they'} differ: {shorten(repr(one), 300)} and {shorten(repr(other), 300)}"
