"""The worlds as environments of Gymnasium: its own checker, seeds, vectors of environments, names."""

from __future__ import annotations

import copy
import json
import pickle
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from msgspec.structs import replace
from typer.testing import CliRunner

import backburner.training  # registers
from backburner.arrays.batch import episode_seed
from backburner.cli import app
from backburner.kernel import packs, registry
from backburner.kernel.answers import Answered, encoded
from backburner.kernel.errors import BackburnerError, PolicyStops, Refused, UnknownName
from backburner.kernel.values import digest
from backburner.training import environments
from backburner.training.curriculum import attained_in, curriculum_of
from backburner.training.gymnasium_env import Drawn, WorldEnv
from backburner.training.series import Series
from backburner.training.spaces import Words
from support.small_worlds.relay import SEATS, Relay, Scenario
from support.small_worlds.relay_arrays import ENVIRONMENT, installed

ENVIRONMENTS = sorted(environments())

IN_NUMBERS = sorted(id for id, pack in environments().items() if pack.encoding)

BOTH = [(id, "text") for id in ENVIRONMENTS] + [(id, "features") for id in IN_NUMBERS]


@pytest.fixture
def relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed(tmp_path, monkeypatch):
        yield


def made(id: str, **options: Any) -> WorldEnv:
    """The environment itself, without wrappers."""
    env = gymnasium.make(id, **options).unwrapped
    assert isinstance(env, WorldEnv)
    return env


def played(env: Any, seed: int | None, steps: int = 60, menu: bool = True) -> list[Any]:
    """An episode of drawn actions, up to so many steps: all that the environment gives."""
    env.action_space.seed(7)
    told = [env.reset(seed=seed)]
    for _ in range(steps):
        action = env.action_space.sample()
        if menu and isinstance(told[-1][0], dict) and "action_mask" in told[-1][0]:
            mask = told[-1][0]["action_mask"]
            action = env.action_space.sample(mask=mask)
        told.append(env.step(action))
        if told[-1][2] or told[-1][3]:
            break
    return told


# --- the field's own checks ------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "observation"), BOTH)
def test_gymnasiums_checker_finds_nothing(id: str, observation: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(id, observation=observation))


def test_an_environment_is_there_for_every_installed_world() -> None:
    assert set(ENVIRONMENTS) == {f"backburner/{name}-v{packs.pack(name).version}" for name in packs.names()}
    assert set(ENVIRONMENTS) <= set(gymnasium.registry)


@pytest.mark.parametrize("id", ENVIRONMENTS)
def test_its_first_scenario_is_that_of_the_quick_suite(id: str) -> None:
    name = environments()[id].name
    quick = registry.expand(f"{name}/quick")[0]
    assert gymnasium.make(id, observation="text").unwrapped.series.world.id == quick


# --- worlds of other packages ----------------------------------------------------------------------------


@pytest.mark.parametrize("observation", ["text", "features"])
def test_a_world_of_another_package_has_an_environment_as_well(relay: None, observation: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(ENVIRONMENT, observation=observation))


def test_the_learner_decides_for_all_seats_at_once(relay: None) -> None:
    env = made(ENVIRONMENT)
    assert env.action_space == gymnasium.spaces.MultiDiscrete([9, 9])
    seen, info = env.reset(seed=3)
    assert seen["features"].shape == (2, 9) and seen["action_mask"].shape == (2, 9)
    # Both may rest; only the reader oils (1) and says (5 to 7), only the runner presses (2 to 4).
    assert seen["action_mask"].tolist() == [[1, 1, 0, 0, 0, 1, 1, 1, 0], [1, 0, 1, 1, 1, 0, 0, 0, 0]]
    assert env.action_masks().tolist() == seen["action_mask"].astype(bool).reshape(-1).tolist()
    seen, reward, terminated, truncated, info = env.step([1, 3])
    # The hinges take 4 steps and a press 1 to 3: the runner is asked again, the reader is not.
    assert seen["action_mask"][0].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert (reward, terminated, truncated, info["refusals"]) == (0.0, False, False, ())


def test_what_was_refused_is_told(relay: None) -> None:
    env = made(ENVIRONMENT)
    env.reset(seed=0)
    assert env.step([2, 1])[4]["refusals"] == ("not_yours", "not_yours")


