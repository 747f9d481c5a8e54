# %% [markdown]
# # Train a small policy
#
# Three experiments in a laboratory at once, as an environment of Gymnasium. What is learnt is a table of weights: a row
# for each decision, a column for each number that is seen. It takes some seconds.
# `pip install '.[rl]'` in the clone brings what is needed.

# %%
import gymnasium
import numpy as np

import backburner
import backburner.training
from backburner.kernel.charts import Line, Lines, Point

SCENARIO = "timearena/lab1+lab2+lab3"
env = gymnasium.make("backburner/timearena-v3", scenario=SCENARIO, observation="features")
codes, features = int(env.action_space.n), env.observation_space["features"].shape[0]
print(f"{codes} decisions, {features} numbers seen")
backburner.world(SCENARIO)

# %% [markdown]
# `action_mask` tells what is possible. Every decision has a score, possible ones are drawn the more often the higher it
# is.

# %%
draw = np.random.default_rng(0)
weights = np.zeros((codes, features))


def chances(seen):
    scores = np.where(seen["action_mask"], weights @ seen["features"], -np.inf)
    odds = np.exp(scores - scores.max())
    return odds / odds.sum()


def play():
    """An episode: the minutes that it took, and each moment with what was seen, the chances, and the choice."""
    seen, info = env.reset()
    moments, over = [], False
    while not over:
        odds = chances(seen)
        code = int(draw.choice(codes, p=odds))
        moments.append((seen["features"].copy(), odds, code))
        seen, _, terminated, truncated, info = env.step(code)
        over = terminated or truncated
    return info["outcome"]["minutes"], moments


# %% [markdown]
# REINFORCE: of twenty episodes the quick ones make what they did more likely, the slow ones less.

# %%
env.reset(seed=1)
curve = []
for _ in range(60):
    episodes = [play() for _ in range(20)]
    minutes = np.array([took for took, _ in episodes])
    curve.append(float(minutes.mean()))
    slope = np.zeros_like(weights)
    for worth, (_, moments) in zip(
        (minutes.mean() - minutes) / (minutes.std() + 1e-6), episodes, strict=True
    ):
        for seen, odds, code in moments:
            direction = -odds
            direction[code] += 1
            slope += worth * np.outer(direction, seen)
    weights += 0.05 * slope / len(episodes)
print(f"{curve[0]:.1f} minutes at first, {np.mean(curve[-10:]):.1f} at last")

# %% [markdown]
# Beside it what is proven: nobody can be quicker.

# %%
best = backburner.solve_world(backburner.world(SCENARIO)).objective
learnt = Line("learnt", tuple(Point(20 * n, value) for n, value in enumerate(curve)))
optimum = Line("proven optimum", (Point(0, best), Point(20 * len(curve), best)), quoted=True)
Lines("What was learnt", "episodes", "minutes", (learnt, optimum))

# %% [markdown]
# The policy plays the exact world like any other agent: what a code stands for the encoding tells.


# %%
class Learnt:
    name, informed, settings = "learnt", False, {}

    async def decide(self, turn, memory):
        seen = memory or env.reset(seed=turn.seed)[0]
        code = int(np.argmax(chances(seen)))
        label = env.unwrapped.series.encoding.actions[code]
        return backburner.Reply("wait" if code == 0 else label, memory=env.step(code)[0])


backburner.play_now(backburner.world(SCENARIO), Learnt(), seed=5)
