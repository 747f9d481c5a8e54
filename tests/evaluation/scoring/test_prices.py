"""Price files: what they hold, and what is said about their mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.evaluation.scoring.usage import Price, Prices, read_prices, unpriced
from backburner.kernel.errors import BadFile
from backburner.kernel.values import Usage

GOOD = {"input_per_million": 2.5, "output_per_million": 10}


def read(folder: Path, content: Any) -> Prices:
    file = folder / "prices.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_prices(file)


def test_a_file_of_prices(tmp_path: Path) -> None:
    found = read(tmp_path, {"currency": "EUR", "dated": "2026-01-15", "models": {"small": GOOD}})
    assert found == Prices({"small": Price(2.5, 10.0)}, "EUR", "2026-01-15")
    assert read(tmp_path, {"models": {"small": GOOD}}).currency == "dollars"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"models": {"small": {"input_per_million": 1}}}, ["model 'small'", "output_per_million"]),
        (
            {"models": {"ok": GOOD, "a/b:c.d[1]": {**GOOD, "input_per_milion": 1}}},
            ["model 'a/b:c.d[1]'", "input_per_milion", "did you mean input_per_million"],
        ),
        (
            {"models": {"small": {**GOOD, "input_per_million": -1}}},
            ["model 'small'", "input_per_million", "at least 0"],
        ),
        ({"models": {"small": {**GOOD, "output_per_million": "1"}}}, ["field 'output_per_million'", "float"]),
        ({"models": {"small": 3}}, ["model 'small'", "object"]),
        ({"models": {}}, ["field 'models'", "holds no model"]),
        ({"modles": {"small": GOOD}}, ["modles", "did you mean models"]),
        ({"models": {"small": GOOD}, "currency": 1}, ["field 'currency'", "str"]),
        ([], ["object"]),
        ("{", ["not JSON"]),
    ],
)
def test_a_mistake_is_told_with_file_model_and_field(tmp_path: Path, content: Any, told: list[str]) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, content)
    for words in ("prices.json", *told):
        assert words in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"prices\.json"):
        read_prices(tmp_path / "prices.json")


def test_models_without_a_price_are_named_with_the_nearest_one() -> None:
    prices = Prices({"small-2": Price(1.0, 1.0)})
    near, far = unpriced(prices, ["zebra", "small-1", "small-2"])
    assert "'small-1'" in near and "did you mean small-2" in near
    assert "'zebra'" in far and "did you mean" not in far


@given(
    st.tuples(st.integers(1, 10**7), st.integers(0, 10**7)),
    st.tuples(st.floats(0, 1000), st.floats(0, 1000)),
)
def test_twice_the_tokens_cost_twice_as_much(tokens: tuple[int, int], price: tuple[float, float]) -> None:
    once = Price(*price).of(Usage(calls=1, input_tokens=tokens[0], output_tokens=tokens[1]))
    twice = Price(*price).of(Usage(calls=2, input_tokens=2 * tokens[0], output_tokens=2 * tokens[1]))
    assert once is not None and twice == pytest.approx(2 * once)


def test_the_example_of_the_docs_is_a_price_file(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reports.md").read_text()
    example = page.split("```json\n")[1].split("```")[0]
    assert read(tmp_path, example).models["my-large-model"] == Price(3.0, 12.0, 0.3)
