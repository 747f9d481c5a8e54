"""CuisineWorld's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field that is true lets the released program's defect happen."""

    name: str = "standard"

    bad_command_voids_all: bool = False
    """One command that cannot be read, or a second one for a body, and nobody does anything in this
    step. False: that command is refused, the others are carried out."""

    expiries_count_once: bool = False
    """Orders that expire in the same step count as one failure. False: each counts."""

    silence_freezes_time: bool = False
    """An answer without any command uses up a turn, and no time passes: no order runs out. False: a step
    passes."""

    silent_refusals: bool = False
    """It is not told why a command with too many arguments voids the step, or that a busy body cannot
    go. False: it is."""

    loose_body_numbers: bool = False
    """A body is any whole number once "agent" is taken away, wherever it stands: ``0``, ``agent-1`` for
    the last. False: ``agent0`` and so on."""

    exact_text: bool = False
    """Commands are found only if they are written exactly as ``verb_agentN_...``. False: capitals do not
    matter, and ``get(agent0, storage0, salmon)``, as the article has it, is read too."""

    items_ignored: bool = False
    """An item named with a put, or with a get from a tool, is not looked at. False: a command that names
    another item than the one held, or inside, is refused."""

    duplicates_vanish: bool = False
    """A thing put where one of its name is already is gone. False: it is refused."""

    waste_hides_reasons: bool = False
    """Whether a thing fits a recipe is asked before whether the tool is busy or full, so that this is
    hardly ever told. False: a tool that is busy, or whose product waits, is the reason."""

    missing_tools: bool = False
    """Level 12 has no fryer, so that its French fries cannot be made. False: kinds of tool that dishes
    need and a kitchen lacks stand at its end."""

    idling_complaint: bool = False
    """Where every command is a noop, feedback complains, though nothing is wrong. False: it does not."""

    other_words_are_prose: bool = False
    """Nothing but the five verbs begins a command: ``wait_agent1`` is prose, and the other commands of the
    answer are carried out. False: it is a command that is refused."""

    commands_within_words: bool = False
    """A command is found in the middle of a word (``output_agent0_pot0`` holds a put), goes on as far as
    letters, digits and underscores do, and its number may have the digits of any script. False: it is a
    word of its own."""

    arguments_before_places: bool = False
    """Too many arguments are the reason, whether or not the place exists. False: a place that does not
    exist is told first."""

    crashes_told_last: bool = False
    """A verb without its place, and a body beyond the last, are the reason only where nothing else is
    wrong with the list: there the released program ends with an exception, where we refuse. False: what
    comes first is told first."""

    numbers_tell_bodies_apart: bool = False
    """Two commands for one body pass if they write its number as two numbers, such as 1 and -1. False:
    one command for each body."""

    silence_repeats_errors: bool = False
    """After an answer without any command the errors of the last step are told again, even those of the
    episode before, and nothing is said of the answer. False: it is told that no command was found."""

    history_shows_commands: bool = False
    """Of an earlier answer a prompt shows the commands that were read, at most one for each body. False:
    the answer as it was given."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is over: after so many ``turns``, ``None`` for never.

    A turn is a step of the kitchen, unless the rules froze time in it. Raises ``Refused`` for less than 1.
    """

    turns: int | None = None

    def __post_init__(self) -> None:
        if self.turns is not None and self.turns < 1:
            raise Refused(f"limits: turns is {self.turns}; it is at least 1")


NO_LIMITS = Limits()
