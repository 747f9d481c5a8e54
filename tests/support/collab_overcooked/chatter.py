"""Made-up answers of language models in Collab-Overcooked: outer forms, says and plans of all kinds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.state import Kitchen
from support.collab_overcooked.kitchens import refusal_of

Form = Callable[[str, str, str, str, str], str]
"""Makes an answer of role, other role, analysis, plan and say."""


def usual(role: str, other: str, analysis: str, plan: str, say: str) -> str:
    return f"{role} analysis: {analysis}\n{role} plan: {plan}\n{role} say: {say}"


def _with(change: Callable[[str], str]) -> Form:
    return lambda role, other, analysis, plan, say: change(usual(role, other, analysis, plan, say))


def _planning(change: Callable[[str], str]) -> Form:
    return lambda role, other, analysis, plan, say: usual(role, other, analysis, change(plan), say)


def _fields(*templates: str) -> Form:
    def made(role: str, other: str, analysis: str, plan: str, say: str) -> str:
        text = "\n".join(templates)
        for mark, value in zip("ROAPS", (role, other, analysis, plan, say), strict=True):
            text = text.replace(f"<{mark}>", value)
        return text

    return made


def _numbered(plan: str) -> str:
    return "; ".join(f"{number}. {item.strip()}" for number, item in enumerate(plan.split(";"), 1))


A, P, S = "<R> analysis: <A>", "<R> plan: <P>", "<R> say: <S>"

FORMS: Mapping[str, Form] = {
    # analysis and plan are found
    "usual": usual,
    "plan after a newline": _fields(A, "<R> plan:\n<P>", S),
    "remarks after": _fields(A, P, S, "", "That is all."),
    "analysis of many lines": _fields("<R> analysis:", "", "one", "", "two", "", P, S),
    "code fence": _fields("```", A, P, S, "```"),
    "twice": _fields(A, P, S, A, "<R> plan: wait(1)", "<R> say: again"),
    "short sentence first": _planning(lambda plan: f"I will wait for the assistant;{plan}"),
    "trailing semicolon": _planning(lambda plan: f"{plan};"),
    "two trailing semicolons": _planning(lambda plan: f"{plan};;"),
    "spaced semicolons": _planning(lambda plan: plan.replace(";", " ; ")),
    "one line": _with(lambda text: text.replace("\n", " ")),
    "carriage returns": _with(lambda text: text.replace("\n", "\r\n")),
    "numbered calls": _planning(_numbered),
    "nothing as plan": _planning(lambda plan: "[NOTHING]"),
    "nothing behind a call": _planning(lambda plan: f"{plan};[NOTHING]"),
    "nothing, bare": _planning(lambda plan: "nothing"),
    "double blanks": _with(lambda text: text.replace(" ", "  ")),
    "blank lines": _with(lambda text: text.replace("\n", " \n\n") + "  \n"),
    "garbage behind the first call": _planning(lambda plan: f"{plan};!?: ({{"),
    "text before": _with(lambda text: f"Let us see.\n{text}"),
    "brackets around": _planning(lambda plan: f"[{plan}]"),
    # only the plan
    "no analysis": _fields(P, S),
    "empty analysis": _fields("<R> analysis:", P, S),
    "plan, say, analysis": _fields(P, S, A),
    "blank before the plan's colon": _fields(A, "<R> plan : <P>", S),
    # only the analysis
    "no say": _fields(A, P),
    "role in small letters": _with(
        lambda text: text.replace("Chef", "chef").replace("Assistant", "assistant")
    ),
    "labels in capitals": _fields("<R> ANALYSIS: <A>", "<R> PLAN: <P>", "<R> SAY: <S>"),
    "bold, colon inside": _fields("**<R> analysis:** <A>", "**<R> plan:** <P>", "**<R> say:** <S>"),
    "say, analysis, plan": _fields(S, A, P),
    "plan over two lines": _with(lambda text: text.replace(";", ";\n", 1)),
    "plan over two lines without semicolon": _with(lambda text: text.replace(";", "\n", 1)),
    "empty plan": _planning(lambda plan: ""),
    "numbered fields": _fields("1. <R> analysis: <A>", "2. <R> plan: <P>", "3. <R> say: <S>"),
    "bulleted fields": _fields("- <R> analysis: <A>", "- <R> plan: <P>", "- <R> say: <S>"),
    "quoted calls": _planning(lambda plan: ";".join(f'"{item}"' for item in plan.split(";"))),
    "colon in a call": _planning(lambda plan: f"wait: 1;{plan}"),
    "other role's plan line": _fields(A, P, "<O> plan: wait(1)", S),
    "note between": _fields(A, P, "Note: none", S),
    "leading semicolon": _planning(lambda plan: f";{plan}"),
    "say without colon": _fields(A, P, "<R> say <S>"),
    "blank before the say's colon": _fields(A, P, "<R> say : <S>"),
    "long sentence first": _planning(
        lambda plan: f"a sentence of more than thirty letters without any call at all;{plan}"
    ),
    "long name first": _planning(lambda plan: f"pickupallofthesethingsfromthecounteratonce;{plan}"),
    "tabs": _with(lambda text: text.replace(" ", "\t")),
    "a later label fits": _fields(A, P, "and then", P, S),
    # neither
    "no plan": _fields(A, S),
    "no roles": _fields("analysis: <A>", "plan: <P>", "say: <S>"),
    "gibberish": _fields("qwzx 17 <A>"),
    "empty": _fields(""),
    "bold, colon outside": _fields("**<R> analysis**: <A>", "**<R> plan**: <P>", "**<R> say**: <S>"),
    "other role": _fields("<O> analysis: <A>", "<O> plan: <P>", "<O> say: <S>"),
    "no colons": _fields("<R> analysis <A>", "<R> plan <P>", "<R> say <S>"),
    "blank before every colon": _fields("<R> analysis : <A>", "<R> plan : <P>", "<R> say : <S>"),
    "json": _fields('{"<R> analysis": "<A>", "<R> plan": "<P>", "<R> say": "<S>"}'),
    "plan, analysis, say": _fields(P, A, S),
}

SAYS = (
    "[NOTHING]", "[NOTHING].", "well, [NOTHING] more", "[nothing]", "NOTHING", "Nothing", "[EMPTY]",
    "[EMPTY] ok", "[empty]", "", "-", ".", "ok", "ok", "hello", "[END]", "[end]", "[End] bye", "<END>",
    "END", "end", "bye [END]", "use the blender", "I send it", "my friend", "it depends", "weekend",
    "we are bEnDing", "recommend", "pretend", "e n d", "E N D", "ne dne", "[DONE]", "edn", "finished",
    "over", "OK.<END>", "line one\nline two", "go on", "Chef say: hi", "Assistant plan: wait(1)",
    "a plan: b", "What next?", "What next?", "the Chef says so", "request('wait(1)')", '"quoted"',
    "**bold**", "1.",
)  # fmt: skip

ODD_ITEMS = (
    "wait", "wait()", "wait(0)", "wait(-1)", "wait(two)", "wait 3", "wait( 2 )", "wait(03)", "wait(2.0)",
    "wait(2).", "wait(6)", "wait(20)", "wait(2)(3)", "Wait(2)", "I will wait", " ", "", "accept()",
    "deny()", "clarify(x)", "place_obj_on_counter() ", " place_obj_on_counter()", "place_obj_on_counter",
    "deliver()", "deliver_soup() ", "check_recipe()", "cook pot0", "cook(Pot0)", "cook(pot0",
    "bake(oven0).", "pickup(egg)", "pickup", "pickup(egg,my counter)", 'pickup("egg",counter)',
    "pickup (egg,counter)", "pickup(unicorn,pot0)", "put_obj_in_utensil()", "put_obj_in_utensil(egg,pot0)",
    "fill_dish_with_food(pot0,oven0)", "cut(chopping_board)", "dance(pot0)", "hello there", "nothing",
    "[NOTHING]", "I will now do this one", '"wait(2)"', "put_obj_in_utensil(pot1)",
    "pickup(egg, ingredient_dispenser)", "COOK(POT0)", "1. wait(2)", "please cook(pot0)",
)  # fmt: skip

REQUESTS = ("request('{}')", 'request("{}")', "request({})", "Request('{}')", " request('{}') ")


class Chatter:
    """Draws answers that mostly make sense in the kitchen. ``oddness``: how often a part does not."""

    def __init__(
        self, compiled: Compiled, order: str, draw: random.Random, oddness: float, talks: float
    ) -> None:
        self.compiled = compiled
        self.draw = draw
        self.oddness, self.talks = oddness, talks
        self.calls = tuple(_calls(compiled, order))

    def answer(self, kitchen: Kitchen, cook: int, kind: str) -> str:
        """An answer of a cook that is asked for this."""
        role, other = ("Chef", "Assistant")[cook], ("Assistant", "Chef")[cook]
        odd = self.draw.random() < self.oddness
        form = FORMS[self.draw.choice(sorted(FORMS))] if odd else usual
        return form(role, other, f"note {self.draw.randrange(9)}", self._plan(kitchen, cook), self._say(kind))

    def _say(self, kind: str) -> str:
        speaks = self.talks if kind in ("plan", "correct") else 0.7
        if self.draw.random() > speaks:
            return "[NOTHING]"
        odd = self.draw.random() < 0.6
        return self.draw.choice(SAYS) if odd else f"word {self.draw.randrange(1000)}"

    def _plan(self, kitchen: Kitchen, cook: int) -> str:
        items = [self._item(kitchen, cook) for _ in range(self.draw.choice((1, 1, 2, 3, 4, 5)))]
        return self.draw.choice((";", ";", "; ")).join(items)

    def _item(self, kitchen: Kitchen, cook: int) -> str:
        chance = self.draw.random()
        if chance < self.oddness * 0.4:
            return self.draw.choice(ODD_ITEMS)
        if chance < 0.3:
            return f"wait({self.draw.choice((1, 1, 1, 2, 3, 5))})"
        if chance < 0.42:
            return self.draw.choice(REQUESTS).format(self.draw.choice(self.calls))
        able = [call for call in self.calls if refusal_of(self.compiled, kitchen, cook, call) is None]
        return self.draw.choice(able if able and self.draw.random() < 0.7 else self.calls)


def _calls(compiled: Compiled, order: str) -> Iterator[str]:
    foods: Sequence[str] = [order, *_parts(compiled, order), "dish"]
    for place in ("counter", "ingredient_dispenser", "dish_dispenser"):
        yield from (f"pickup({food},{place})" for food in foods)
    for utensil in compiled.grid.utensils:
        yield from (f"pickup({food},{utensil.name})" for food in foods[:2])
        yield f"put_obj_in_utensil({utensil.name})"
        yield f"{utensil.verb}({utensil.name})"
        yield f"fill_dish_with_food({utensil.name})"
    yield from ("place_obj_on_counter()",) * 3
    yield "deliver_soup()"


def _parts(compiled: Compiled, food: str) -> Iterator[str]:
    """What a food is made of, and what that is made of."""
    for recipe in compiled.layout.recipes:
        if recipe.output == food:
            for part in recipe.inputs:
                yield part
                yield from _parts(compiled, part)
                return
