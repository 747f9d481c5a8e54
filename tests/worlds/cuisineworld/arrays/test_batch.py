"""CuisineWorld in batches: in lockstep with the exact world, and what they do not cover."""

from __future__ import annotations

import pytest

from backburner.arrays.batch import batch_of
from backburner.arrays.encoding import encoding_of
from backburner.kernel.errors import Refused
from backburner.training.batches import Episodes
from backburner.training.lockstep import Compared, lockstep
from support.cuisineworld.play import MEATCAKE, world_of

LEVELS = range(13)
SEATINGS = (
    "bodies=1",
    "bodies=2",
    "bodies=3,seats=each",
    "bodies=4,seats=0.3+1.2",
    "bodies=2,seats=1+0,table=1",
    "bodies=2,table=0",
)


def compare(
    path: str, rules: str, legal_share: float, rows: int = 2, steps: int = 65, seed: int = 0
) -> Compared:
    """Lockstep in which bodies seldom wait, and walk less than chance would have them."""
    world = world_of(path, rules)
    actions = encoding_of(world).actions
    weights = [0.05 if name == "wait" else 0.5 if name.startswith("goto") else 1.0 for name in actions]
    return lockstep(world, rows, steps, legal_share, seed, weights)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("level", LEVELS)
def test_batches_agree_with_the_exact_world(level: int, rules: str) -> None:
    """Menu play and, in three of ten, any code; rewards, masks and features are compared as well."""
    tau = (1.0, 1.5, 2.0, 2.5, 3.0)[level % 5]
    for index, seating in enumerate(SEATINGS[(level + (rules == "released")) % 2 :: 2]):
        path = f"level_{level}@seed=play,tau={tau},{seating}"
        assert compare(path, rules, 1.0, seed=level).outside == 0
        assert compare(path, rules, 0.7, seed=100 * index + level).outside > 0


def test_lockstep_sees_dishes_served() -> None:
    """Level 0 is so small that play by chance serves some."""
    assert compare("level_0@seed=play,tau=3.0,bodies=3", "standard", 1.0, rows=40, steps=61).score >= 5


def test_orders_follow_the_stream_of_the_scenario() -> None:
    """A fixed seed, episodes that go on in a stream, and the pace of the level's file."""
    for path in ("level_9@seed=7", "level_1@episode=2,tau=1.0", "level_3@tau=fixed", "level_2@drawn=30"):
        compare(path, "standard", 1.0)


@pytest.mark.parametrize(
    ("option", "told"),
    [("spoil=5", "spoil"), ("orders=hidden", "hidden"), ("decide=in_turn,seats=each", "in turn")],
)
def test_what_a_batch_does_not_cover_is_named(option: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        batch_of(world_of(f"level_1@{option}"))


def test_play_without_an_end_has_no_batch() -> None:
    with pytest.raises(Refused, match="limits"):
        batch_of(world_of("level_1", limits="none"))


def test_a_meatcake_is_served_in_a_batch() -> None:
    """13 steps; what they pay is the order, 1."""
    episodes = Episodes("cuisineworld/level_0@bodies=1,tau=2.0", 3)
    actions = episodes.batch.encoding.actions
    for line in MEATCAKE:
        verb, _, *things = line.split("_")
        named = f"{verb} {things[0]}" if verb == "goto" or len(things) == 2 else verb
        assert episodes.masks[:, 0, actions.index(named.replace("noop", "wait"))].all()
        episodes.step([[actions.index(named.replace("noop", "wait"))]] * 3)
    assert episodes.scores.tolist() == episodes.rewards.tolist() == [1.0] * 3
