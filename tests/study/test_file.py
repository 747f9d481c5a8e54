"""Study files: the templates fit, every mistake is one line that names the place, keys are texts."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.study import design
from backburner.study.checking import check
from backburner.study.design import Study
from backburner.study.files import (
    TEMPLATES,
    Place,
    parsed,
    read_study,
    schema,
    shipped_questionnaires,
    template,
    write_template,
)
from backburner.study.stages import ids_of, most_trials, people_in, team_size
from backburner.study.words import KEY_FIELDS, direction_of, interface, shipped
from support.study.studies import PAIRS, SMALL, raw


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_a_study_in_which_everything_fits(name: str, tmp_path: Path) -> None:
    file, beside = write_template(name, tmp_path / "study.toml")
    found = read_study(file)
    assert found.study.name == name
    assert not [line for line in found.remarks if not line.startswith("design:")]
    assert beside.name in file.read_text(encoding="utf-8").splitlines()[0]
    with pytest.raises(Refused, match="is there already"):
        write_template(name, file)


def test_mindagents_template_is_the_article_s_study() -> None:
    study = read_shipped("mindagent")
    assert study.design.teams == 12
    assert [people_in(study, condition) for condition in study.conditions] == [1] * 5
    assert most_trials(study) == 5
    constructs = {item.construct for one in study.questionnaires for item in one.items if item.construct}
    assert constructs == {
        *("enjoyment", "more_fun", "assisting", "dependability", "predictability", "productivity", "trust")
    }
    bodies = [id.partition("@")[2] for id in ids_of(study)]
    assert bodies[0] == "bodies=1" and len(bodies) == 4  # random agents play in the kitchen of two


def test_collabs_template_is_five_pairs_and_two_tasks_of_each_level() -> None:
    study = read_shipped("collab_pairs")
    assert (study.design.teams, team_size(study), most_trials(study)) == (5, 2, 12)


def read_shipped(name: str) -> Study:
    return parsed(tomllib.loads(template(name).decode()), name)


LONG = [
    {
        "name": name,
        "items": [{"kind": "text", "name": f"t{n}", "text": "a", "longest": 9000} for n in range(3)],
    }
    for name in ("quiz", "after")
]

TWICE = [{"name": "a", "seats": {"*": "person"}}] * 2
LEVEL = {"name": "egg", "scenarios": ["timearena/cooking1"]}
OPTION = {"value": "a", "text": "a"}


def asked(**changes: Any) -> dict[str, Any]:
    """A choice, changed."""
    options = [OPTION, {"value": "b", "text": "b"}]
    return {"kind": "choice", "name": "goal", "text": "goal", "options": options} | changes


def forms(*items: dict[str, Any]) -> list[dict[str, Any]]:
    """The questionnaires, the first one of these items."""
    return [{"name": "quiz", "items": items}, {"name": "after", "items": [asked()]}]


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"contact": "nobody"}, r"field 'contact': unknown text 'nobody'"),
    ({"title": "titel"}, r"field 'title': unknown text 'titel' in \[texts.en\]; did you mean title"),
    ({"language": "de"}, r"field 'language': there is no \[texts.de\]"),
    ({"design": {"order": "balnced"}}, r"design, field 'order': .*'balnced'; did you mean balanced"),
    ({"retention": {"withdrawal": "no"}}, r"field 'withdrawal': .*; known: ask, delete, keep"),
    ({"stages": [{"kind": "consnt", "name": "a"}]}, r"stages\[0\] 'a', field 'kind': .*did you mean consent"),
    ({"recruitment": {"return_to": "x"}}, r"unknown field `return_to`; known: .*back"),
    ({"exclusions": [{"name": "a", "measure": "minutes", "above": float("nan")}]}, "'a': nan is no number"),
    (
        {"exclusions": [{"name": "a", "measure": "answer:agee", "below": 1}]},
        "'agee'; did you mean age",
    ),
    ({"exclusions": [{"name": "a", "measure": "seconds:reed", "below": 1}]}, "unknown stage 'reed'; .* read"),
    (
        {"exclusions": [{"name": "a", "measure": "status", "equals": "complete"}]},
        "known: finished, left",
    ),
    ({"exclusions": [{"name": "a", "measure": "status", "above": 1}]}, "compared by 'equals'"),
    ({"titles": "x"}, r"unknown field `titles`; did you mean title"),
    ({"levels": [{"name": "a", "scenarios": ["timearena/cookin1"]}]}, r"levels\[0\] 'a', field 'scenarios'"),
    ({"levels": [{"name": "a", "scenarios": ["timearena/cooking1"], "draw": 2}]}, "2 scenarios are needed"),
    ({"design": {"baseline": "alone"}}, r"design, field 'baseline': unknown condition 'alone'"),
    ({"groups": {"stand_in": "gredy"}}, r"groups, field 'stand_in': unknown agent 'gredy'"),
    (
        {"exclusions": [{"name": "a", "measure": "minute", "below": 3}]},
        r"'a', field 'measure'",
    ),
    ({"exclusions": [{"name": "a", "measure": "minutes"}]}, "one of 'below', 'above' and 'equals'"),
    ({"outcomes": [{"name": "a", "source": "metric:AX"}]}, r"unknown metric 'AX'"),
    (
        {"outcomes": [{"name": "a", "source": "construct:joy"}]},
        r"unknown construct 'joy'",
    ),
    ({"conditions": TWICE}, r"conditions\[1\] 'a': 'a' stands here twice"),
    ({"levels": [LEVEL, LEVEL]}, r"levels\[1\] 'egg': 'egg' stands here twice"),
    (
        {"conditions": [TWICE[0] | {"levels": ["eg"]}], "levels": [LEVEL]},
        r"conditions\[0\] 'a', levels\[0\] 'eg': unknown level 'eg'; did you mean egg",
    ),
    (
        {"stages": [{"kind": "form", "name": "ask", "questionnaire": "quizz"}]},
        r"stages\[0\] 'ask', field 'questionnaire': unknown questionnaire 'quizz'; did you mean quiz",
    ),
    (
        {"questionnaires": forms(asked(conditions=["plane"]))},
        r"items\[0\] 'goal', conditions\[0\] 'plane': unknown condition 'plane'; did you mean plain",
    ),
    (
        {"questionnaires": forms(asked(options=[OPTION, OPTION]))},
        r"items\[0\] 'goal', options\[1\].*: 'a' stands here twice",
    ),
    (
        {"questionnaires": forms(asked(), asked())},
        "field 'items': the name 'goal' stands there 2 times",
    ),
    ({"questionnaires": LONG}, "texts of more than 25000 characters in all"),
    ({"retention": {"days": 0}}, "retention, field 'days'"),
    ({"recruitment": {"back": "javascript:alert(1)"}}, "recruitment, field 'back'"),
]


@pytest.mark.parametrize(("change", "why"), MISTAKES, ids=[str(change) for change, _ in MISTAKES])
def test_a_mistake_is_one_line_with_its_place(change: dict[str, Any], why: str) -> None:
    with pytest.raises(BadFile, match=why) as caught:
        check(parsed(raw(**change), "f.toml"), Place("f.toml"))
    assert str(caught.value).startswith("f.toml: ")
    assert "\n" not in str(caught.value)


SEATS: list[tuple[dict[str, Any], str]] = [
    ({"chef": "person"}, "nobody has seat assistant"),
    ({"chef": "person", "helper": "person"}, "unknown seat 'helper'"),
    ({"*": "random"}, "no seat is a person's"),
    ({"chef": "person", "*": "react"}, "needs a model"),
    ({"chef": "person", "*": {"agent": "react", "modle": "x"}}, "unknown field `modle`; did you mean model"),
]


@pytest.mark.parametrize(("seats", "why"), SEATS, ids=[str(seats) for seats, _ in SEATS])
def test_seats_are_checked_against_the_world(seats: dict[str, Any], why: str) -> None:
    conditions = [{"name": "pair", "seats": seats}]
    with pytest.raises(BadFile, match=why):
        check(parsed(raw(**(PAIRS | {"conditions": conditions})), "f.toml"), Place("f.toml"))


def test_skill_levels_are_stand_ins_for_models() -> None:
    player = {"agent": "act", "model": "stand-in:skill=0.3"}
    conditions = [{"name": "pair", "seats": {"chef": "person", "*": player}}]
    study = parsed(raw(**(PAIRS | {"conditions": conditions})), "f.toml")
    check(study, Place("f.toml"))
    assert team_size(study) == 1


def test_a_file_that_is_no_study_is_one_line(tmp_path: Path) -> None:
    for content in (b"", b"\xff", b"[[[", b"a = 1", b"a = " + b"[" * 5000, b"x" * 300_000):
        file = tmp_path / "f.toml"
        file.write_bytes(content)
        with pytest.raises(BadFile, match=r"f\.toml"):
            read_study(file)


def test_json_is_read_as_well(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "s.json").write_bytes(msgspec.json.encode(tomllib.loads(SMALL)))
    one, other = read_study(tmp_path / "s.toml"), read_study(tmp_path / "s.json")
    assert one.digest == other.digest


def test_languages_that_lack_texts_are_told(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SMALL, encoding="utf-8")
    remarks = read_study(tmp_path / "s.toml").remarks
    assert any(line.startswith("texts.ar: 12 texts are shown in en") for line in remarks), remarks


def test_a_text_that_nothing_shows_is_told_in_every_language() -> None:
    study = parsed(raw(), "s.toml")
    texts = study.texts | {"ar": {**study.texts["ar"], "contct": "?"}}
    remarks = check(msgspec.structs.replace(study, texts=texts), Place("s.toml"))
    assert "texts.ar: nothing shows 'contct'; did you mean contact?" in remarks


def test_scenarios_that_are_too_few_to_be_random_are_told() -> None:
    outcome = {"name": "success", "source": "construct:fun", "intercepts": "participants+scenarios"}
    study = parsed(raw(outcomes=[outcome]), "s.toml")
    there = len({id for level in study.levels for id in level.scenarios})
    told = f"outcomes: {there} scenarios are too few to be random; 5 are the fewest"
    assert there < 5 and told in check(study, Place("s.toml"))


def test_the_shipped_schema_is_the_present_one() -> None:
    """Renewed by writing what ``files.schema`` gives."""
    shipped_one = files("backburner.study").joinpath("data", "study.schema.json").read_text("utf-8")
    assert shipped_one == schema()
    assert "\\\\Z" not in schema()


def test_every_field_that_names_a_text_is_known() -> None:
    keys = set()
    for value in vars(design).values():
        if isinstance(value, type) and issubclass(value, msgspec.Struct):
            for field in msgspec.structs.fields(value):
                told = str(field.type)
                if "a-z0-9_]*(" in told and "max_length=80" in told and field.name not in ("texts",):
                    keys.add(field.name)
    assert keys <= KEY_FIELDS


def test_every_language_that_ships_has_every_word() -> None:
    for language, texts in shipped().items():
        assert texts.keys() == shipped()["en"].keys(), language
    assert {item.construct for item in shipped_questionnaires()["mindagent"].items} >= {"trust", "enjoyment"}


def test_right_to_left_is_told_by_language_and_script() -> None:
    assert [
        direction_of(tag) for tag in ("ar", "he-IL", "fa", "az-Arab", "ar-Latn", "en", "de-AT", "ckb")
    ] == [*("rtl", "rtl", "rtl", "rtl", "ltr", "ltr", "ltr", "rtl")]
    study = parsed(raw(), "f.toml")
    assert interface(study, "ar")["next"] == "Next"


def test_unknown_templates_are_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="mindagent"):
        write_template("mindagnet", tmp_path / "x.toml")
