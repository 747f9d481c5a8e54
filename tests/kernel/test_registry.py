"""Finding worlds, scenarios and suites by name, ours and those of other packages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel import packs, registry
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.claims import check
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError, BadFile, Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.worlds.timearena.game import RELEASED, STANDARD, Limits
from support.packages import distribution, on_the_path
from support.policies import Answers, FirstOnMenu
from support.small_worlds.relay import Rest

OURS = (
    "clocked_kitchen", "collab_grid", "collab_overcooked",
    "cuisineworld", "desk", "minecraft", "projects", "recipe2plan", "robotouille",
    "timearena",
)  # fmt: skip

# --- ids ---------------------------------------------------------------------------------------------

words = st.from_regex(r"[A-Za-z0-9_.+-]{1,8}", fullmatch=True)


def test_an_id_is_world_path_and_options() -> None:
    assert registry.split("timearena/cooking1+cooking2@kit=one") == (
        "timearena",
        "cooking1+cooking2",
        {"kit": "one"},
    )
    assert registry.split("robotouille/asynchronous/3") == ("robotouille", "asynchronous/3", {})


def test_options_stand_in_order_whatever_order_they_came_in() -> None:
    options = {"tau": "1.5", "bodies": "2", "episode": "0"}
    assert (
        registry.join("cuisineworld", "level_3", options) == "cuisineworld/level_3@bodies=2,episode=0,tau=1.5"
    )


@given(words, words, st.dictionaries(words, words, max_size=3))
def test_join_and_split_are_inverse(name: str, path: str, options: dict[str, str]) -> None:
    assert registry.split(registry.join(name, path, options)) == (name, path, options)


@pytest.mark.parametrize("id", ["timearena/cooking1@kit", "timearena/cooking1@kit=own,kit=one"])
def test_an_option_is_key_and_value_and_stands_once(id: str) -> None:
    with pytest.raises(Refused, match=r"key=value, once; not 'kit"):
        registry.split(id)


@pytest.mark.parametrize("written", ["timearena/cooking1@kit=one", "timearena/cooking1@ kit = one ,"])
def test_a_world_bears_its_id_in_one_spelling(written: str) -> None:
    assert registry.world(written).id == "timearena/cooking1@kit=one"


# --- names that are not known ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("timearina/cooking1", "unknown world 'timearina'; did you mean timearena?"),
        ("timearena/coking1", "did you mean cooking1"),
        ("timearena/cooking1@kti=one", "unknown option 'kti' in timearena; did you mean kit?"),
        ("timearena/cooking1@kit=on", "unknown value of option 'kit' 'on' in timearena; did you mean o"),
    ],
)
def test_an_unknown_name_offers_the_nearest(id: str, message: str) -> None:
    for ask in (registry.world, registry.expand):
        with pytest.raises(UnknownName) as caught:
            ask(id)
        assert message in str(caught.value)


def test_an_unknown_suite_offers_the_nearest_suite() -> None:
    with pytest.raises(UnknownName, match=r"did you mean .*pairs"):
        registry.expand("timearena/pair")


def test_rule_sets_and_limits_are_names_or_values() -> None:
    world = registry.world("timearena/cooking1", rules="released", limits=Limits(minutes=7))
    assert (world.rules, world.limits) == (RELEASED, Limits(minutes=7))
    assert registry.world("timearena/cooking1").rules == STANDARD
    with pytest.raises(UnknownName, match=r"unknown rule set 'relesed'.*did you mean released"):
        registry.world("timearena/cooking1", rules="relesed")
    with pytest.raises(UnknownName, match=r"unknown limits 'non'.*did you mean none"):
        registry.world("timearena/cooking1", limits="non")


# --- suites ------------------------------------------------------------------------------------------


def test_a_suite_stands_for_its_scenarios_and_hands_its_options_on() -> None:
    assert registry.expand("timearena/cooking1") == ["timearena/cooking1"]
    pairs = registry.expand("timearena/pairs@kit=one")
    assert len(pairs) == 30
    assert pairs[0] == "timearena/cooking1+cooking2@kit=one"


def test_the_options_of_a_suite_join_those_of_its_scenarios_and_outdo_them() -> None:
    """The members of ``unconstrained`` bring ``lags=off``; the usual value of an option is not written."""
    first = "recipe2plan/Cobbler+Pancakes"
    assert registry.expand("recipe2plan/constrained@knowledge=gold")[0] == f"{first}@knowledge=gold"
    both = registry.expand("recipe2plan/unconstrained@knowledge=gold,hints=on")
    assert (len(both), both[0]) == (65, f"{first}@hints=on,knowledge=gold,lags=off")
    assert registry.expand("recipe2plan/unconstrained@lags=on") == registry.expand("recipe2plan/constrained")
    with pytest.raises(UnknownName, match=r"unknown option 'knowlege'.*did you mean knowledge"):
        registry.expand("recipe2plan/constrained@knowlege=gold")
    with pytest.raises(UnknownName, match=r"option 'knowledge' 'golden'.*did you mean gold"):
        registry.expand("recipe2plan/constrained@knowledge=golden")


@pytest.mark.parametrize("name", packs.names())
def test_every_scenario_of_every_suite_of_every_world_can_be_had(name: str) -> None:
    offered = registry.catalogue(name)
    assert offered.name == name
    assert {"standard", "released"} <= set(offered.rules)
    assert {"article", "none"} <= set(offered.limits)
    suites = offered.suites()
    assert "all" in suites
    for path in suites:  # what is one episode to `show` is no suite to `run`
        with pytest.raises(BackburnerError):
            offered.scenario(path, {})
    for id in {id for path in suites for id in registry.expand(f"{name}/{path}")}:
        _, path, options = registry.split(id)
        assert offered.scenario(path, options) is not None, id


@pytest.mark.parametrize("name", packs.names())
def test_every_member_of_a_catalogue_is_there(name: str) -> None:
    offered = registry.catalogue(name)
    promised = {*Catalogue.__annotations__, *vars(Catalogue)}
    assert [member for member in promised if not hasattr(offered, member)] == []


# --- scenario files ----------------------------------------------------------------------------------


def test_a_scenario_file_is_a_scenario(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"world": "timearena", "id": "mine", "tasks": ["cooking1", "lab2"]}))
    assert registry.expand(str(file)) == [str(file)]
    world = registry.world(str(file), limits="none")
    assert world.id == "timearena/user/mine"
    assert check(play_now(world, FirstOnMenu(), max_steps=3)) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'"\xff"', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "field 'world': names the world of the scenario: .*timearena"),
        (b'{"world": 7}', "field 'world'"),
        (b'{"world": "timearena"}', "id"),
        (
            b'{"world": "timearena", "id": "mine", "tasks": ["coking1"]}',
            "tasks.0. 'coking1'.*did you mean cooking1",
        ),
    ],
    ids=repr,
)
def test_a_bad_scenario_file_is_named_with_what_is_wrong(
    tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(content)
    with pytest.raises(BadFile, match=rf"mine\.json: .*{message}"):
        registry.world(str(file))


def test_a_scenario_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.json: No such file"):
        registry.world(str(tmp_path / "none.json"))


def test_a_scenario_file_of_an_unknown_world_offers_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"world": "timearina"}')
    with pytest.raises(BadFile, match=r"mine.json: field .world.: .*did you mean timearena"):
        registry.world(str(file))


# --- folders of scenario files ------------------------------------------------------------------------


def scenario_folder(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(json.dumps({"world": "timearena", "id": name[:-5], "tasks": ["lab2"]}))
    return folder


def test_a_folder_of_scenario_files_is_a_suite(tmp_path: Path) -> None:
    folder = scenario_folder(tmp_path / "mine", "b.json", "a.json", "c.txt.json")
    (folder / "index.json").write_text("[]")
    (folder / "notes.txt").write_text("no scenario")
    assert registry.expand(str(folder)) == [str(folder / name) for name in ("a.json", "b.json", "c.txt.json")]
    assert registry.expand(f"{folder}/") == registry.expand(str(folder))
    assert [registry.world(id).id for id in registry.expand(str(folder))][:2] == [
        "timearena/user/a", "timearena/user/b",
    ]  # fmt: skip


def test_a_folder_by_its_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What begins with a world's name is an id, whatever folders there are; ``./`` makes it a path."""
    scenario_folder(tmp_path / "timearena" / "singles", "a.json")
    scenario_folder(tmp_path / "mine.json", "a.json")
    monkeypatch.chdir(tmp_path)
    assert len(registry.expand("timearena/singles")) == 30
    assert registry.expand("./timearena/singles") == ["timearena/singles/a.json"]
    assert registry.expand("mine.json") == ["mine.json/a.json"]


