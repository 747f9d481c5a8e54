"""What is seen of a kitchen: each thing with all that holds of it, in sentences of the domain."""

from __future__ import annotations

from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.layout import Atom, Layout
from backburner.worlds.robotouille.game.state import Kitchen, Seen


def things_seen(engine: Compiled, kitchen: Kitchen) -> tuple[Seen, ...]:
    """Every thing that is there, in the order of things."""
    layout = engine.layout(kitchen)
    seen = []
    for index, about in enumerate(layout.about):
        if kitchen.gone >> index & 1:
            continue
        facts = kitchen.facts & about
        thing = layout.known.get(("seen", index, facts))
        if thing is None:
            thing = layout.known["seen", index, facts] = _seen(layout, index, facts)
        seen.append(thing)
    return tuple(seen)


def _seen(layout: Layout, index: int, facts: int) -> Seen:
    thing = layout.objects[index]
    atoms = sorted(layout.true_atoms(facts))
    return Seen(thing.name, thing.type, tuple(_sentence(layout, atom, index) for atom in atoms))


def _sentence(layout: Layout, atom: Atom, index: int) -> str:
    """A fact as the domain says it of this thing, or as it is written if the domain has no words."""
    predicate, args = atom
    sentence = layout.predicates[predicate].sentences.get(str(args.index(index)))
    if sentence is None:
        return layout.words(atom)
    for place, arg in enumerate(args):
        sentence = sentence.replace(f"{{{place}}}", layout.objects[arg].name)
    return sentence