def test_a_partner_plays_the_other_seat(relay: None) -> None:
    env = made(ENVIRONMENT, seat="runner", partners="random", observation="features")
    assert env.action_space == gymnasium.spaces.Discrete(9)
    told = played(env, seed=5)
    assert told[0][0]["features"].shape == (9,)
    assert told[-1][2] or told[-1][3]
    assert data_equivalence(played(env, seed=5), told, exact=True)
    assert all("not_yours" not in step[4]["refusals"] for step in told[1:])


def test_a_partner_that_cannot_go_on_cuts_the_episode_off(relay: None) -> None:
    plan = backburner.PlanPolicy("oils once", ["oil"], informed=False)
    env = made(ENVIRONMENT, seat="runner", partners=plan)
    told = played(env, seed=5)
    assert told[-1][2:4] == (False, True)
    assert told[-1][4]["reason"] == "the plan has 1 decisions and the episode goes on"
    assert env.step(0)[1:4] == (0.0, False, True)


def test_it_plays_where_an_event_loop_runs() -> None:
    import asyncio

    env = made("backburner/collab_overcooked-v4", seat="chef", partners="greedy", observation="text")

    async def notebook() -> list[Any]:
        return played(env, seed=1, steps=5)

    inside = asyncio.run(notebook())
    assert data_equivalence(inside, played(env, seed=1, steps=5), exact=True)


# --- seeds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "observation"), BOTH)
def test_the_same_seed_gives_the_same_episode(id: str, observation: str) -> None:
    env, other = made(id, observation=observation), made(id, observation=observation)
    story = played(env, seed=11)
    assert data_equivalence(story, played(other, seed=11), exact=True)
    assert data_equivalence(story, played(env, seed=11), exact=True)


def test_episodes_go_on_by_the_one_rule_for_seeds() -> None:
    env = made("backburner/timearena-v3")
    seeds = [env.reset(seed=5)[1]["seed"], *(env.reset()[1]["seed"] for _ in range(3))]
    assert seeds == [episode_seed(5, number) for number in range(4)]
    assert seeds[0] == 5 and len(set(seeds)) == 4
    assert env.reset(seed=5)[1]["seed"] == 5


def test_a_pool_holds_every_seed_that_is_played() -> None:
    env = made("backburner/timearena-v3", seeds=range(100, 110))
    seeds = [env.reset(seed=5)[1]["seed"], *(env.reset()[1]["seed"] for _ in range(30))]
    assert seeds == [episode_seed(5, number, range(100, 110)) for number in range(31)]
    assert set(seeds) <= set(range(100, 110)) and len(set(seeds)) > 5


def test_without_a_seed_two_environments_play_different_episodes() -> None:
    first, second = (made("backburner/timearena-v3").reset()[1]["seed"] for _ in range(2))
    assert first != second


# --- text ------------------------------------------------------------------------------------------------


def test_the_text_environment_plays_as_people_and_models_do() -> None:
    env = made("backburner/timearena-v3", scenario="timearena/household1", observation="text")
    world = backburner.world("timearena/household1")
    seat = world.seats[0]
    seen, _ = env.reset(seed=0)
    assert seen == f"{world.briefing(seat)}\n\n{world.describe(world.observe(world.start(0), seat))}"
    episode = backburner.play_now(world, backburner.RandomPolicy(), seed=0)
    for entry in episode.entries:
        words = world.words(entry.answers[seat].decision, seat)
        _, _, terminated, truncated, info = env.step(words)
    assert info["outcome"] == episode.ending.numbers and info["reason"] == episode.ending.reason
    assert (terminated, truncated) == (True, False)


@pytest.mark.parametrize("text", ["", "\x00" * 50, "ü" * 2000, "{" * 2000, "\ud800"])
@pytest.mark.parametrize("id", ENVIRONMENTS)
def test_whatever_text_comes_is_refused_by_the_world_and_not_by_python(id: str, text: str) -> None:
    env = made(id, observation="text")
    seen, _ = env.reset(seed=1)
    seats = env.series.seats
    seen, *_, info = env.step(text if len(seats) == 1 else dict.fromkeys(seats, text))
    assert info["refusals"] and seen in env.observation_space


@pytest.mark.parametrize("action", [3, None, b"wait", {"agent": "wait"}])
def test_what_is_no_text_is_no_action(action: object) -> None:
    env = made("backburner/timearena-v3", observation="text")
    env.reset(seed=1)
    with pytest.raises(Refused, match="an action is a text"):
        env.step(action)