def test_a_folder_is_no_scenario(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="mine is a folder of scenarios; name one of its files"):
        registry.world(str(scenario_folder(tmp_path / "mine", "a.json")))


def test_a_folder_without_scenario_files_says_where_there_are_some(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no scenario file \(\*\.json\) in this folder$"):
        registry.expand(str(tmp_path))
    scenario_folder(tmp_path / "mine", "a.json")
    with pytest.raises(BadFile, match=r"in this folder; there are some in .*mine$"):
        registry.expand(str(tmp_path))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="mine: no such scenario file, or folder of them"):
        registry.expand(str(tmp_path / "mine"))


# --- worlds of other packages ------------------------------------------------------------------------


RELAY = """
from backburner.kernel.pack import Pack

PACK = Pack(
    name="relay",
    title="The relay (tests)",
    version=1,
    catalogue="support.small_worlds.relay_catalogue:catalogue",
)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What is put here is installed, beside what is."""
    with on_the_path(tmp_path, monkeypatch):
        yield tmp_path


def test_an_installed_package_adds_its_world(folder: Path) -> None:
    distribution(folder, "relays", {"relay": "relay_pack:PACK"}, relay_pack=RELAY)
    assert packs.names() == tuple(sorted(("relay", *OURS)))
    assert registry.expand("relay/all") == ["relay/door"]
    world = registry.world("relay/door", rules="released")
    assert isinstance(world, World)
    assert world.rules.oil_steps == 9
    assert packs.pack_of(world).title == "The relay (tests)"


