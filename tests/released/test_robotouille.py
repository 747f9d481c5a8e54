"""Recorded runs of the released Robotouille program, replayed: possible actions, facts, effects, goal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.worlds.robotouille.game.domain import EffectNode
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, RELEASED
from backburner.worlds.robotouille.game.scenarios import Scenario
from backburner.worlds.robotouille.game.schema import ProblemFile
from backburner.worlds.robotouille.game.state import Acts, Kitchen, Running, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.recordings import Compare, each, episodes_in


@pytest.mark.parametrize("name", ["robotouille", "robotouille_plans"])
def test_recorded_runs_replay_exactly(vectors: Path, compare: Compare, name: str) -> None:
    compare(f"{name}.json", "steps", each(episodes_in(vectors, f"{name}.json"), replay))


def replay(episode: dict[str, Any]) -> int:
    """Play an episode's actions under released rules; returns the number of steps compared."""
    world = world_in(episode)
    state = world.start()
    layout = world.compiled.layout(state.kitchen)
    assert [[thing.name, thing.type] for thing in layout.objects] == episode["objects"], episode["id"]
    assert sorted(facts(world, state)) == episode["initial"], episode["id"]
    assert hashed(facts(world, state)) == episode["initial_hash"], episode["id"]
    for number, recorded in enumerate(episode["steps"]):
        where = f"{episode['id']} step {number}: {recorded['a']}"
        assert before(world, state, recorded) == expected(recorded, "n", "vh", "valid", "player"), where
        after = world.step(state, decisions(world, state, recorded["a"]))
        assert not after.refusals, where
        told = what_followed(world, state, after.state)
        assert told == {"add": [], "del": []} | expected(recorded, "add", "del", "ph", "fx"), where
        assert (after.state.ended == "completed") == recorded.get("done", False), where
        state = after.state
    final = {"n": len(names(world, state)), "vh": hashed(names(world, state))}
    assert final | {"done": bool(state.ended)} == episode["final"], episode["id"]
    return len(episode["steps"])


def world_in(episode: dict[str, Any]) -> Robotouille:
    problem = msgspec.convert(episode["problem"], ProblemFile)
    play: Any = "dispatcher" if episode["mode"] == "joint" else "turns"
    return Robotouille(episode["id"], Scenario(problem, play=play), RELEASED, NO_LIMITS)


def decisions(world: Robotouille, state: State, action: str | Sequence[str]) -> dict[str, Acts]:
    acts = (action,) if isinstance(action, str) else tuple(action)
    return {world.deciders(state)[0]: Acts(acts)}


def before(world: Robotouille, state: State, recorded: dict[str, Any]) -> dict[str, Any]:
    """What is possible before the step, and whose turn it is, as far as the recording says it."""
    possible = names(world, state)
    told = {"n": len(possible), "vh": hashed(possible), "valid": possible}
    told["player"] = world.deciders(state)[0]
    return {key: told[key] for key in told if key in recorded}


def what_followed(world: Robotouille, old: State, new: State) -> dict[str, Any]:
    was, now = set(facts(world, old)), set(facts(world, new))
    return {
        "add": sorted(now - was),
        "del": sorted(was - now),
        "ph": hashed(now),
        "fx": [effect_words(world, new.kitchen, one) for one in new.kitchen.effects],
    }


def expected(recorded: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: recorded[key] for key in keys if key in recorded}


def names(world: Robotouille, state: State) -> list[str]:
    return sorted(action.name for action in world.compiled.applicable(state.kitchen))


def facts(world: Robotouille, state: State) -> list[str]:
    layout = world.compiled.layout(state.kitchen)
    return [layout.words(atom) for atom in layout.true_atoms(state.kitchen.facts)]


def hashed(words: Iterable[str]) -> str:
    return sha256("\n".join(sorted(words)).encode()).hexdigest()[:16]


def effect_words(world: Robotouille, kitchen: Kitchen, one: Running) -> str:
    """An effect as the recordings write it; a star marks one that is complete."""
    layout = world.compiled.layout(kitchen)
    effects = world.compiled.effects
    parts = effects.ground_nodes(layout, one.effect, one.args)
    names = [layout.objects[arg].name if arg >= 0 else "" for arg in one.args]

    def claims(claims: Any, joint: str) -> str:
        return joint.join(
            f"{layout.predicates[claim.predicate].name}({','.join(names[place] for place in claim.params)})"
            for claim in claims
        )

    def node_words(node: EffectNode) -> str:
        count = f"{one.counts[node.index]}/{parts[node.index].full}"
        if node.type == "repetitive":
            return f"rep:{claims(node.effects, '+')}={count}"
        if node.type == "delayed":
            brought = [layout.predicates[claim.predicate].name for claim in node.effects]
            brought += [f"create:{below.made_name}" for below in node.nested]
            return f"delay:{'+'.join(brought)}({names[node.owner]})={count}"
        sets = f"{{{claims(node.effects, '+')}}}" if node.effects else ""
        return "".join(
            (f"if[{claims(node.conditions, '&')}]{sets}", *(f">{node_words(n)}" for n in node.nested))
        )

    star = "*" if effects.complete(layout, one) else ""
    return node_words(world.compiled.domain.special_effects[one.effect].root) + star
