"""What was refused, in words."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.kernel.values import Refusal

SENTENCES: Mapping[str, str] = {
    "no_command": "No command could be found in your answer.",
    "empty": "No command was given.",
    "arity": "'{said}' is no command: it takes a verb, an agent and at most an item and a place.",
    "verb": "'{said}' begins with no verb that there is: use noop, goto, get, put or activate.",
    "agent": "'{said}' names no agent: an agent is called agent and its number.",
    "no_place": "'{said}' does not say at which place.",
    "args": "'{said}' says more than this verb takes.",
    "location": "'{said}' names a place that is not in this kitchen.",
    "no_such_agent": "'{said}' is for an agent that is not here.",
    "other_agent": "'{said}' is for {agent}, whom you do not command.",
    "duplicate_agent": "'{said}' is a second command for {agent}: one for each agent and step.",
    "more": "{count} more commands were refused.",
    "agent_occupied": "'{said}': the agent is still busy with a tool.",
    "not_at_location": "'{said}': the agent is not there; it has to go there first.",
    "not_pickable": "'{said}': nothing can be taken from there now.",
    "storage_needs_base_item": "'{said}': the storage gives base ingredients only, each by its name.",
    "get_empty": "'{said}': nothing is inside.",
    "get_hands_full": "'{said}': the agent already holds {thing}.",
    "not_inside": "'{said}': something else is inside.",
    "location_occupied": "'{said}': the place is occupied until its work is done.",
    "not_a_level_dish": "'{said}': {thing} is no dish of this level; the serving table is for those.",
    "table_full": "'{said}': nobody waits for another {thing}, and the serving table has no room to spare.",
    "put_waste": "'{said}': no recipe takes {thing} there together with what is inside; it would be wasted.",
    "put_hands_empty": "'{said}': the agent holds nothing.",
    "not_held": "'{said}': the agent holds {thing}.",
    "inside_already": "'{said}': {thing} is inside already.",
    "product_waits": "'{said}': what was made there has to be taken out first.",
    "location_full": "'{said}': the place is full.",
    "activate_hands_full": "'{said}': the agent holds {thing}, and needs free hands.",
    "activate_empty": "'{said}': nothing is inside.",
    "activate_waste": "'{said}': what is inside is no whole recipe; it would be wasted.",
}
"""One sentence for each code; names in braces are details of the refusal."""


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    sentence = SENTENCES.get(refusal.code, f"Refused: {refusal.code}.")
    for name, value in refusal.detail:
        sentence = sentence.replace(f"{{{name}}}", str(value))
    return sentence
