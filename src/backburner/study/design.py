"""What a study is: the content of its file.

A study file (TOML, or JSON with the same fields) is written before anybody takes part, and its digest is the
first entry of the data. Fields say what may stand in them and which names they refer to (``kernel.checks``);
what else has to fit, ``checking`` looks at.

Texts are named by keys (``text = "welcome"``); what a key stands for in which language is told once, under
``[texts.en]``, ``[texts.de]`` and so on.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from backburner.kernel.checks import refers_to, unique

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}\Z")]
Key = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*\Z", max_length=80)]
Language = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")]
Address = Annotated[str, Meta(pattern=r"^(https://[^\s<>\"'`\\]+)?\Z", max_length=500)]
Parameter = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,39}\Z")]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
ConditionName = Annotated[Name, refers_to("condition", "condition_names")]
LevelName = Annotated[Name, refers_to("level", "level_names")]
QuestionnaireName = Annotated[Name, refers_to("questionnaire", "questionnaires.name")]


class Frozen(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of the file."""


# --- who plays what -------------------------------------------------------------------------------------


class Player(Frozen, frozen=True):
    """Who has a seat: ``person``, an agent by its name, or a language model with its method.

    ``model`` may be a stand-in, such as ``stand-in:skill=0.7``: a skill level that needs no server.
    """

    agent: str
    model: str = ""
    base_url: str = ""


class Condition(Frozen, frozen=True):
    """What is compared. ``seats``: who has which seat; ``*`` stands for all others.

    ``options`` are added to the ids of the scenarios, such as ``bodies = "3"``. ``levels``: those that it is
    played on, all if none is named. ``practice``: it is no part of the comparison; only practice rounds have
    it. ``cell``: its level of each factor, where the study has factors; what the levels set, it has.
    """

    name: Name
    seats: Annotated[dict[str, str | Player], Meta(min_length=1, max_length=64)] = {}
    title: Key | None = None
    options: dict[str, str] = {}
    levels: tuple[LevelName, ...] = ()
    practice: bool = False
    rules: str = "standard"
    limits: str = "article"
    cell: dict[Name, Name] = {}


class FactorLevel(Frozen, frozen=True):
    """A level of a factor: what its conditions have of seats, options, levels, rules and limits."""

    name: Name
    seats: Annotated[dict[str, str | Player], Meta(max_length=64)] = {}
    title: Key | None = None
    options: dict[str, str] = {}
    levels: tuple[LevelName, ...] = ()
    rules: str | None = None
    limits: str | None = None


class Factor(Frozen, frozen=True):
    """What conditions vary in. The conditions are all combinations of the levels of all factors.

    ``kind``: ``within`` subjects everybody plays every level, ``between`` subjects one; by default as the
    design says.
    """

    name: Name
    levels: Annotated[tuple[FactorLevel, ...], Meta(min_length=2, max_length=20), unique("name")]
    kind: Literal["within", "between"] | None = None
    title: Key | None = None


class Level(Frozen, frozen=True):
    """Scenarios of one difficulty: ids or suites. ``draw``: so many are drawn for each team; 0 takes all."""

    name: Name
    scenarios: Annotated[tuple[str, ...], Meta(min_length=1, max_length=100)]
    draw: Annotated[int, Meta(ge=0, le=1000)] = 0
    title: Key | None = None


class Design(Frozen, frozen=True):
    """Who plays which conditions, in which order.

    ``kind``: within subjects everybody plays every condition, between subjects one. ``order``: of the
    conditions; ``balanced`` is a Williams design, in which every condition stands at every place equally
    often and follows every other equally often. ``blocks``: whether all trials of a condition come together,
    or all of a level. ``scenarios``: whether what a level draws is the same under each condition, or no
    scenario comes twice. ``seeds``: what chance in play depends on: each trial its own, one for a team's
    trials, or one for the whole study.
    """

    kind: Literal["within", "between"] = "within"
    order: Literal["balanced", "random", "given"] = "balanced"
    levels: Literal["given", "random"] = "given"
    blocks: Literal["conditions", "levels", "none"] = "conditions"
    scenarios: Literal["same", "distinct"] = "same"
    seeds: Literal["trial", "team", "study"] = "trial"
    teams: Annotated[int, Meta(ge=1, le=100_000)] = 12
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    baseline: ConditionName | None = None


