"""A key taken out of a text leaves no trace, whatever stands around it."""

from __future__ import annotations

import json
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from backburner.agents.models.client import Secret

keys = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=60)


@given(keys, st.text(max_size=30), st.text(max_size=30))
def test_no_spelling_of_the_key_is_left(key, before, after):
    spellings = key, quote(key, safe=""), json.dumps(key)[1:-1]
    scrubbed = Secret(key).scrub("".join(f"{before}{spelling}{after}" for spelling in spellings))
    assert not any(spelling in scrubbed for spelling in spellings)


@given(keys)
def test_it_never_shows_itself(key):
    assert repr(Secret(key)) == str(Secret(key)) == f"{Secret(key)}" == "Secret(...)"
    assert Secret(key).reveal() == key


def test_a_placeholder_is_no_secret():
    assert Secret("EMPTY").scrub("the pot is EMPTY") == "the pot is EMPTY"