def test_signs_that_a_scenario_is_written_in_are_in_its_space() -> None:
    world = Relay()
    world.scenario = Scenario(("红", "green", "blue"))
    face = Words(Series(world, seat="runner", partners="random"), ("runner",))
    seen = face.observation(begins=True)
    assert seen.startswith("You press buttons (红, green, blue) or rest.") and seen in face.observation_space
    heard = Words(Series(Relay(), seat="runner", partners="random"), ("runner",))
    heard._series.state = replace(heard._series.state, heard="红")
    assert "You heard '?'." in heard.observation(begins=False), "a partner may say anything"


def test_who_is_asked_is_told_and_the_others_are_not_heard() -> None:
    env = made("backburner/collab_overcooked-v4", scenario="collab_overcooked/boiled_egg", observation="text")
    _, info = env.reset(seed=0)
    assert info["asked"] == env.series.world.deciders(env.series.state) == ("chef",)
    answers = dict.fromkeys(env.series.seats, "nonsense")
    info = env.step(answers)[4]
    assert len(info["refusals"]) == 1, "the assistant was not asked"


# --- vectors of environments -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("observation", ["text", "features"])
def test_vectors_of_environments_are_the_same_episodes(relay: None, mode: str, observation: str) -> None:
    if mode == "async" and observation == "features":
        pytest.skip("other processes do not know the world of this test; ours with features are tried below")
    id = ENVIRONMENT if observation == "features" else "backburner/timearena-v3"
    shared: dict[str, Any] = {"shared_memory": False} if (mode, observation) == ("async", "text") else {}
    vector = gymnasium.make_vec(
        id, num_envs=3, vectorization_mode=mode, vector_kwargs=shared, observation=observation
    )
    assert vector.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    alone = [gymnasium.make(id, observation=observation) for _ in range(3)]
    seen, info = vector.reset(seed=40)
    for number, env in enumerate(alone):
        env.reset(seed=40 + number)
    over = [False] * 3
    vector.action_space.seed(1)
    for _ in range(80):
        actions = vector.action_space.sample()
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for number, env in enumerate(alone):
            # A row that has ended ignores the next action, and begins the next episode of its series.
            if over[number]:
                step: Any = (*env.reset(), 0.0, False, False)
                step = (step[0], *step[2:], step[1])
            else:
                step = env.step(actions[number])
            over[number] = step[2] or step[3]
            assert (rewards[number], terminated[number], truncated[number]) == step[1:4]
            assert info["seed"][number] == step[4]["seed"] and info["score"][number] == step[4]["score"]
            if isinstance(seen, dict):
                assert np.array_equal(seen["features"][number], step[0]["features"])
                assert np.array_equal(seen["action_mask"][number], step[0]["action_mask"])
            else:
                assert seen[number] == step[0]
    assert len({int(seed) for seed in info["seed"]}) == 3 and min(info["seed"]) > 42, "all began anew"
    vector.close()


def test_texts_do_not_go_through_shared_memory() -> None:
    """Gymnasium 1.4 would show them as they were before the first reset, for ever."""
    with pytest.raises(ValueError, match="shared_memory=False"):
        gymnasium.make_vec(
            "backburner/timearena-v3", num_envs=2, vectorization_mode="async", observation="text"
        )


# --- ends, and what is paid there ---------------------------------------------------------------------------


def returned(env: Any, action: Any) -> tuple[list[float], bool, bool, dict[str, Any]]:
    """The rewards of an episode of one action again and again, its two flags and the last info."""
    env.reset(seed=0)
    rewards: list[float] = []
    while True:
        _, reward, terminated, truncated, info = env.step(action)
        rewards.append(float(reward))
        if terminated or truncated:
            return rewards, terminated, truncated, info


def test_a_limit_of_the_world_is_an_end_at_which_all_that_was_hoped_for_is_charged() -> None:
    env = made("backburner/timearena-v3", reward="potential", observation="text")
    encoding = env.series.encoding
    assert encoding is not None
    rewards, terminated, truncated, info = returned(env, "wait")
    assert (terminated, truncated, info["reason"]) == (True, False, "time_limit")
    assert sum(rewards) == pytest.approx(-encoding.potential(env.series.world.start(0)))