Offer = Literal["solid", "timeline", "recipes", "help", "theme", "sound"]
"""What the page of a game may offer: the view in three dimensions, the timeline, how things are made, how it
is played, light and dark colours, sounds."""


Colours = Literal["own", "light", "dark"]
"""In which colours all pages of a participant are: as their own system has them, or as said."""


class Play(Frozen, frozen=True):
    """How games are played. ``strict``: the rules' prices hold for people as for models.

    ``pace_seconds``: so long a step waits for people; without it, as long as it takes. ``most_minutes``: a
    game that takes longer is ended. ``lessons``: whoever has played is told how good it was, and what cost
    the most. ``offers``: what participants may see and switch; what they switch is logged.
    ``colours``: of all pages; whoever may switch them does so from there.
    """

    strict: bool = True
    pace_seconds: Seconds | None = None
    most_minutes: Annotated[float, Meta(gt=0, le=600)] = 60.0
    lessons: bool = False
    offers: tuple[Offer, ...] = ("solid", "timeline", "recipes", "help")
    colours: Colours = "own"


class Groups(Frozen, frozen=True):
    """People who play together.

    ``waiting_seconds``: so long somebody waits for the others. ``nobody``: what happens then: the missing
    seats are a stand-in's, or the study ends there (and is paid as ``codes`` say). ``absent_seconds``: after
    so long a stand-in plays for somebody who has gone. ``stand_in``: the agent that does.
    """

    waiting_seconds: Seconds = 300.0
    nobody: Literal["stand-in", "end"] = "stand-in"
    absent_seconds: Seconds = 60.0
    stand_in: str = "random"


# --- what is asked --------------------------------------------------------------------------------------


class Likert(Frozen, frozen=True, tag="likert", tag_field="kind"):
    """A rating from 1 to ``points``. ``low`` and ``high`` say what the ends stand for.

    ``reversed``: a high rating means little of the construct. ``correct``: the one right answer of a check.
    """

    name: Name
    text: Key
    points: Annotated[int, Meta(ge=2, le=11)] = 5
    low: Key | None = None
    high: Key | None = None
    construct: Name | None = None
    reversed: bool = False
    required: bool = True
    personal: bool = False
    conditions: tuple[ConditionName, ...] = ()
    check: Literal["attention", "comprehension"] | None = None
    correct: int | None = None


class Option(Frozen, frozen=True):
    """An option of a choice: what is kept, and what is shown."""

    value: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}\Z")]
    text: Key


class Choice(Frozen, frozen=True, tag="choice", tag_field="kind"):
    """One of several options, or any of them."""

    name: Name
    text: Key
    options: Annotated[tuple[Option, ...], Meta(min_length=2, max_length=50), unique("value")]
    several: bool = False
    construct: Name | None = None
    required: bool = True
    personal: bool = False
    conditions: tuple[ConditionName, ...] = ()
    check: Literal["attention", "comprehension"] | None = None
    correct: str | None = None


class Number(Frozen, frozen=True, tag="number", tag_field="kind"):
    """A number that is typed."""

    name: Name
    text: Key
    lowest: float | None = None
    highest: float | None = None
    whole: bool = True
    construct: Name | None = None
    required: bool = True
    personal: bool = False
    conditions: tuple[ConditionName, ...] = ()
    check: Literal["attention", "comprehension"] | None = None
    correct: float | None = None


class Words(Frozen, frozen=True, tag="text", tag_field="kind"):
    """A text that is typed. ``personal``: it may tell who somebody is; exported only when asked for."""

    name: Name
    text: Key
    lines: Annotated[int, Meta(ge=1, le=20)] = 1
    longest: Annotated[int, Meta(ge=1, le=10_000)] = 1000
    construct: Name | None = None
    required: bool = False
    personal: bool = False
    conditions: tuple[ConditionName, ...] = ()
    check: Literal["attention", "comprehension"] | None = None
    correct: str | None = None


Item = Likert | Choice | Number | Words


