"""Options of ids: one way to write each value, and errors that name the option and what it may be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backburner.kernel.catalogue import Options, whole_number
from backburner.kernel.errors import Refused, UnknownName

DEFAULTS = {"bodies": "2", "hints": "yes", "seed": "0", "tau": "2.0"}
CHOICES = {"hints": ("yes", "no")}


def options(**given: str) -> Options:
    return Options("farm", given, DEFAULTS, CHOICES)


def test_values_are_read() -> None:
    values = options(bodies="3", tau="0.5")
    assert (values["bodies"], values["hints"]) == ("3", "yes")
    assert (values.whole("bodies", 1, 8), values.whole_unless("play", "seed", 0, 9)) == (3, 0)
    assert values.decimal_unless("own", "tau", 0.1, 9.0) == 0.5


def test_a_word_stands_for_no_number() -> None:
    values = options(seed="play", tau="own")
    assert values.whole_unless("play", "seed", 0, 9) is None
    assert values.decimal_unless("own", "tau", 0.1, 9.0) is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sead": "1"}, "unknown option 'sead' in farm; did you mean seed"),
        ({"hints": "maybe"}, "unknown value of option 'hints' 'maybe' in farm; known: yes, no"),
    ],
)
def test_unknown_options_and_choices_are_named(given: dict[str, str], told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        options(**given)


@pytest.mark.parametrize("written", ["", "07", "+7", "-1", "7.0", "1e1", " 7", "٧", "7_0", "10", "9" * 5000])
def test_a_whole_number_has_one_spelling_and_a_range(written: str) -> None:
    with pytest.raises(Refused, match=r"^farm: option 'seed' is a whole number from 0 to 9 or play, not '"):
        options(seed=written).whole_unless("play", "seed", 0, 9)


@pytest.mark.parametrize("written", ["", "2", "nan", "inf", "02.0", "2.50", "1e0", "0.0", "9.5", "٢.٠"])
def test_a_number_with_decimals_has_one_spelling_and_a_range(written: str) -> None:
    told = r"^farm: option 'tau' is own or a number from 0.1 to 9.0 with decimals, such as 1.0 or 2.5, not '"
    with pytest.raises(Refused, match=told):
        options(tau=written).decimal_unless("own", "tau", 0.1, 9.0)


@pytest.mark.parametrize(
    "read",
    [lambda: options(seed="x" * 10**6).whole("seed", 0, 9), lambda: whole_number("x" * 10**6, "it", 0, 9)],
)
def test_a_long_value_is_told_shortly(read: Callable[[], int]) -> None:
    with pytest.raises(Refused) as error:
        read()
    assert len(str(error.value)) < 300