def test_its_records_replay_and_what_its_pack_lacks_is_told(folder: Path) -> None:
    distribution(folder, "relays", {"relay": "relay_pack:PACK"}, relay_pack=RELAY)
    episode = play_now(registry.world("relay/door"), Answers(Rest()), max_steps=2)
    assert check(episode) == 2
    ((name, scoring, mine),) = registry.scorings([episode, episode])
    assert (name, len(mine), [metric.key for metric in scoring.metrics]) == ("relay", 2, ["Completed"])
    with pytest.raises(Refused, match="this world has no table of its scenarios"):
        scoring.statistics(["relay/door"])
    assert registry.bounds("relay")(episode) == {}


def test_a_scenario_file_of_a_world_without_such_files_is_named(folder: Path) -> None:
    distribution(folder, "relays", {"relay": "relay_pack:PACK"}, relay_pack=RELAY)
    file = folder / "mine.json"
    file.write_text('{"world": "relay", "id": "mine"}')
    with pytest.raises(BadFile, match=r"mine\.json: relay reads no scenario files"):
        registry.world(str(file))


BROKEN = {
    "does not import": ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    "raises": ("raise SystemExit('bye\\nnow')", "SystemExit: bye now"),
    "no such name": ("", "has no attribute 'PACK'"),
    "no pack": ("PACK = {'name': 'relay'}", "is no Pack but of type dict"),
    "another name": (RELAY.replace('name="relay"', 'name="rely"'), "the pack calls itself 'rely'"),
    "no catalogue path": (
        RELAY.replace(
            "support.small_worlds.relay_catalogue:catalogue", "support.small_worlds.relay_catalogue"
        ),
        "the pack names 'support.small_worlds.relay_catalogue', which is not written module:attribute",
    ),
    "agents that are no parts": (
        RELAY.replace("version=1,", "version=1, agents={'greedy': 'relay_agents:greedy'},"),
        "the pack is malformed: Expected `object`, got `str` - at `$.agents[...]`",
    ),
    "an option that cannot be written": (
        RELAY.replace(
            "version=1,", "version=1, oracle_arguments=(Argument(name='Go now', help=''),),"
        ).replace("import Pack", "import Argument, Pack"),
        "the oracle's option 'Go now' is not written like time-limit",
    ),
    "no fields": ("from backburner.kernel.pack import Pack\nPACK = Pack(name='relay')", "TypeError: Missing"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_pack_that_does_not_load_is_one_line_and_breaks_nothing(folder: Path, kind: str) -> None:
    source, why = BROKEN[kind]
    distribution(folder, "relays", {"relay": "relay_pack:PACK"}, relay_pack=source)
    assert packs.names() == OURS
    (line,) = packs.installed().broken.values()
    assert line.startswith("world 'relay' of package relays: ")
    assert why in line
    assert "\n" not in line
    for ask in (packs.pack, registry.catalogue):
        with pytest.raises(Refused) as caught:
            ask("relay")
        assert str(caught.value) == line
    assert registry.world("timearena/cooking1").id == "timearena/cooking1"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("no_such_module:catalogue", "which does not load: ModuleNotFoundError: No module named 'no_such"),
        ("support.small_worlds.relay_catalogue:katalog", "which does not load: AttributeError: .* 'katalog'"),
        ("support.small_worlds.relay_catalogue:RelayCatalogue", "which is no Catalogue"),
    ],
)
def test_a_part_that_is_not_there_is_told_when_it_is_asked_for(folder: Path, path: str, why: str) -> None:
    pack = RELAY.replace("support.small_worlds.relay_catalogue:catalogue", path)
    distribution(folder, "relays", {"relay": "relay_pack:PACK"}, relay_pack=pack)
    assert packs.pack("relay").catalogue == path
    with pytest.raises(Refused, match=rf"^world 'relay': its pack names '{path}', {why}") as caught:
        registry.expand("relay/all")
    assert "\n" not in str(caught.value)