class Questionnaire(Frozen, frozen=True):
    """Items on one page. ``use``: a shipped questionnaire whose items come first. ``shuffled``: ratings come
    in another order each time.
    """

    name: Name
    items: Annotated[tuple[Item, ...], Meta(max_length=100)] = ()
    use: str | None = None
    intro: Key | None = None
    shuffled: bool = False


# --- the stages -----------------------------------------------------------------------------------------


class TextStage(Frozen, frozen=True, tag="text", tag_field="kind"):
    """A page to read; it can be left after ``least_seconds``."""

    name: Name
    text: Key
    title: Key | None = None
    least_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0


class ConsentStage(Frozen, frozen=True, tag="consent", tag_field="kind"):
    """What somebody agrees to, or does not. ``boxes``: statements that must be ticked one by one."""

    name: Name
    text: Key
    title: Key | None = None
    boxes: Annotated[tuple[Key, ...], Meta(max_length=20)] = ()


class FormStage(Frozen, frozen=True, tag="form", tag_field="kind"):
    """A questionnaire. Where it has comprehension checks it is shown again until they are right; after
    ``most_attempts`` it goes on all the same."""

    name: Name
    questionnaire: QuestionnaireName
    title: Key | None = None
    most_attempts: Annotated[int, Meta(ge=1, le=100)] = 5


class PlayStage(Frozen, frozen=True, tag="play", tag_field="kind"):
    """A game: under ``trials`` that of the trial; elsewhere it names condition and scenario, such as for a
    practice round.

    ``options`` take the place of the condition's, for a round that is shorter or easier.
    """

    name: Name
    condition: ConditionName | None = None
    scenario: str | None = None
    practice: bool = False
    title: Key | None = None


class TrialsStage(Frozen, frozen=True, tag="trials", tag_field="kind"):
    """For each trial of the participant, these stages."""

    name: Name
    each: Annotated[tuple[TextStage | FormStage | PlayStage, ...], Meta(min_length=1, max_length=20)]


Stage = TextStage | ConsentStage | FormStage | PlayStage | TrialsStage


# --- around it ------------------------------------------------------------------------------------------

Status = Literal["complete", "declined", "withdrawn", "unmatched", "dropped"]
"""How somebody comes to the end: all done; no consent; stopped of their own accord; nobody came to play;
taken out by the researcher."""


class Recruitment(Frozen, frozen=True):
    """How people come and how they go back.

    ``participant``: the parameter of the link that carries somebody's id; who comes again with the same id
    goes on where they were. ``keep``: other parameters that are kept. ``open``: whether an id or nothing is
    enough; otherwise only links made by ``study links`` are let in. ``codes``: the completion code for each
    end; ``back``: where a button leads then, with ``{code}`` in it.
    """

    participant: Parameter = "participant"
    keep: tuple[Parameter, ...] = ()
    open: bool = True
    codes: dict[Status, Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]] = {}
    back: Address = ""
    most: Annotated[int, Meta(ge=0)] = 0


class Exclusion(Frozen, frozen=True):
    """Whom or what the analysis leaves out, decided beforehand: what ``measure`` (see ``checking``) is
    below, above or equal to a value."""

    name: Name
    measure: str
    of: Literal["participant", "episode"] = "participant"
    below: float | None = None
    above: float | None = None
    equals: str | float | bool | None = None

    @property
    def text(self) -> str:
        """Whom or what it excludes, in words."""
        given = {"below": self.below, "above": self.above, "equal to": self.equals}
        how, value = next((how, value) for how, value in given.items() if value is not None)
        told = f"{value:g}" if isinstance(value, float) else str(value)
        return f"{self.of}s whose {self.measure} is {how} {told}"


class Outcome(Frozen, frozen=True):
    """What is analysed: a metric or number of episodes (``metric:CoS``, ``number:served``), or a construct
    (``construct:enjoyment``).

    ``primary``: a hypothesis rests on it, and ``hypothesis`` says which. ``effect``: the size, as Cohen's f,
    that the study is to find; ``study preregister`` tells how many people that takes. ``intercepts``: what is
    random in its mixed model; with scenarios it says something of others like them, too.
    """

    name: Name
    source: Annotated[str, Meta(pattern=r"^(metric|number|construct):.{1,60}\Z")]
    title: Key | None = None
    primary: bool = False
    hypothesis: str = ""
    better: Literal["higher", "lower", "neither"] = "higher"
    effect: Annotated[float, Meta(gt=0, le=10)] | None = None
    intercepts: Literal["participants", "participants+scenarios"] = "participants"