def test_a_cap_of_ones_own_hands_the_value_on() -> None:
    """What is left is not charged there: the learner's own estimate of it is bootstrapped."""
    whole = returned(made("backburner/timearena-v3", reward="potential", observation="text"), "wait")[0]
    capped = gymnasium.make(
        "backburner/timearena-v3", reward="potential", observation="text", max_episode_steps=5
    )
    rewards, terminated, truncated, _ = returned(capped, "wait")
    assert (terminated, truncated) == (False, True)
    assert rewards == whole[:5] and sum(rewards) > -1


class Goes:
    """A partner that cannot go on."""

    name, informed, settings = "goes", False, {}

    async def decide(self, turn: Any, memory: Any) -> Any:
        raise PolicyStops("the partner has enough")


def test_a_partner_that_cannot_go_on_truncates() -> None:
    env = made("backburner/clocked_kitchen-v1", observation="text", seat="agent0", partners=Goes())
    _, terminated, truncated, info = returned(env, "wait")
    assert (terminated, truncated, info["reason"]) == (False, True, "the partner has enough")


@pytest.mark.parametrize("reward", ["score", "sparse"])
def test_relative_pay_is_what_the_seat_adds(reward: str) -> None:
    beside = {"observation": "text", "seat": "agent0", "partners": "greedy", "reward": reward}
    whole = made("backburner/clocked_kitchen-v1", **beside)
    relative = made("backburner/clocked_kitchen-v1", pay="relative", **beside)
    (paid, *_), (added, *_) = returned(whole, "wait"), returned(relative, "wait")
    assert sum(paid) > 0 and sum(added) == 0
    assert added[1:] == paid[1:], "the first step is charged, which no discount weighs"
    assert sum(returned(copy.deepcopy(relative), "wait")[0]) == 0
    relative.close()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"pay": "relative"}, "name partners"),
        ({"pay": "relativ", "seat": "agent0", "partners": "greedy"}, "did you mean relative"),
    ],
)
def test_a_way_to_pay_that_there_is_not_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(BackburnerError, match=told):
        WorldEnv("clocked_kitchen", observation="text", **options)


# --- names and choices that do not exist -------------------------------------------------------------------


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"scenario": "timearena/cooking11"}, "did you mean cooking1 or"),
    ({"scenario": "robotouille/synchronous/1@seed=42"}, "is a scenario of robotouille"),
    ({"scenario": "timearena/singles"}, "is a suite of 30 scenarios; name one"),
    ({"observation": "texts"}, "unknown observation 'texts'; did you mean text"),
    ({"reward": "scores", "observation": "text"}, "unknown reward 'scores'.*; did you mean score"),
    ({"rules": "standart"}, "did you mean standard"),
    ({"limits": "articles"}, "did you mean article"),
    ({"discount": 1.5}, "a discount is a number from 0 to 1"),
    ({"seat": "agnet"}, "unknown seat 'agnet'.*; did you mean agent"),
    ({"partners": "greedy"}, "there is no seat for partners, as it has one seat"),
    ({"seeds": ()}, "a pool has one seed at least"),
    ({"seeds": [0, 1.5]}, "a seed of the pool is a whole number, not 1.5"),
    ({"seeds": 5}, "seeds are a pool, such as range\\(1000\\), not 5"),
    ({"scenario": 3}, "a scenario is an id, or a file; not 3"),
    ({"observation": 3}, "unknown observation '3'"),
    ({"reward": 3}, "unknown reward '3'"),
    ({"discount": "high"}, "a discount is a number from 0 to 1, not 'high'"),
    ({"rules": 3}, "rules are a name, such as standard, or Rules of timearena; not 3"),
    ({"limits": 3}, "limits are a name, such as article, or Limits of timearena; not 3"),
    (
        {"scenari": "timearena/lab1"},
        "unknown option 'scenari' in timearena's environment; did you mean scenario",
    ),
]


