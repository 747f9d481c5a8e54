"""CuisineWorld's batch in JAX: the same tables, as pure functions of one episode.

    face = in_jax(world)
    start, step = jax.vmap(face.start), jax.jit(jax.vmap(face.step))
    states = start(drawn)  # of face.batch.draws(seeds)
    states = step(states, drawn, codes)

An episode is a tuple of arrays (``Episode``); nothing branches on data, so that ``vmap``, ``jit`` and
``lax.scan`` apply, on whatever device JAX has. The numbers are those of ``arrays.step``, which says what they
mean; steps are compared with it. Of rewards there are the score and the article's; the potential is left to
the batch.

JAX is no dependency: ``pip install jax``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from backburner.arrays.batch import Batch
from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.arrays.encoding import MANY
from backburner.worlds.cuisineworld.arrays.step import (
    ALL_SUCCEEDED,
    EACH_STEP,
    HOLDS_INGREDIENT,
    HOLDS_INPUTS,
    HOLDS_PRODUCT,
    NONE,
    PER_STEP_LEFT,
    SERVED,
    Tables,
)
from backburner.worlds.cuisineworld.arrays.tables import batch as batch_of
from backburner.worlds.cuisineworld.game.world import CuisineWorld

try:
    import jax
    import jax.numpy as jnp
    from jax.nn import one_hot
except ImportError as error:
    raise ModuleNotFoundError("CuisineWorld in JAX needs JAX: pip install jax", name="jax") from error


class Episode(NamedTuple):
    """One episode, or many along first axes; as ``step.Rows``."""

    at: Any
    held: Any
    hands_busy: Any
    inside: Any
    busy: Any
    dishes: Any
    order_dish: Any
    order_left: Any
    open: Any
    arrived: Any
    served: Any
    expired: Any
    failed: Any
    steps: Any
    refused: Any
    things_wanted: Any
    inputs_wanted: Any
    paid_bodies: Any
    paid_places: Any
    cents: Any


class JaxFace:
    """The functions of one world; see the module's text. ``batch``: where its tables are from."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        tables: Tables = batch.tables
        on_device: Any = [jnp.asarray(x) if isinstance(x, np.ndarray) else x for x in tables]
        self._t = Tables(*on_device)
        rows = batch.rows(1)
        self._zeros = Episode(*(getattr(rows, name)[0] for name in Episode._fields))
        self.n_bodies, self.n_places = rows.at.shape[1], rows.inside.shape[1]
        self.n_dishes, self.n_things = rows.dishes.shape[2], len(tables.dish_of)
        self._shown = jnp.asarray(_shown(tables))
        self._tools = [
            (place, int(tables.tool_features[place]))
            for place in range(self.n_places)
            if tables.tool_features[place] >= 0
        ]
        ends = [first for _, first in self._tools[1:]] + [int(tables.tool_features[-1])]
        self._widths = [end - first - 1 for (_, first), end in zip(self._tools, ends, strict=True)]
        self._tables = [place for place in range(self.n_places) if tables.table_of[place] >= 0]
        self._thing_of_dish = jnp.asarray(np.argsort(tables.dish_of)[-self.n_dishes :])

    # --- start and step ----------------------------------------------------------------------------------

    def start(self, drawn: Any) -> Episode:
        """The first state of the episode with these draws."""
        zeros = Episode(*(jnp.asarray(x) for x in self._zeros))
        first = zeros._replace(
            at=zeros.at + self._t.start, held=zeros.held + NONE, inside=jnp.asarray(self._t.first_state)
        )
        return self._arrived(first, drawn, jnp.bool_(True))

    def step(self, episode: Episode, drawn: Any, codes: Any) -> Episode:
        """What follows from a code for each body; nothing at the end. Codes are from 0 on, and below their
        number."""
        after = episode._replace(refused=jnp.zeros_like(episode.refused))
        for body in range(self.n_bodies):
            after = self._act(after, body, codes[body])
        after = after._replace(
            hands_busy=jnp.maximum(after.hands_busy - 1, 0),
            busy=jnp.maximum(after.busy - 1, 0),
            cents=EACH_STEP + ALL_SUCCEEDED * (after.refused == 0),
        )
        after = self._orders_checked(after)
        steps = after.steps + 1
        after = after._replace(steps=steps)
        comes = (steps % self._t.interval == 0) & (after.open < self._t.most_open)
        after = self._progress(self._arrived(after, drawn, comes))
        over = self.over(episode)
        return Episode(
            *(
                jnp.where(over, old, jnp.asarray(new, old.dtype))
                for old, new in zip(episode, after, strict=True)
            )
        )

    def over(self, episode: Episode) -> Any:
        """Whether all turns have passed."""
        return episode.steps >= self._t.turns

    def restarted(self, episode: Episode, drawn: Any) -> Episode:
        """The episode, or the first state of the next one if it is over."""
        over, first = self.over(episode), self.start(drawn)
        return Episode(*(jnp.where(over, new, old) for old, new in zip(episode, first, strict=True)))

    def _act(self, k: Episode, body: int, code: Any) -> Episode:
        t, places = self._t, self.n_places
        place, held, free = k.at[body], k.held[body], k.hands_busy[body] == 0
        state, quiet, thing = k.inside[place], free & (k.busy[place] == 0), jnp.maximum(held, 0)
        at_hand = code - places - 1
        goes = (code >= 1) & (code <= places) & free
        named = jnp.where(at_hand >= 3, at_hand - 2, 0)
        got = t.get_to[state, named]
        gets = quiet & (held < 0) & ((at_hand == 0) | (at_hand >= 3)) & (got >= 0)
        table, dish = t.table_of[place], t.dish_of[thing]
        room = (table < 0) | self._has_room(k, dish)
        puts = quiet & (held >= 0) & (at_hand == 1) & (t.put_to[state, thing] >= 0) & room
        made = t.activate_to[state]
        activates = quiet & (held < 0) & (at_hand == 2) & (made >= 0)
        inside = jnp.where(
            gets, got, jnp.where(puts, t.put_to[state, thing], jnp.where(activates, made, state))
        )
        served = (puts & (table >= 0)).astype(k.dishes.dtype)
        touched = gets | puts
        return k._replace(
            at=k.at.at[body].set(jnp.where(goes, code - 1, place)),
            held=k.held.at[body].set(jnp.where(gets, t.get_thing[state, named], jnp.where(puts, NONE, held))),
            hands_busy=k.hands_busy.at[body].set(
                jnp.where(activates, t.body_busy[state], k.hands_busy[body])
            ),
            inside=k.inside.at[place].set(inside),
            busy=k.busy.at[place].set(jnp.where(activates, t.place_busy[state], k.busy[place])),
            dishes=k.dishes.at[jnp.maximum(table, 0), jnp.maximum(dish, 0)].add(served),
            refused=k.refused + ~(goes | gets | puts | activates | (code == 0)),
            paid_bodies=k.paid_bodies.at[body].set(jnp.where(touched, 0, k.paid_bodies[body])),
            paid_places=k.paid_places.at[place].set(jnp.where(touched | activates, 0, k.paid_places[place])),
        )

    def _has_room(self, k: Episode, dish: Any) -> Any:
        live = (jnp.arange(k.order_dish.shape[0]) < k.open) & (k.order_left > 0)
        waiting = (one_hot(k.order_dish, self.n_dishes, dtype=jnp.int32) * live[:, None]).sum(0)
        lying = k.dishes.sum(0)
        wanted = jnp.take(lying, dish, mode="clip") < jnp.take(waiting, dish, mode="clip")
        return wanted | (jnp.maximum(lying - waiting, 0).sum() < self._t.table_room)

    def _orders_checked(self, k: Episode) -> Episode:
        count = k.order_dish.shape[0]
        dishes, kept, served, expired, cents = k.dishes, [], k.served, jnp.int32(0), k.cents
        for order in range(count):
            dish, left, live = k.order_dish[order], k.order_left[order], order < k.open
            there = dishes[:, dish] > 0
            serves = live & (left > 0) & there.any()
            dishes = dishes.at[there.argmax(), dish].add(-serves.astype(dishes.dtype))
            served, cents = served + serves, cents + serves * (SERVED + PER_STEP_LEFT * left)
            expired = expired + (live & (left == 0))
            kept.append(live & (left > 0) & ~serves)
        keeps = jnp.stack(kept)
        place = jnp.where(keeps, jnp.cumsum(keeps) - 1, count)
        failed = jnp.minimum(expired, 1) if self._t.expiries_count_once else expired
        return k._replace(
            dishes=dishes,
            served=served,
            expired=k.expired + expired,
            failed=k.failed + failed,
            order_dish=jnp.zeros_like(k.order_dish).at[place].set(k.order_dish, mode="drop"),
            order_left=jnp.zeros_like(k.order_left).at[place].set(k.order_left - 1, mode="drop"),
            open=keeps.sum(),
            cents=cents,
        )

    def _arrived(self, k: Episode, drawn: Any, comes: Any) -> Episode:
        """One more order joins, if one ``comes``."""
        t, index = self._t, jnp.arange(k.order_dish.shape[0])
        dish = jnp.take(drawn, k.arrived, mode="clip")
        left = t.lifetime[dish]
        sooner = (k.order_left < left) | ((k.order_left == left) & (t.rank[k.order_dish] <= t.rank[dish]))
        at = ((index < k.open) & sooner).sum()

        def put_in(old: Any, new: Any) -> Any:
            joined = jnp.where(index < at, old, jnp.where(index == at, new, jnp.roll(old, 1)))
            return jnp.where(comes, joined, old)

        return k._replace(
            order_dish=put_in(k.order_dish, dish),
            order_left=put_in(k.order_left, left),
            open=k.open + comes,
            arrived=k.arrived + comes,
            things_wanted=k.things_wanted + comes * t.wanted_things[dish],
            inputs_wanted=k.inputs_wanted + comes * t.wanted_inputs[dish],
        )

    # --- what is seen, and paid --------------------------------------------------------------------------

    def masks(self, k: Episode) -> Any:
        """What the menu has for each body: uint8 of (body, code)."""
        t, running = self._t, ~self.over(k)
        free = (k.hands_busy == 0) & running
        state = k.inside[k.at]
        quiet, empty, thing = free & (k.busy[k.at] == 0), k.held < 0, jnp.maximum(k.held, 0)
        room = (t.table_of[k.at] < 0) | jax.vmap(self._has_room, (None, 0))(k, t.dish_of[thing])
        ways = free[:, None] & (jnp.arange(self.n_places) != k.at[:, None])
        offered = (t.offers[state] > 0) & (quiet & empty)[:, None]
        put = quiet & ~empty & (t.offers_put[state, thing] > 0) & room
        fetched = jnp.broadcast_to(offered[:, 2:], (self.n_bodies, t.n_ingredients))
        at_hand = jnp.stack([offered[:, 0], put, offered[:, 1]], 1)
        wait = jnp.ones((self.n_bodies, 1), bool)
        return jnp.concatenate([wait, ways, at_hand, fetched], 1).astype(jnp.uint8)

    def features(self, k: Episode) -> Any:
        """What each body sees: float32 of (body, feature)."""
        t, bodies = self._t, range(self.n_bodies)
        own = jnp.concatenate(
            [
                one_hot(k.at, self.n_places),
                one_hot(k.held, self.n_things),
                (k.hands_busy > 0)[:, None].astype(jnp.float32),
            ],
            1,
        )
        around = [
            jnp.concatenate([own[(body + other) % self.n_bodies] for other in bodies]) for body in bodies
        ]
        shared = []
        for (place, _), width in zip(self._tools, self._widths, strict=True):
            shared += [
                self._shown[k.inside[place], :width],
                (k.busy[place : place + 1] > 0).astype(jnp.float32),
            ]
        shared.append((jnp.minimum(k.dishes, MANY) / MANY).reshape(-1))
        shared += [self._orders_seen(k), jnp.maximum(0, t.steps - k.steps)[None] / t.steps]
        seen = jnp.concatenate([part.astype(jnp.float32) for part in shared])
        return jnp.concatenate([jnp.stack(around), jnp.broadcast_to(seen, (self.n_bodies, len(seen)))], 1)

    def _orders_seen(self, k: Episode) -> Any:
        shown, count = self._t.shown_orders, k.order_dish.shape[0]
        live = (jnp.arange(count) < k.open)[:, None]
        left = jnp.minimum(1.0, k.order_left / self._t.steps)[:, None]
        seen = jnp.concatenate([one_hot(k.order_dish, self.n_dishes), left], 1) * live
        padding = jnp.zeros((max(0, shown - count), self.n_dishes + 1))
        return jnp.concatenate([seen[:shown], padding]).reshape(-1)

    def score(self, k: Episode) -> Any:
        """Orders served."""
        return k.served.astype(jnp.float32)

    def article(self, k: Episode) -> Any:
        """What the last step was worth by the article's reward."""
        return k.cents / 100.0

    def _progress(self, k: Episode) -> Episode:
        """As ``step.progress``."""
        t, pays = self._t, k.open > 0
        for number in range(self.n_bodies):
            body = t.by_number[number]
            thing = k.held[body]
            base = (thing >= 0) & (thing < t.base_ingredients)
            k = self._paid(k, "bodies", body, "things", thing, pays & base, HOLDS_INGREDIENT)
        for place in range(self.n_places):
            inputs = t.input_set[k.inside[place]]
            k = self._paid(k, "places", place, "inputs", inputs, pays, HOLDS_INPUTS)
        for place in range(self.n_places):
            thing = t.made[k.inside[place]]
            if place in self._tables:
                lying = k.dishes[self._tables.index(place)]
                thing = jnp.where(lying.sum() == 1, self._thing_of_dish[lying.argmax()], NONE)
            k = self._paid(k, "places", place, "things", thing, pays, HOLDS_PRODUCT)
        return k

    def _paid(
        self, k: Episode, who: str, index: Any, what: str, thing: Any, pays: Any, cents: int
    ) -> Episode:
        """Pay for a thing that is still wanted, to a body or place that has been paid nothing since it was
        touched."""
        paid, wanted = getattr(k, f"paid_{who}"), getattr(k, f"{what}_wanted")
        at = jnp.maximum(thing, 0)
        now = pays & (thing >= 0) & (paid[index] == 0) & (wanted[at] > 0)
        return k._replace(
            **{
                f"paid_{who}": paid.at[index].max(now.astype(paid.dtype)),
                f"{what}_wanted": wanted.at[at].add(-now.astype(wanted.dtype)),
                "cents": k.cents + cents * now,
            }
        )


def _shown(tables: Tables) -> Any:
    """For each local state its place's features, one after the other."""
    shown = np.zeros((len(tables.slots), int(tables.slots.max(initial=0)) + 1), np.float32)
    for state, slots in enumerate(tables.slots):
        shown[state, slots[slots >= 0]] = 1.0
    widest = int(np.diff(tables.tool_features[tables.tool_features >= 0]).max(initial=1))
    return np.pad(shown, ((0, 0), (0, max(0, widest - shown.shape[1]))))


def in_jax(world: CuisineWorld) -> JaxFace:
    """The functions of a world's batch in JAX; raises ``Refused`` as the batch does, and for other worlds."""
    if not isinstance(world, CuisineWorld):
        raise Refused(f"{world.id}: there are functions in JAX for scenarios of cuisineworld alone")
    return JaxFace(batch_of(world))
