"""Budgets: what the calls of a run to language models may come to, and what they have come to."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from backburner.agents.models.client import Completion
from backburner.agents.models.stand_in import is_stand_in
from backburner.kernel.errors import RunStops


class Budget(Struct, frozen=True):
    """What the calls of a run may come to, in calls, tokens (input and output) and money; ``None``: no end.

    ``price``: what an answer of a model costs, by the model's name; ``None`` if that is not known.
    ``episode_seconds``: the time that one episode may take. ``opened`` hears of every call that is sent.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    episode_seconds: float | None = None
    price: Callable[[str, Completion], float | None] = lambda model, completion: None
    opened: Callable[[], None] = lambda: None


NO_END = Budget()


class Books:
    """What the calls of a run have come to so far. Answers out of journals cost nothing again."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self.money = 0.0

    def open_call(self) -> None:
        """Count a call that is about to be sent; raises ``RunStops`` if there is nothing left for it."""
        budget = self.budget
        for what, spent, most in (
            ("calls", self.calls, budget.calls),
            ("tokens", self.tokens, budget.tokens),
            ("money", self.money, budget.money),
        ):
            if most is not None and spent >= most:
                raise RunStops(
                    f"the budget of {most:g} {what} is used up; with more, the same command goes on"
                )
        self.calls += 1
        budget.opened()

    def enter(self, model: str, completion: Completion) -> None:
        """Count what an answer cost."""
        self.tokens += completion.input_tokens + completion.output_tokens
        if self.budget.money is not None and not is_stand_in(model):
            cost = self.budget.price(model, completion)
            if cost is None:
                raise RunStops(
                    f"a budget of money needs the price of {model!r} and its tokens, and one is unknown"
                )
            self.money += cost