@pytest.mark.parametrize(("options", "told"), WRONG)
def test_what_does_not_exist_is_answered_with_what_does(options: dict[str, Any], told: str) -> None:
    with pytest.raises(BackburnerError, match=told):
        WorldEnv("timearena", **options)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seat": "chef"}, "who plays assistant\\? Name an agent with partners="),
        ({"seat": "chef", "partners": "greddy"}, "unknown agent 'greddy'; did you mean greedy"),
        ({"seat": "chef", "partners": {"asistant": "greedy"}}, "did you mean assistant"),
        ({"seat": "chef", "partners": {}}, "no partner for seat assistant"),
        ({"partners": "greedy"}, "the learner has all seats; name its own"),
        ({"seat": "chef", "partners": object()}, "a partner is an agent's name or a policy, not <object"),
    ],
)
def test_seats_and_partners_fit_together(options: dict[str, Any], told: str) -> None:
    with pytest.raises(BackburnerError, match=told):
        WorldEnv("collab_overcooked", observation="text", **options)


@pytest.mark.parametrize("id", IN_NUMBERS)
@pytest.mark.parametrize("code", [-1, 10**6, 10**30, 0.5, True, None, "wait", float("nan")])
def test_what_are_no_codes_is_refused_before_anything_changes(id: str, code: object) -> None:
    """As batches do: a code of -1 was the last one."""
    env = made(id)
    env.reset(seed=0)
    state, bodies = env.series.state, sum(map(len, env.series.encoding.bodies.values()))  # type: ignore[union-attr]
    for action in ([code] * bodies, [0] * (bodies + 1), {}, [[0], [0, 0]]):
        with pytest.raises(Refused, match="codes are"):
            env.step(action)
        assert env.series.state is state


def test_a_scenario_may_be_a_path() -> None:
    env = made("backburner/cuisineworld-v2", scenario=Path("examples/older_level_1.json"))
    assert env.series.world.id == made("backburner/cuisineworld-v2", scenario=OLDER).series.world.id


OLDER = "examples/older_level_1.json"
PARTNERED = {"scenario": "cuisineworld/level_3@seats=each", "seat": "agent0", "partners": "greedy"}


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
@pytest.mark.parametrize(
    ("id", "options"),
    [(id, {"reward": "potential"}) for id in IN_NUMBERS]
    + [("backburner/cuisineworld-v2", PARTNERED)]
    + [(id, {"observation": "text"}) for id in ("backburner/robotouille-v2", "backburner/clocked_kitchen-v1")]
    + [("backburner/collab_overcooked-v4", {"seat": "chef", "partners": "greedy"})],
)
def test_a_copy_goes_on_from_where_it_is(id: str, options: dict[str, Any], again: Any) -> None:
    """Also out of a file, and where partners have been asked already."""
    env = made(id, **options)
    env.reset(seed=3)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(20)]
    for action in actions[:10]:
        env.step(action)
    other = again(env)
    for action in actions[10:]:
        assert data_equivalence(env.step(action), other.step(action))
    other.close()
    env.close()


def test_an_unknown_world_or_version_is_gymnasiums_to_answer() -> None:
    with pytest.raises(gymnasium.error.NameNotFound, match="timearena"):
        gymnasium.make("backburner/timearnea-v3")
    with pytest.raises(gymnasium.error.Error):
        gymnasium.make("backburner/timearena-v99")


def test_features_of_a_world_without_numbers_are_refused(
    relay: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import relay_pack  # of the fixture

    without = packs.installed().packs | {"relay": replace(relay_pack.PACK, encoding="")}
    monkeypatch.setattr(packs, "installed", lambda: packs.Installed(without, {}))
    with pytest.raises(Refused, match="this world has no encoding in numbers"):
        WorldEnv("relay", observation="features")
    env = WorldEnv("relay")
    assert isinstance(env.action_space, gymnasium.spaces.Dict) and set(env.action_space) == set(SEATS)
    with pytest.raises(UnknownName, match="unknown reward 'potential' in relay/door, which has no encoding"):
        WorldEnv("relay", reward="potential")
    with pytest.raises(Refused, match="masks with observation='features' only"):
        env.action_masks()


def test_render_is_what_the_seat_is_told() -> None:
    env = made("backburner/timearena-v3", observation="text", render_mode="ansi")
    env.reset(seed=1)
    seen = env.step("wait")[0]
    assert env.render() == seen
    with pytest.warns(UserWarning, match="not in the possible render_modes"):
        other = gymnasium.make("backburner/timearena-v3", render_mode="rgb_array").unwrapped
    assert other.render() is None


def test_environments_are_listed(relay: None) -> None:
    told = CliRunner().invoke(app, ["list", "--environments", "--json"])
    rows = {row["environment"]: row for row in json.loads(told.output)}
    assert set(rows) == set(environments())
    assert rows[ENVIRONMENT] == {
        "environment": ENVIRONMENT, "observations": ["features", "text"], "batches": False,
    }  # fmt: skip
    table = CliRunner().invoke(app, ["list", "relay", "--environments"]).output
    assert ENVIRONMENT in table and "timearena" not in table


def test_the_examples_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text()
    names: dict[str, Any] = {}
    for example in re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL):
        exec(compile(example, "training.md", "exec"), names)  # noqa: S102  our own page
    assert "'minutes':" in capsys.readouterr().out


