"""Participants: each stage once, resumed by link or id, in two tabs, sent twice; orders; partners; ends."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from backburner.kernel.errors import Refused
from backburner.study.participants import INVITATION, Links, TurnedAway, forget_all
from backburner.study.prose import plain
from backburner.study.stages import table_of, trials_of
from support.study.studies import PAIRS, Hall, found

RATED = {"fun": 3.0, "ease": 3.0, "calm": 3.0, "check": 2.0}


def hall(path: Path, **changes: object) -> Hall:
    return Hall(path / "data", found(**changes))


def to_the_games(h: Hall, pid: str) -> str:
    """Somebody who has come through all that stands before the games."""
    one = h.arrive(PID=pid)
    h.send(one, agreed=True, **{"0": "yes"})
    h.clock.now += 20
    h.send(one)
    h.send(one, goal="b", age=30.0)
    return one


def test_a_participant_goes_through_every_stage_to_the_code(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive(PID="abc")
    assert h.page(one).stage == "consent"
    assert h.page(one).boxes == ("Yes.",)
    assert h.send(one, agreed=True).problems == {"0": "Please tick this to take part."}
    page = h.send(one, agreed=True, **{"0": "yes"})
    assert (page.stage, plain(page.text), page.least_seconds) == ("text", "Read this.", 10)
    assert h.send(one).stage == "text"  # too early
    h.clock.now += 10
    assert h.send(one).name == "quiz"
    h.through(one)
    end = h.page(one)
    assert (end.stage, end.code, end.back) == ("end", "DONE-1", "https://platform.example/done?cc=DONE-1")
    kinds = [placed.kind for placed in h.conduct.cohort.one(one).stages(h.found.study)]
    assert kinds == ["consent", "text", "form", "trials", "play", "form", "play", "form"]


def test_who_declines_is_asked_nothing_more(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive(PID="abc")
    assert (h.send(one).stage, h.page(one).code) == ("end", "NO-1")
    assert h.send(one, agreed=True).stage == "end"


def test_answers_that_do_not_fit_are_told_item_by_item_and_not_kept(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive()
    h.send(one, agreed=True, **{"0": "yes"})
    h.clock.now += 10
    h.send(one)
    page = h.send(one, goal="c", age=17.0)
    assert set(page.problems) == {"goal", "age"}
    assert page.problems["age"] == "This answer does not fit: a number from 18 to 120"
    assert h.send(one, goal="b").problems == {"age": "Please answer this."}
    assert "a whole number" in h.send(one, goal="b", age=20.5).problems["age"]
    assert h.conduct.cohort.one(one).answers.keys() == {0}


def test_a_comprehension_check_is_asked_again_and_then_let_go(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive()
    h.send(one, agreed=True, **{"0": "yes"})
    h.clock.now += 10
    h.send(one)
    page = h.send(one, goal="a", age=20.0)
    assert page.name == "quiz"
    assert page.problems.keys() == {"goal"}
    assert h.send(one, goal="a", age=20.0).name == "game"  # most_attempts = 2
    assert h.conduct.cohort.one(one).attempts[2] == 2


def test_a_double_click_on_a_wrong_form_is_one_attempt(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive()
    h.send(one, agreed=True, **{"0": "yes"})
    h.clock.now += 10
    h.send(one)
    for _ in range(2):  # both clicks come from the page of the first attempt
        page = h.send(one, attempt=0, goal="a", age=20.0)
    assert (page.name, page.attempt, h.conduct.cohort.one(one).attempts[2]) == ("quiz", 1, 1)
    assert page.problems.keys() == {"goal"}, "why is still told"
    assert h.send(one, goal="b", age=20.0).name == "game"
    assert h.conduct.cohort.one(one).attempts[2] == 2


def test_what_is_sent_twice_or_from_a_tab_that_is_behind_does_nothing(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive()
    for _ in range(3):
        h.send(one, position=0, agreed=True, **{"0": "yes"})
    h.send(one, position=0, agreed=False)  # a second tab still shows the page of consent
    assert h.page(one).name == "read"
    h.send(one, position=7, fun=1.0)
    assert h.page(one).name == "read"
    before = len(h.conduct.journal.lines)
    h.send(one, position=0, agreed=True, **{"0": "yes"})
    assert len(h.conduct.journal.lines) == before


def test_the_same_id_or_token_goes_on_where_it_was(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive(PID="abc", SESSION="s1", OTHER="x")
    token = h.conduct.links.token(one)
    assert h.arrive(PID="abc") == one
    assert h.arrive(token=token) == one
    assert h.arrive(token=f"{one}.wrong") != one
    assert h.arrive(PID="other", token=token) != one  # a browser that two people share
    assert h.conduct.cohort.one(one).arrived.kept == {"SESSION": "s1"}


def test_a_killed_server_goes_on_where_everybody_was(tmp_path: Path) -> None:
    h = hall(tmp_path)
    first = h.arrive(PID="id0")
    h.send(first, agreed=True, **{"0": "yes"})
    second = h.arrive(PID="id1")
    h.through(second)
    third = to_the_games(h, "id2")
    h.open_games()
    before = [h.page(id) for id in (first, second, third)]
    assert [page.stage for page in before] == ["text", "end", "play"]
    h.restart()
    assert [h.page(h.arrive(PID=f"id{number}")) for number in range(3)] == before
    h.through(third)
    assert h.page(third).code == "DONE-1"


def test_two_programs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    h = hall(tmp_path)
    with pytest.raises(Refused, match="in use"):
        Hall(h.folder, h.found)


def test_data_are_never_gathered_under_another_content_of_the_file(tmp_path: Path) -> None:
    h = hall(tmp_path)
    h.conduct.close()
    with pytest.raises(Refused, match="another content of its file"):
        Hall(h.folder, found(retention={"days": 3}))
    with pytest.raises(Refused, match="data of people"):
        Hall(h.folder, h.found, rehearsal=True)


def test_only_invitations_are_let_in_where_the_file_says_so(tmp_path: Path) -> None:
    h = hall(tmp_path, recruitment={"open": False})
    with pytest.raises(TurnedAway, match="unknown"):
        h.arrive()
    with pytest.raises(TurnedAway, match="unknown"):
        h.arrive(**{INVITATION: "1-wrong"})
    invitation = h.conduct.links.invitation(7)
    one = h.arrive(**{INVITATION: invitation})
    assert h.arrive(**{INVITATION: invitation}) == one
    assert h.arrive(**{INVITATION: h.conduct.links.invitation(8)}) != one
    assert h.arrive(token=h.conduct.links.token(one)) == one


def test_a_study_that_is_full_takes_nobody_new_but_lets_go_on(tmp_path: Path) -> None:
    h = hall(tmp_path, recruitment={"participant": "PID", "most": 1})
    one = h.arrive(PID="a")
    with pytest.raises(TurnedAway, match="full"):
        h.arrive(PID="b")
    assert h.arrive(PID="a") == one
    h.send(one)  # declines
    assert h.arrive(PID="b")


def test_languages_are_chosen_by_link_browser_and_page(tmp_path: Path) -> None:
    h = hall(tmp_path)
    one = h.arrive(language="fr-FR,ar-EG;q=0.8,en;q=0.5")
    assert plain(h.page(one).text) == "هل توافق؟"
    h.conduct.speak(one, "en")
    assert plain(h.page(one).text) == "Do you agree?"
    h.conduct.speak(one, "xx")
    assert h.conduct.cohort.one(one).language == "en"
    two = h.arrive(lang="ar", PID="two")
    h.send(two, agreed=True, **{"0": "yes"})
    assert plain(h.page(two).text) == "Read this."  # no Arabic text: the main language's


def test_rows_come_out_even_and_those_who_stop_give_theirs_back(tmp_path: Path) -> None:
    h = hall(tmp_path)

    def row_of(name: str) -> tuple[str, int]:
        one = to_the_games(h, name)
        assigned = h.conduct.cohort.one(one).assigned
        assert assigned is not None
        return one, assigned.row

    first = [row_of(f"a{number}") for number in range(4)]
    assert Counter(row for _, row in first) == {0: 2, 1: 2}
    h.conduct.stop(first[0][0], delete=False)
    assert row_of("b")[1] == first[0][1]


@pytest.mark.parametrize("asked", ["on the page", "of the researcher"])
def test_withdrawal_is_final_and_only_the_key_of_the_study_knows_who_it_was(
    tmp_path: Path, asked: str
) -> None:
    h = hall(tmp_path, ends={"withdrawn": "read"})
    one = h.arrive(PID="subject-0042")
    token = h.conduct.links.token(one)
    if asked == "on the page":
        assert h.conduct.stop(one, delete=True)
    else:
        h.conduct.close()
        forget_all(h.folder, h.found.study, ["subject-0042"], expired=False, now=h.clock.now)
    h.restart()
    for again in (h.arrive(PID="subject-0042"), h.arrive(token=token)):
        page = h.page(again)
        assert (again, page.stage, page.name) == (one, "end", "withdrawn")
        assert plain(page.text).endswith("You can close this page.\nRead this.")
    assert h.page(h.arrive(PID="subject-0043")).stage == "consent"
    assert h.page(h.arrive(PID="somebody", token=token)).stage == "consent"  # a browser that two share
    everything = b"".join(file.read_bytes() for file in h.folder.rglob("*") if file.is_file())
    assert b"subject-0042" not in everything
    assert h.conduct.links.marks("subject-0042", None) != Links(b"x" * 32).marks("subject-0042", None)


def test_invitations_are_final_too_and_of_those_whose_time_is_up_no_mark_stays(tmp_path: Path) -> None:
    h = hall(tmp_path, retention={"days": 1})
    invited = {INVITATION: h.conduct.links.invitation(7)}
    one = h.arrive(**invited)
    h.conduct.stop(one, delete=True)
    assert h.page(h.arrive(**invited)).name == "withdrawn"
    late = h.arrive(PID="late")
    h.conduct.close()
    h.clock.now += 2 * 86_400
    forget_all(h.folder, h.found.study, [], expired=True, now=h.clock.now)
    h.restart()
    assert h.conduct.journal.forgotten[late].marks == ()
    assert h.page(h.arrive(PID="late")).stage == "consent"


def test_a_late_comer_waits_then_plays_with_a_partner(tmp_path: Path) -> None:
    h = hall(tmp_path, **PAIRS)
    one = to_the_games(h, "a")
    h.conduct.tick()
    page = h.page(one)
    assert page.stage == "wait" and page.waiting is not None
    assert (page.waiting.present, page.waiting.needed, page.waiting.seconds_left) == (1, 2, 100)
    two = to_the_games(h, "b")
    (game,) = h.open_games()
    assert game.people == {one: "chef", two: "assistant"}
    assert h.page(one).game != h.page(two).game
    h.play()
    assert {h.page(one).name, h.page(two).name} == {"after"}
    h.send(one, **RATED)
    assert h.page(one).waiting is not None  # for the other, who still answers
    assert not h.open_games()
    h.send(two, **RATED)
    assert len(h.open_games()) == 1


def test_who_waits_in_vain_plays_with_a_stand_in_or_is_thanked(tmp_path: Path) -> None:
    h = hall(tmp_path, **PAIRS)
    one = to_the_games(h, "a")
    h.clock.now += 99
    assert not h.open_games()
    h.clock.now += 1
    (game,) = h.open_games()
    assert (game.people, game.here) == ({one: "chef"}, 1)
    groups = {"waiting_seconds": 100.0, "nobody": "end"}
    other = Hall(tmp_path / "other", found(**(PAIRS | {"groups": groups})))
    one = to_the_games(other, "a")
    other.clock.now += 100
    assert not other.open_games()
    assert other.page(one).name == "unmatched"


def test_whoever_closes_the_page_is_nobodys_partner(tmp_path: Path) -> None:
    h = hall(tmp_path, **PAIRS)
    one = to_the_games(h, "a")
    h.conduct.go(one)
    to_the_games(h, "b")
    assert not h.open_games()
    h.arrive(PID="a")  # and is back
    assert len(h.open_games()) == 1


def test_a_partner_who_stops_leaves_a_stand_in_behind(tmp_path: Path) -> None:
    h = hall(tmp_path, **PAIRS)
    one, two = to_the_games(h, "a"), to_the_games(h, "b")
    h.open_games()
    assert not h.conduct.stop(two, delete=False)
    (running,) = h.conduct.given_up()
    assert running.people == {one: "chef", two: "assistant"}
    assert h.conduct.given_up() == []
    h.play()
    h.send(one, **RATED)
    (game,) = h.open_games()
    assert game.people == {one: "chef"}


def test_trials_follow_from_the_file_and_the_teams_number() -> None:
    levels = [{"name": "egg", "scenarios": ["timearena/singles/cooking"], "draw": 2}]
    study = found(levels=levels).study
    for row in range(len(table_of(study))):
        trials = trials_of(study, row, 5)
        assert trials == trials_of(study, row, 5)
        assert len({trial.scenario for trial in trials}) == 2  # the same two under both conditions
        assert [trial.number for trial in trials] == [1, 2, 3, 4]
    assert trials_of(study, 0, 5) != trials_of(study, 0, 6)
    other = found(levels=levels, design={"scenarios": "distinct", "seeds": "study"}).study
    assert len({trial.scenario for trial in trials_of(other, 0, 5)}) == 4
    assert len({trial.seed for team in range(3) for trial in trials_of(other, 0, team)}) == 1
