"""Where participants are follows from their entries alone: stages, consent, rows of orders; then links."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.errors import Refused
from backburner.study.design import Study
from backburner.study.entries import Answered, AnyEntry, Arrived, Assigned, Ended, Entered, Left, Spoke
from backburner.study.participants import IDLE_SECONDS, Cohort, Links, back_of
from support.study.studies import found

HOUR = 3600.0


@pytest.fixture(scope="module")
def study() -> Study:
    """Consent, a text, a quiz, then the trials: positions 0 to 3."""
    return found().study


def cohort(**entries: list[AnyEntry]) -> Cohort:
    """A cohort after these entries of each participant."""
    made = Cohort()
    for whose, of_one in entries.items():
        for entry in of_one:
            made.follow(whose, entry)
    return made


def in_team(row: int, team: str, *after: AnyEntry, at: float = 0.0) -> list[AnyEntry]:
    """Somebody who came and was given partners and a row."""
    return [Arrived(at, "en"), Assigned(at, team, 0, row, 0, (team,)), *after]


def test_a_participant_is_where_the_last_stage_that_was_done_leads(study: Study) -> None:
    made = cohort(ada=[Arrived(1.0, "en"), Entered(1.0, 0), Left(5.0, 0), Entered(5.0, 1), Entered(9.0, 1)])
    ada = made.one("ada")
    placed = ada.present_stage(study)
    assert placed is not None and (placed.stage.name, placed.position) == ("read", 1)
    assert ada.entered == {0: 1.0, 1: 5.0}, "a stage that is shown again was entered before"
    assert ada.last_at == 9.0


def test_the_stages_behind_the_trials_are_known_once_there_is_an_order(study: Study) -> None:
    before, after = cohort(ada=[Arrived(0.0, "en")]), cohort(ada=in_team(0, "t"))
    known, all_of_them = before.one("ada").stages(study), after.one("ada").stages(study)
    assert [placed.kind for placed in known] == ["consent", "text", "form", "trials"]
    assert all_of_them[: len(known)] == known, "positions stay"
    # two trials, a game and a form each
    assert [placed.kind for placed in all_of_them[len(known) :]] == ["play", "form"] * 2
    assert {placed.trials for placed in all_of_them[len(known) :]} == {2}


def test_who_has_ended_is_nowhere(study: Study) -> None:
    made = cohort(ada=[Arrived(0.0, "en"), Left(1.0, 0), Ended(2.0, "withdrawn")])
    assert made.one("ada").present_stage(study) is None


@pytest.mark.parametrize(
    ("after", "agreed"),
    [
        ([], False),
        ([Left(1.0, 0)], True),
        ([Left(1.0, 0), Ended(2.0, "unmatched")], True),
        ([Left(1.0, 0), Ended(2.0, "withdrawn")], False),
        ([Ended(2.0, "declined")], False),
    ],
)
def test_consent_is_given_by_going_on_and_taken_back_by_stopping(
    study: Study, after: list[AnyEntry], agreed: bool
) -> None:
    assert cohort(ada=[Arrived(0.0, "en"), *after]).one("ada").consented(study) == agreed


def test_the_last_answers_count_and_attempts_are_counted() -> None:
    sent: list[AnyEntry] = [Answered(1.0, 2, {"goal": "a"}, ("goal",)), Answered(2.0, 2, {"goal": "b"})]
    ada = cohort(ada=[Arrived(0.0, "en"), *sent, Spoke(3.0, "ar")]).one("ada")
    assert (ada.answers[2].answers, ada.attempts[2], ada.language) == ({"goal": "b"}, 2, "ar")


def test_a_row_is_held_by_a_team_of_which_somebody_is_through_or_still_at_it() -> None:
    made = cohort(
        through=in_team(0, "t0", Ended(1.0, "complete")),
        at_it=in_team(1, "t1"),
        stopped=in_team(1, "t2", Ended(1.0, "withdrawn")),
        nobody_came=in_team(1, "t3", Ended(1.0, "unmatched")),
    )
    assert made.rows_taken(HOUR) == {0: 1, 1: 1}
    made.follow("mate", Arrived(0.0, "en"))
    made.follow("mate", Assigned(0.0, "t2", 0, 1, 1, ("stopped", "mate")))
    assert made.rows_taken(HOUR) == {0: 1, 1: 2}, "one who plays on holds the row for the team"


def test_whoever_does_nothing_for_hours_gives_the_row_back() -> None:
    made = cohort(idle=in_team(0, "t0"), through=in_team(0, "t1", Ended(0.0, "complete")))
    assert made.rows_taken(IDLE_SECONDS) == {0: 2}
    assert made.rows_taken(IDLE_SECONDS + 1) == {0: 1}, "who is through keeps it"


def test_of_the_forgotten_nothing_is_left_but_that_they_were_there() -> None:
    made = cohort(ada=[Arrived(0.0, "en", recruited="platform-1")], bob=[Arrived(0.0, "en", invitation=3)])
    assert made.by_recruited("platform-1") is made.one("ada") and made.by_recruited("") is None
    assert made.by_invitation(3) is made.one("bob")
    made.forget("ada", "asked")
    made.follow("ada", Left(1.0, 0))  # an entry that is read later brings nobody back
    assert made.by_recruited("platform-1") is None
    with pytest.raises(Refused, match="participant ada is forgotten"):
        made.one("ada")
    with pytest.raises(Refused, match="no participant eve"):
        made.one("eve")


def test_data_expire_by_the_last_thing_that_somebody_did() -> None:
    study, day = found(retention={"days": 2}).study, 24 * HOUR
    made = cohort(early=[Arrived(0.0, "en")], late=[Arrived(0.0, "en"), Left(day, 0)])
    assert [one.id for one in made.expired(study, 2 * day)] == []
    assert [one.id for one in made.expired(study, 2 * day + 1)] == ["early"]


def test_links_hold_only_as_they_were_made() -> None:
    links, others = Links(b"s" * 32), Links(b"t" * 32)
    token, invitation = links.token("p1"), links.invitation(12)
    assert (links.participant(token), links.invited(invitation)) == ("p1", 12)
    assert others.participant(token) is None and others.invited(invitation) is None
    assert links.participant(token.replace("p1", "p2")) is None
    wrong: list[Any] = ["", "12", invitation.replace("12", "13"), invitation.replace("12", "012"), "١٢-x"]
    assert [links.invited(each) for each in wrong] == [None] * len(wrong)
    mark = token.partition(".")[2]
    assert links.invited(f"12-{mark}") is None, "a token's mark is no invitation's"


def test_an_address_that_needs_a_code_is_told_only_with_one() -> None:
    study = found().study  # codes for complete and declined; the address has {code} in it
    assert back_of(study, "complete") == ("DONE-1", "https://platform.example/done?cc=DONE-1")
    assert back_of(study, "withdrawn") == ("", "")
    plain = found(recruitment={"back": "https://platform.example/done"}).study
    assert back_of(plain, "withdrawn") == ("", "https://platform.example/done")