# --- other scenarios, and curricula -----------------------------------------------------------------------


def test_a_reset_goes_over_to_another_scenario() -> None:
    env = made("backburner/timearena-v3", scenario="timearena/cooking1", observation="text")
    env.reset(seed=1)
    seeds = [env.reset(options={"scenario": f"timearena/cooking{n}"})[1]["seed"] for n in (2, 3)]
    assert env.series.world.id == "timearena/cooking3"
    assert seeds[0] != seeds[1]
    there = made("backburner/timearena-v3", scenario="timearena/cooking3", observation="text")
    assert data_equivalence(played(env, seed=4), played(there, seed=4), exact=True)


def test_a_scenario_with_other_codes_is_refused_and_nothing_changes() -> None:
    env = made("backburner/timearena-v3", scenario="timearena/cooking1", observation="features")
    env.reset(seed=1)
    with pytest.raises(Refused, match=r"cooking2 has other codes.*observation='text'"):
        env.reset(options={"scenario": "timearena/cooking2"})
    with pytest.raises(Refused, match="cuisineworld"):
        env.reset(options={"scenario": "cuisineworld/level_1@seed=play,tau=1.5"})
    assert env.series.world.id == "timearena/cooking1"
    env.reset(seed=1, options={"scenario": "timearena/cooking1"})


def built(folder: Path, name: str, task: str, best: int) -> Path:
    """A folder with one scenario and its answer, as ``backburner build`` leaves it."""
    file = folder / name / "only.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"world": "timearena", "id": name, "tasks": [task]}))
    scenario = digest(registry.world(str(file)).scenario)
    answer = Answered(scenario, "min", "minutes", "optimal", best, best)
    (file.parent / "answers.jsonl").write_bytes(encoded([answer]))
    return file


def test_a_curriculum_draws_the_episodes_of_an_environment_and_is_told_of_them(tmp_path: Path) -> None:
    files = [built(tmp_path, "easy", "cooking1", 10), built(tmp_path, "hard", "cooking2", 10)]
    env = Drawn(
        gymnasium.make("backburner/timearena-v3", scenario=str(files[0]), observation="text"),
        curriculum_of([str(file.parent) for file in files]),
        seed=2,
    )
    expected = [env.curriculum.draw(2, n) for n in range(6)]
    worlds = []
    for _ in expected:
        env.reset(seed=1)
        series = env.unwrapped.series  # type: ignore[attr-defined]
        worlds.append(series.world.id)
        over = False
        while not over:
            action = series.world.words(series.world.menu(series.state, series.seats[0]).options[0].decision)
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
    assert worlds == [f"timearena/user/{Path(task.scenario).parent.name}" for task in expected]
    returns = [sum(task.level == level for task in expected) for level in range(2)]
    assert [level.returns for level in env.curriculum.levels] == returns
    assert env.number == 6
    # The last one ended after so many minutes, with everything done; its best is 10 minutes.
    done, minutes = info["outcome"]["score"] / 100, info["outcome"]["minutes"]
    assert attained_in(expected[-1].scenario, info["outcome"]) == done * 10 / max(minutes, 10)
    # Without an answer it is the share of the required work.
    assert attained_in("timearena/cooking1", {"score": 40, "minutes": 9, "completed": 0}) == 0.4


def test_an_episode_that_is_left_is_not_told(tmp_path: Path) -> None:
    file = built(tmp_path, "easy", "cooking1", 10)
    env = Drawn(
        made("backburner/timearena-v3", scenario=str(file), observation="text"), curriculum_of([str(file)])
    )
    env.reset(seed=1)
    env.step("wait")
    env.reset()
    assert env.curriculum.levels[0].returns == 0
    assert env.number == 2
