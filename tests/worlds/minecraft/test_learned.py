"""The learned agent: numpy alone, farms it never saw, the training that made it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import msgspec
import numpy as np
import pytest

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.arrays.network import Header, Network, read_network, write_network
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.training.learner.configuration import expanded, shipped_configuration
from backburner.training.learner.rollouts import lane_of
from backburner.worlds.minecraft.arrays.outlook import CODE_NAMES, CONTEXT_NAMES, DEEDS, NEEDED, outlook
from backburner.worlds.minecraft.game import Calls, Minecraft
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR, SERVER
from support.minecraft.play import CHICKEN, DISPATCHER, play, world_of, yard

SHIPPED = files("backburner.worlds.minecraft") / "data" / "learned"

HELD_OUT = [f"farm/{farm}@tau={tau}" for farm, tau in zip(range(10), ("1.5", "2.0") * 5, strict=True)]


def served(world: Minecraft, agent: str) -> float:
    episode = play_now(world, make_policies(AgentSpec(agent), world), 0)
    assert episode.ending is not None
    return float(episode.ending.numbers["completed"])


def test_on_farms_it_never_saw_it_serves_about_as_much_as_greedy_and_chance_next_to_nothing() -> None:
    learned, greedy, chance = (
        sum(served(world_of(path), agent) for path in HELD_OUT) for agent in ("learned", "greedy", "random")
    )
    assert learned > 0.9 * greedy > 40 and chance < 10


def test_no_farm_is_both_trained_on_and_held_out_and_the_published_levels_are_held_out() -> None:
    configuration = shipped_configuration("minecraft")
    trained, held_out = (
        {registry.split(id)[1] for id in expanded(ids)}
        for ids in (configuration.scenarios, configuration.held_out)
    )
    assert (
        not trained & held_out and {"level_1", "level_2", *(f"farm/{farm}" for farm in range(10))} <= held_out
    )


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_every_option_of_the_menu_has_its_numbers_in_bounds(rules: str) -> None:
    world = world_of("farm/3@bodies=3,tau=1.0", rules)
    view, state, draw = outlook(world), world.start(), np.random.default_rng(1)
    while world.deciders(state):
        glance = view.glance(state)
        for body in range(view.bodies):
            context, codes = glance.look(body)
            offered = sum(
                option.body == world.compiled.names[body] for option in world.menu(state, DISPATCHER).options
            )
            assert context.shape == (len(CONTEXT_NAMES),) and codes.shape == (1 + offered, len(CODE_NAMES))
            assert np.isfinite(context).all() and np.isfinite(codes).all()
            assert min(context.min(), codes.min()) >= 0 and max(context.max(), codes.max()) <= 4
            assert (codes[:, : len(DEEDS)].sum(axis=1) == 1).all()
            glance.take(body, int(draw.integers(len(codes))))
        step = world.step(state, {DISPATCHER: glance.decision})
        assert {refusal.code for refusal in step.refusals} <= {
            "no_mob",
            "no_block",
            "no_output",
            "slot_taken",
        }
        state = step.state


def test_what_one_body_fetches_the_next_one_knows_of() -> None:
    world = yard()
    glance = outlook(world).glance(world.start())
    missed = CONTEXT_NAMES.index(f"most missed dish: {NEEDED[0]}")
    assert glance.look(1)[0][missed] == 1
    mob, ordered = CODE_NAMES.index("go to a mob"), CODE_NAMES.index("is for a dish that is ordered here")
    chosen = next(i for i, code in enumerate(glance.look(0)[1]) if code[mob] and code[ordered])
    glance.take(0, chosen)
    others = CODE_NAMES.index("others chose it")
    context, codes = glance.look(1)
    assert context[missed] == 0
    assert [bool(code[mob] and code[ordered]) for code in codes] == (codes[:, others] == 0.5).tolist()
    assert context[CONTEXT_NAMES.index("another is after a mob")] == 1
    assert glance.decision == Calls(("goto(alex, chicken)",))


def test_the_potential_grows_as_a_dish_comes_nearer_to_the_chest() -> None:
    world = yard()
    view = outlook(world)
    progress = [view.glance(play(world, *CHICKEN[:done])).progress for done in range(len(CHICKEN) + 1)]
    assert progress == sorted(progress) and progress[0] == 0 and progress[-1] > progress[4] > progress[2]


def test_it_tells_that_it_knows_the_pace_of_orders() -> None:
    (policy,) = make_policies(AgentSpec("learned"), world_of("level_2")).values()
    assert policy.informed and policy.settings["steps"] > 0


@pytest.mark.parametrize("options", ["seats=each", "bodies=1", "bodies=4,seats=person", "seed=play"])
def test_it_plays_any_share_of_any_number_of_bodies(options: str) -> None:
    assert served(world_of(f"level_1@{options}"), "learned") > 0


def test_with_an_instructor_and_a_server_it_says_nothing_and_takes_what_is_predicted() -> None:
    plain, seats = world_of("level_1"), world_of("level_1@instructor=yes,live=yes")
    assert {INSTRUCTOR, SERVER} < set(seats.seats)
    assert served(plain, "learned") == served(seats, "learned")


def test_weights_are_small_and_tell_how_they_were_trained() -> None:
    with as_file(SHIPPED / "policy.safetensors") as file:
        network = read_network(file)
        assert file.stat().st_size < 150_000
    shipped = msgspec.json.encode(shipped_configuration("minecraft"))
    assert msgspec.json.decode(network.header.configuration) == msgspec.json.decode(shipped)


def test_a_file_is_played_by_its_name_and_one_of_other_numbers_is_refused_in_a_line(tmp_path: Path) -> None:
    world = world_of("level_1@tau=1.5")
    with as_file(SHIPPED / "policy.safetensors") as file:
        assert served(world, f"weights:{file}") == served(world, "learned")
        network = read_network(file)
    header = network.header
    other = Header(header.shape, header.world, "0" * 32, header.trained, header.configuration)
    write_network(tmp_path / "other.safetensors", Network(other, network.weights))
    with pytest.raises(Refused, match="which reads other numbers than minecraft has here"):
        make_policies(AgentSpec(f"weights:{tmp_path / 'other.safetensors'}"), world)


def test_training_takes_one_seat_and_the_score_alone() -> None:
    configuration = shipped_configuration("minecraft")
    with pytest.raises(Refused, match="training takes one seat"):
        lane_of(world_of("level_1@seats=each"), configuration, 1)
    with pytest.raises(Refused, match="trains network=entities with reward=score alone"):
        lane_of(world_of("level_1"), msgspec.structs.replace(configuration, network="list"), 1)


def test_a_lane_plays_each_episode_as_the_world_does() -> None:
    world = world_of("farm/5@seed=play,tau=1.0")
    lane = lane_of(world, shipped_configuration("minecraft"), 3)
    lane.start((4, 5, 6))
    states, total = [world.start(seed) for seed in (4, 5, 6)], np.zeros(3)
    draw = np.random.default_rng(2)
    while lane.live.any():
        glances = [outlook(world).glance(state) if world.deciders(state) else None for state in states]
        for body in range(lane.bodies):
            seen = lane.look(body)
            counts = np.bincount(seen.row)
            picked = np.array([draw.integers(count) for count in counts])
            lane.choose(body, picked)
            for row, glance in enumerate(glances):
                if glance is not None:
                    context, codes = glance.look(body)
                    assert (seen.context[row] == context).all() and (
                        seen.codes[seen.row == row] == codes
                    ).all()
                    glance.take(body, int(picked[row]))
        total += lane.step()
        states = [
            state if glance is None else world.step(state, {DISPATCHER: glance.decision}).state
            for state, glance in zip(states, glances, strict=True)
        ]
        assert lane.states == states
    assert total.tolist() == [len(state.served) for state in states] == lane.scores.tolist()
    assert lane.measures(0)["failed"] == states[0].expired