class Retention(Frozen, frozen=True):
    """How long data of a person are kept. ``days`` after the last thing that a participant did,
    ``study forget --expired`` removes them. ``withdrawal``: whether those who stop are removed at once, kept,
    or asked.
    """

    days: Annotated[int, Meta(ge=1, le=36_500)] = 3650
    withdrawal: Literal["ask", "delete", "keep"] = "ask"


class Ends(Frozen, frozen=True):
    """What is told at each end; without a key, a short thank-you."""

    complete: Key | None = None
    declined: Key | None = None
    withdrawn: Key | None = None
    unmatched: Key | None = None
    dropped: Key | None = None


class Study(Frozen, frozen=True, kw_only=True):
    """A whole study."""

    format: Literal[1]
    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]{0,39}\Z")]
    title: Key
    language: Language
    contact: Key
    conditions: Annotated[tuple[Condition, ...], Meta(max_length=50), unique("name")] = ()
    levels: Annotated[tuple[Level, ...], Meta(min_length=1, max_length=50), unique("name")]
    stages: Annotated[tuple[Stage, ...], Meta(min_length=1, max_length=100)]
    texts: Annotated[dict[Language, dict[Key, str]], Meta(min_length=1, max_length=50)]
    design: Design = Design()
    play: Play = Play()
    groups: Groups = Groups()
    questionnaires: Annotated[tuple[Questionnaire, ...], Meta(max_length=50), unique("name")] = ()
    recruitment: Recruitment = Recruitment()
    exclusions: Annotated[tuple[Exclusion, ...], Meta(max_length=50), unique("name")] = ()
    outcomes: Annotated[tuple[Outcome, ...], Meta(max_length=100), unique("name")] = ()
    retention: Retention = Retention()
    ends: Ends = Ends()
    factors: Annotated[tuple[Factor, ...], Meta(max_length=4), unique("name")] = ()
    schema: str = field(default="", name="$schema")

    def __hash__(self) -> int:
        """By its name, as it holds dictionaries; what is worked out of a study is kept by the study."""
        return hash(self.name)

    @property
    def languages(self) -> tuple[str, ...]:
        """All that it has texts in, the main one first."""
        return (self.language, *(each for each in self.texts if each != self.language))

    @property
    def condition_names(self) -> tuple[str, ...]:
        """The conditions, by name; cells that the file does not name are called after their levels."""
        named = [condition.cell for condition in self.conditions]
        cells = ("_".join(cell.values()) for cell in self.cells if cell not in named)
        return (*(condition.name for condition in self.conditions), *cells)

    @property
    def cells(self) -> tuple[dict[str, str], ...]:
        """Every combination of the levels of factors, the last one changing first; none without factors."""
        names = [[(factor.name, level.name) for level in factor.levels] for factor in self.factors]
        return tuple(map(dict, product(*names))) if names else ()

    @property
    def level_names(self) -> tuple[str, ...]:
        """The levels, by name."""
        return tuple(level.name for level in self.levels)

    def condition(self, name: str) -> Condition:
        """A condition by its name."""
        return next(each for each in self.conditions if each.name == name)

    def level(self, name: str) -> Level:
        """A level by its name."""
        return next(each for each in self.levels if each.name == name)

    def questionnaire(self, name: str) -> Questionnaire:
        """A questionnaire by its name."""
        return next(each for each in self.questionnaires if each.name == name)


def seats_of(condition: Condition, seats: tuple[str, ...]) -> dict[str, Player]:
    """Who has each of a world's seats; a seat that nobody has is missing."""
    found: dict[str, Player] = {}
    for seat in seats:
        player: Any = condition.seats.get(seat, condition.seats.get("*"))
        if player is not None:
            found[seat] = Player(player) if isinstance(player, str) else player
    return found


PERSON = "person"
"""The player that is a person."""
