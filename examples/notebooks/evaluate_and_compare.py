# %% [markdown]
# # Evaluate agents, and compare them
#
# An agent is three attributes and a method. This one does of all that can be done what it has done least often.

# %%
import backburner
from backburner.evaluation.comparing.comparison import compare, side_of
from backburner.kernel.charts import Bar, Bars, Group


class Rounds:
    name = "rounds"
    informed = False  # it knows no more than its seat is told
    settings = {}

    async def decide(self, turn, memory):
        done = memory or {}
        active = [option for option in turn.menu.options if not option.passes] or turn.menu.options
        chosen = min(active, key=lambda option: done.get(option.label, 0))
        return backburner.Reply(chosen.decision, {**done, chosen.label: done.get(chosen.label, 0) + 1})


# %% [markdown]
# It plays pairs of tasks beside agents that come with the package, by their names on the command line. Episodes of one
# seed and scenario can be compared with each other.

# %%
scenarios = backburner.expand("timearena/pairs")
episodes = []
for id in scenarios:
    world = backburner.world(id)
    for agent in (Rounds(), *(backburner.agent(name, world) for name in ("random", "serial", "greedy"))):
        episodes += [backburner.play_now(world, agent, seed=seed) for seed in range(2)]
print(len(episodes), "episodes of", len(scenarios), "scenarios")

# %% [markdown]
# The article's metrics, with 95 % intervals over the scenarios. Of completed tasks all agents have 100 %: in this world
# time is what tells them apart.

# %%
(scores,) = backburner.score(episodes)
scores

# %% [markdown]
# ## Is it better?
#
# Scenario by scenario: the mean of the differences with its interval, an effect size, and a permutation test.

# %%
records = [(None, episode) for episode in episodes]
(comparison,) = compare([scores], *(side_of(name, records, None) for name in ("rounds", "serial")))
comparison

# %% [markdown]
# Pictures are values, too: how far above the proven optimum each agent is.

# %%
optimum = {id: backburner.solve_world(backburner.world(id)).objective for id in scenarios}
above = {}
for episode in episodes:
    minutes = episode.ending.numbers["minutes"]
    above.setdefault(episode.header.agent, []).append(100 * (minutes / optimum[episode.header.id] - 1))
bars = sorted((Bar(name, sum(each) / len(each)) for name, each in above.items()), key=lambda bar: bar.value)
Bars("Time above the optimum", "%", (Group("", tuple(bars)),))

# %% [markdown]
# Language models are measured by the command line, which pays for no call twice and resumes what was stopped:
# `backburner run timearena/pairs --agent act --model NAME@base_url=URL --out runs`, then
# `backburner score runs`. `backburner.read_episode` reads each of its records into a notebook.