def test_two_packages_with_a_world_of_one_name_are_one_line(folder: Path) -> None:
    distribution(folder, "relays", {"relay": "relay_pack:PACK"}, relay_pack=RELAY)
    distribution(
        folder, "others", {"relay": "other_pack:PACK", "timearena": "other_pack:PACK"}, other_pack=RELAY
    )
    assert set(packs.installed().broken) == {"relay", "timearena"}
    with pytest.raises(Refused, match=r"'relay' is offered by package .* and .*relay_pack.*; uninstall"):
        registry.world("relay/door")
    with pytest.raises(Refused, match="world 'timearena' is offered by package"):
        registry.world("timearena/cooking1")
    assert len(registry.expand("cuisineworld/quick")) > 0


def test_the_same_pack_announced_twice_is_one_world(folder: Path) -> None:
    """As where a package is installed twice, in two folders of the path."""
    for name in ("relays", "relays_too"):
        distribution(folder, name, {"relay": "relay_pack:PACK"}, relay_pack=RELAY)
    assert packs.installed().broken == {}


# --- the packs of ours -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OURS)
def test_every_part_of_a_pack_is_there(name: str) -> None:
    pack = packs.pack(name)
    for path in set(pack.paths) - {pack.prompts}:
        assert packs.part(name, path) is not None


@pytest.mark.parametrize("name", OURS)
def test_a_pack_says_what_the_world_says(name: str) -> None:
    world = registry.world(registry.expand(f"{name}/quick")[0])
    assert packs.pack(name).version == world.version
    assert packs.pack_of(world) is packs.pack(name)
    assert registry.scoring(name).metrics
