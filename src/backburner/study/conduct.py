"""A study under way: who comes, what each is shown, what follows from what they send.

``Conduct`` knows no server and no clock but the one that it is given. It writes every step into the journal
before anything follows from it, so that a killed program goes on where it was. Whoever runs it opens the
games that it wants (``wanted``), tells it when they are over (``over``), calls ``tick`` now and then, and
shows ``page`` again to everybody named by ``changed``.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from backburner.kernel import __version__
from backburner.kernel.errors import Refused, typed_line
from backburner.kernel.values import filled
from backburner.study import pages
from backburner.study.design import ConsentStage, FormStage, Status, TextStage
from backburner.study.entries import (
    Answered,
    AnyEntry,
    Arrived,
    Assigned,
    Began,
    Ended,
    Entered,
    Left,
    Messaged,
    Noticed,
    Opened,
    Problems,
    Read,
    Recruiting,
    Spoke,
    checked,
)
from backburner.study.files import StudyFile
from backburner.study.games import GameOpened, GameResult, GameWanted, Partners, Running
from backburner.study.journal import STUDY, Journal
from backburner.study.participants import (
    INVITATION,
    Cohort,
    Links,
    Participant,
    TurnedAway,
    cohort_of,
    forget,
)
from backburner.study.stages import PlacedStage, items_at, next_row, team_size
from backburner.study.words import language_for, page_of, text_of_problem

EARLY_SECONDS = 0.5
"""So much sooner than it may be left a text can be left: clocks differ."""

LONGEST_RECRUITED = 100

MOST_NOTICES = 2000
"""Of the page of one game; further ones are not kept."""


class Conduct:
    """A study under way, in a folder of its own.

    Raises ``Refused`` where another program writes there, or where the folder's data began under another
    content of the file.
    """

    def __init__(
        self,
        found: StudyFile,
        folder: Path,
        *,
        clock: Callable[[], float] = time.time,
        rehearsal: bool = False,
    ) -> None:
        self.study, self.digest, self.clock = found.study, found.digest, clock
        self.journal = Journal(folder, write=True)
        try:
            self.cohort: Cohort = cohort_of(self.journal)
            self._begin(folder, rehearsal)
        except BaseException:
            self.journal.close()
            raise
        self.rehearsal, self.media = rehearsal, found.media
        self.links = Links(self.journal.secret())
        self._partners = Partners(self.study, self.cohort, clock)
        self._problems: dict[str, tuple[int, Problems]] = {}
        self._spoken: dict[str, str] = {}  # by those who are forgotten, while this program runs
        self._changed: set[str] = set()
        self._given_up: list[Running] = []
        self._gone: list[str] = []

    def _begin(self, folder: Path, rehearsal: bool) -> None:
        began = self.cohort.began
        if began is None:
            self._note(STUDY, Began(self.clock(), self.digest, self.study, __version__, rehearsal))
        elif began.digest != self.digest:
            raise Refused(
                f"{folder} holds data of this study that began under another content of its file; put that"
                " content back, or name another --folder"
            )
        elif began.rehearsal != rehearsal:
            kind = "a rehearsal" if began.rehearsal else "people"
            raise Refused(f"{folder} holds data of {kind}; name another --folder")

    def close(self) -> None:
        """Let other programs write."""
        self.journal.close()

    # --- coming and going ---

    def arrive(self, parameters: Mapping[str, str], token: str = "", language: str = "") -> Participant:
        """Whoever opens a link: somebody new, or whoever has come with it before; of whom nothing is kept any
        more, as one who has stopped. Raises ``TurnedAway``."""
        recruitment = self.study.recruitment
        recruited = parameters.get(recruitment.participant, "").strip()[:LONGEST_RECRUITED]
        invitation = self._invitation(parameters.get(INVITATION, ""))
        tongue = language_for(self.study, parameters.get("lang") or language)
        if (gone := self._forgotten(recruited, invitation, token)) is not None:
            self._spoken.setdefault(gone, tongue)
            at = self.clock()
            return Participant(gone, Arrived(at, tongue), tongue, at, ended=Ended(at, "withdrawn"))
        known = (
            self.cohort.by_recruited(recruited)
            or (self.cohort.by_invitation(invitation) if invitation is not None else None)
            or (None if recruited or invitation is not None else self._by_token(token))
        )
        if known is not None:
            return known
        if not recruitment.open and invitation is None:
            raise TurnedAway("unknown")
        if self.cohort.closed:
            raise TurnedAway("closed")
        if recruitment.most and self._takes_place() >= recruitment.most:
            raise TurnedAway("full")
        id = f"p{secrets.token_hex(5)}"
        kept = {name: parameters[name][:500] for name in recruitment.keep if name in parameters}
        self._note(id, Arrived(self.clock(), tongue, recruited, kept, invitation, self.rehearsal))
        self._advance(self.cohort.one(id))
        return self.cohort.one(id)

    def _invitation(self, invitation: str) -> int | None:
        if not invitation:
            return None
        number = self.links.invited(invitation)
        if number is None:
            raise TurnedAway("unknown")
        return number

    def _forgotten(self, recruited: str, invitation: int | None, token: str) -> str | None:
        """Whoever came by this link, and of whom nothing is kept any more; without one, by what their browser
        keeps."""
        if marks := self.links.marks(recruited, invitation):
            lines = self.journal.forgotten.values()
            return next((line.whose for line in lines if not set(marks).isdisjoint(line.marks)), None)
        whose = self.links.participant(token)
        return whose if whose in self.journal.forgotten else None

    def _by_token(self, token: str) -> Participant | None:
        return self.cohort.people.get(self.links.participant(token) or "")

    def _takes_place(self) -> int:
        lost = ("declined", "withdrawn", "unmatched", "dropped")
        return sum(one.ended is None or one.ended.status not in lost for one in self.cohort.people.values())

    def come(self, id: str) -> None:
        """A page of a participant is open."""
        if self._partners.come(id):
            self._changed.update(one.id for one in self._partners.waiting())

    def go(self, id: str) -> None:
        """A page of a participant was closed."""
        if self._partners.go(id):
            self._changed.update(one.id for one in self._partners.waiting())

    def again(self, id: str) -> None:
        """A participant is shown their page, though nothing may have changed."""
        self._changed.add(id)

    def changed(self) -> set[str]:
        """The participants to whom a page is to be shown, since this was last asked."""
        found, self._changed = self._changed, set()
        return found

    # --- what a page sends ---

    def speak(self, id: str, language: str) -> None:
        """Another language."""
        one = self.cohort.one(id)
        if language in self.study.languages and language != one.language:
            self._note(id, Spoke(self.clock(), language))

    def send(self, id: str, sent: pages.Send) -> None:
        """The stage at a position is done; about another one, or another attempt at it, nothing happens."""
        one = self.cohort.one(id)
        placed = one.present_stage(self.study)
        if placed is None or (sent.position, sent.attempt) != (placed.position, one.attempt):
            return
        self._problems.pop(id, None)
        self._changed.add(id)
        match placed.stage:
            case TextStage():
                if self.clock() - one.entered[placed.position] >= placed.stage.least_seconds - EARLY_SECONDS:
                    self._leave(one)
            case ConsentStage():
                self._consent(one, placed, placed.stage, sent)
            case FormStage():
                self._form(one, placed, placed.stage, sent)
            case _:
                pass  # games and partners come of themselves

    def notice(self, id: str, notice: pages.Notice) -> None:
        """What the page of a participant's game has noticed; of what is no game of theirs nothing is kept."""
        one = self.cohort.one(id)
        stopped = one.ended is not None and one.ended.status != "complete"
        room = len(one.noticed.get(notice.position, ())) < MOST_NOTICES
        if notice.position in one.opened and room and not stopped:
            self._note(id, filled(Noticed, notice, at=self.clock()))

    def _consent(self, one: Participant, placed: PlacedStage, stage: ConsentStage, sent: pages.Send) -> None:
        if not sent.agreed:
            self._end(one, "declined")
            return
        missing: Problems = {
            str(i): ("tick", {}) for i in range(len(stage.boxes)) if not sent.answers.get(str(i))
        }
        if missing:
            self._problems[one.id] = (placed.position, missing)
            return
        ticked = {str(i): "yes" for i in range(len(stage.boxes))}
        self._note(one.id, Answered(self.clock(), placed.position, {**ticked}))
        self._leave(one)

    def _form(self, one: Participant, placed: PlacedStage, stage: FormStage, sent: pages.Send) -> None:
        found = checked(items_at(self.study, placed, one.id), sent.answers)
        if not found.fits:
            self._problems[one.id] = (placed.position, found.problems)
            return
        self._note(one.id, Answered(self.clock(), placed.position, found.answers, found.wrong))
        if found.wrong and one.attempts[placed.position] < stage.most_attempts:
            self._problems[one.id] = (placed.position, {name: ("wrong_check", {}) for name in found.wrong})
            return
        self._leave(one)

    def stop(self, id: str, *, delete: bool) -> bool:
        """A participant stops; whether their data are deleted, as they ask or the file says."""
        one = self.cohort.one(id)
        if one.ended is None:
            self._give_up_games(one)
            self._end(one, "withdrawn")
        kind = self.study.retention.withdrawal
        if kind == "delete" or (kind == "ask" and delete):
            self.forget(id, "withdrawn")
            return True
        return False

    def forget(self, id: str, reason: str) -> list[str]:
        """Remove what was kept of a participant, the records of their games with it; the games."""
        one = self.cohort.one(id)
        self._give_up_games(one)
        self._spoken[id] = one.language
        mates = [mate.id for mate in self.cohort.team(one) if mate.id != id]
        games = forget(self.journal, one, reason, self.clock())
        self.cohort.forget(id, reason)
        played_on = {running.game for running in self.running()}
        self._gone += [game for game in games if game not in played_on]
        self._changed.update([id, *mates])
        return games

    # --- what the researcher does ---

    def write(self, text: str, id: str = "") -> list[str]:
        """The researcher writes to a participant who is under way, or to all of them; returns to whom. It is
        shown until they say that they have read it. Raises ``Refused``."""
        people = [self.cohort.one(id)] if id else list(self.cohort.people.values())
        under_way = [one for one in people if one.ended is None]
        said = typed_line(text)
        if not said or not under_way:
            raise Refused("nothing was written" if not said else "nobody is under way there")
        for one in under_way:
            self._note(one.id, Messaged(self.clock(), one.position, said))
        self._changed.update(one.id for one in under_way)
        return [one.id for one in under_way]

    def have_read(self, id: str, number: int) -> None:
        """A participant has read the messages up to this one."""
        one = self.cohort.one(id)
        if len(one.messages) - len(one.unread) < number <= len(one.messages):
            self._note(id, Read(self.clock(), number))
            self._changed.add(id)

    def drop(self, id: str, reason: str) -> None:
        """The researcher takes a participant out, whose data stay; a stand-in plays on with their partners.
        Raises ``Refused``."""
        one = self.cohort.one(id)
        if one.ended is not None:
            raise Refused(f"participant {id} has come to an end already")
        reason = typed_line(reason)
        if not reason:
            raise Refused("a reason is missing, which is kept with their data")
        self._give_up_games(one)
        self._end(one, "dropped", reason)

    def recruit(self, *, open: bool) -> None:
        """The researcher lets new people in, or nobody new any more."""
        if open == self.cohort.closed:
            self._note(STUDY, Recruiting(self.clock(), open))

    def _give_up_games(self, one: Participant) -> None:
        self._given_up += [game for game in self.running() if one.id in game.people]

    # --- games ---

    def wanted(self) -> list[GameWanted]:
        """The games that are to be opened now, each once."""
        return self._partners.wanted()

    def opened(self, wanted: GameWanted, opened: GameOpened) -> None:
        """A game that was wanted can be played."""
        for id, seat in wanted.people.items():
            if id in self.cohort.people:
                token = opened.tokens[seat]
                people = len(wanted.people)
                entry = Opened(self.clock(), wanted.position, opened.game, seat, token, opened.host, people)
                self._note(id, entry)
                self._changed.add(id)

    def running(self) -> list[Running]:
        """The games that are opened and not over, for whoever has not stopped."""
        found: dict[str, Running] = {}
        for one in self.cohort.people.values():
            for position, game in one.opened.items():
                if position not in one.played and one.ended is None:
                    people = {**found[game.game].people} if game.game in found else {}
                    people = people | {one.id: game.seat}
                    found[game.game] = Running(game.game, game.host, game.at, people)
        return list(found.values())

    def given_up(self) -> list[Running]:
        """Games whose participants have stopped, since this was last asked."""
        found, self._given_up = self._given_up, []
        return found

    def gone(self) -> list[str]:
        """Games of which nothing may be kept any more, since this was last asked."""
        found, self._gone = self._gone, []
        return found

    def overdue(self) -> list[Running]:
        """Games that take longer than the file allows."""
        most = self.study.play.most_minutes * 60
        return [game for game in self.running() if self.clock() - game.since > most]

    def over(self, game: str, record: bytes, result: GameResult) -> None:
        """A game is over; ``result`` is what its record says (``games.result_of``, which takes its time)."""
        parts = [
            (one, position, opened)
            for one in self.cohort.people.values()
            for position, opened in one.opened.items()
            if opened.game == game and position not in one.played
        ]
        if not parts:
            return
        if len(parts) == parts[0][2].people:
            self.journal.keep_record(game, record)
        else:  # somebody who was in it is forgotten
            self._gone.append(game)
        for one, position, opened in parts:
            self._note(one.id, result.played(self.clock(), position, opened))
            if one.ended is None and one.position == position:
                self._leave(one)

    # --- time ---

    def tick(self) -> None:
        """Find partners for those who wait, and end what has waited for long enough."""
        size = team_size(self.study)
        waiting = self._partners.waiting()
        while len(waiting) >= size:
            self._form_team(waiting[:size])
            waiting = waiting[size:]
        for one in waiting:
            placed = one.present_stage(self.study)
            patience = self.study.groups.waiting_seconds
            if placed is not None and self.clock() - self._partners.since(one, placed.position) >= patience:
                if self.study.groups.nobody == "end":
                    self._end(one, "unmatched")
                else:
                    self._form_team(waiting)
                    break
        for one in self.cohort.people.values():  # whoever came late to a game that is over already
            placed = one.present_stage(self.study)
            if placed is not None and placed.position in one.played:
                self._leave(one)

    def _form_team(self, members: list[Participant]) -> None:
        number = self.cohort.teams
        row = next_row(self.study, self.cohort.rows_taken(self.clock()), number)
        team, ids = f"t{secrets.token_hex(4)}", tuple(member.id for member in members)
        for place, member in enumerate(members):
            self._note(member.id, Assigned(self.clock(), team, number, row, place, ids))
            self._leave(member)

    # --- on the way ---

    def _leave(self, one: Participant) -> None:
        self._note(one.id, Left(self.clock(), one.position))
        self._advance(one)

    def _advance(self, one: Participant) -> None:
        """Enter the next stage, or come to the end."""
        self._changed.update(mate.id for mate in self.cohort.team(one))
        placed = one.present_stage(self.study)
        if placed is None:
            self._end(one, "complete")
            return
        if placed.position not in one.entered:
            self._note(one.id, Entered(self.clock(), placed.position))
        if placed.kind == "trials" and one.assigned is None and team_size(self.study) == 1:
            self._form_team([one])
        elif placed.kind == "trials" and one.assigned is not None:
            self._leave(one)

    def _end(self, one: Participant, status: Status, reason: str = "") -> None:
        if one.ended is None:
            self._note(one.id, Ended(self.clock(), status, reason))
        self._changed.update(mate.id for mate in self.cohort.team(one))

    def _note(self, whose: str, entry: AnyEntry) -> None:
        """Into the journal first; then it has happened."""
        self.journal.append(whose, entry)
        self.cohort.follow(whose, entry)

    # --- what is shown ---

    def page(self, id: str) -> pages.StageTold:
        """What a participant is to be shown now; the end of one who is forgotten has nothing but thanks."""
        if id in self.cohort.forgotten:
            spoken = self._spoken.get(id, self.study.language)
            return page_of(self.study, None, None, "withdrawn", deleted=True, spoken=spoken)
        one = self.cohort.one(id)
        position, problems = self._problems.get(id, (-1, {}))
        told = {
            name: text_of_problem(self.study, one.language, key, fills)
            for name, (key, fills) in (problems.items() if position == one.position else ())
        }
        checks = any(key == "wrong_check" for key, _ in problems.values())
        status = None if one.ended is None else one.ended.status
        return page_of(
            self.study,
            one,
            one.present_stage(self.study),
            status,
            problems=told,
            wrong=checks,
            now=self.clock(),
            waiting=self._partners.told(one),
        )
