# %% [markdown]
# # Write a world
#
# A kettle boils by itself, bread is cut by hand, a toaster toasts by itself. Breakfast is to be ready as early as can
# be. Three things make it a world: what changes, what can be decided, what follows.

# %%
from msgspec import Struct
from msgspec.structs import replace

import backburner
from backburner.kernel.clock import PassingIsSilence
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.testing import check_world
from backburner.kernel.text import Part, Text
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Step
from backburner.kernel.view import Body, Place, Progress, Scene, Thing, View


class Job(Struct, frozen=True):
    name: str
    hands: int  # minutes that it holds your hands
    alone: int  # minutes that it then goes on by itself
    after: str = ""  # what has to be over before


class Rules(Struct, frozen=True):
    name: str = "standard"


class Limits(Struct, frozen=True):
    minutes: int = 60


class State(Struct, frozen=True):
    minute: int
    over: tuple[int, ...]  # when each job is over; 0: not begun


# %% [markdown]
# A decision is its words. `menu` lists what is possible, `step` says what follows of one, refused ones too, and
# `outcome` how things stand. Events tell the story, from which timelines are drawn.


# %%
class Breakfast(Menus, Text, View, PassingIsSilence):
    version, time_unit, tick_microseconds, beat_ticks = 1, "minutes", 60_000_000, 2
    seats = ("cook",)
    state_type, decision_type = State, str

    def __init__(self, id, scenario, rules, limits):
        self.id, self.scenario, self.rules, self.limits = id, scenario, rules, limits
        self.names = [job.name for job in scenario]

    def start(self, seed=0):
        return State(0, (0,) * len(self.scenario))

    def deciders(self, state):
        return self.seats if self.outcome(state).status == "running" else ()

    def done(self, state, name):
        return not name or 0 < state.over[self.names.index(name)] <= state.minute

    def menu(self, state, seat):
        jobs = zip(self.scenario, state.over, strict=True)
        free = [job.name for job, over in jobs if not over and self.done(state, job.after)]
        running = tuple(n for n, over in zip(self.names, state.over, strict=True) if over > state.minute)
        options = (*(Option(name, name) for name in free), Option("wait", "wait", passes=True))
        return Menu(options, complete=True, under_way=running)

    def step(self, state, decisions):
        if not self.deciders(state):
            return Step(state)
        said = decisions.get("cook")
        if not isinstance(said, str) or said not in [o.label for o in self.menu(state, "cook").options]:
            fault = Fault.MISMATCH if isinstance(said, str) else Fault.UNREADABLE
            refusal = said if isinstance(said, Refusal) else Refusal("not possible now", fault)
            return Step(*self.later(state, 1), (refusal.at("cook"),))
        if said == "wait":
            return Step(*self.later(state, 1))
        number = self.names.index(said)
        job = self.scenario[number]
        begun = Event(state.minute, "start", "cook", said, said)
        after, events = self.later(state, job.hands)
        if after.minute < state.minute + job.hands:  # time was up before
            return Step(after, (begun, *events))
        over = (*after.over[:number], after.minute + job.alone, *after.over[number + 1 :])
        events = (begun, *events, replace(begun, time=after.minute, what="end"))
        if job.alone:
            events = (*events, Event(after.minute, "start", said, said, f"{said} alone"))
        return Step(replace(after, over=over), events)

    def later(self, state, minutes):
        minute = min(state.minute + minutes, self.limits.minutes)
        ends = sorted((over, n) for over, n in zip(state.over, self.names, strict=True))
        ended = [Event(at, "end", n, n, f"{n} alone") for at, n in ends if state.minute < at <= minute]
        return replace(state, minute=minute), tuple(ended)

    def outcome(self, state):
        ready, late = all(self.done(state, n) for n in self.names), state.minute >= self.limits.minutes
        numbers = {"completed": int(ready), "minutes": state.minute}
        if ready:
            return Outcome("ended", "breakfast is ready", numbers)
        return Outcome("cut off" if late else "running", "time is up" if late else "", numbers)

    def observe(self, state, seat):
        return state

    def now(self, state):
        return state.minute

    # --- words, for people and language models ---

    def briefing_parts(self, seat):
        jobs = [
            f"- {j.name}: hands {j.hands}, alone {j.alone}, after {j.after or '-'}" for j in self.scenario
        ]
        task = "Have breakfast ready as early as you can. Minutes of each job:\n" + "\n".join(jobs)
        return (Part("task", task), Part("answering", "\n\nAnswer with the name of a job, or: wait"))

    def description_parts(self, observation):
        jobs = zip(self.names, observation.over, strict=True)
        told = [f"{n}: {f'over in minute {at}' if at else 'not begun'}" for n, at in jobs]
        return (Part("state", "\n".join([f"Minute {observation.minute}.", *told])),)

    def parse(self, state, seat, answer):
        said = answer[:200].strip()
        return said if said in (*self.names, "wait") else Refusal("not understood", Fault.UNREADABLE)

    def words(self, decision, seat=""):
        return decision

    # --- a picture ---

    def scene(self, state, seat=None):
        things = []
        for job, over in zip(self.scenario, state.over, strict=True):
            left = over - state.minute
            bar = (Progress("alone", job.alone - left, job.alone),) if left > 0 else ()
            mark = "not begun" if not over else "under way" if left > 0 else "ready"
            things.append(Thing(job.name, job.name.split()[-1], marks=(mark,), progress=bar))
        table = Place("table", "table", (0, 0), stack=tuple(things))
        caption = f"minute {state.minute}"
        return Scene(2, 1, (table,), (Body("cook", "person", (1, 0)),), caption=caption, cards=True)


JOBS = (
    Job("boil water", hands=1, alone=5),
    Job("brew tea", hands=1, alone=3, after="boil water"),
    Job("cut bread", hands=2, alone=0),
    Job("toast bread", hands=1, alone=4, after="cut bread"),
    Job("lay table", hands=3, alone=0),
)
world = Breakfast("breakfast/sunday", JOBS, Rules(), Limits())
world

# %% [markdown]
# Does it keep the contract of worlds? The kit plays it at random, well, badly and not at all, and names the first
# demand that is not met.

# %%
checked = check_world(world)
print(f"{sum(1 for cases in checked.ran.values() if cases)} checks hold in {checked.steps} steps of play")

# %% [markdown]
# The general oracle proves the best breakfast, as menus are complete and states can be hashed. Water first: 10 minutes.

# %%
backburner.solve_world(world)

# %%
backburner.play_now(world, backburner.agent("oracle", world))

# %% [markdown]
# One thing after the other takes longer. Agents, language models and people play it now as they play any other world.

# %%
backburner.play_now(world, backburner.SerialPolicy())

# %% [markdown]
# `backburner new world NAME` writes a package with such a world, a catalogue of scenarios and tests; with it every command
# plays yours. `backburner check-world NAME` says what to write for the headline, dials and the rest.
