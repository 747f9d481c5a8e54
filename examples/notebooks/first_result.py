# %% [markdown]
# # A first result, and its replay
#
# A world is a scenario with its rules. Shown in a notebook it is a picture, with what its player is told folded away.

# %%
import tempfile
from pathlib import Path

import backburner

world = backburner.world("timearena/cooking1+cooking2")
world

# %% [markdown]
# Chopping and washing hold the cook's hands; pots and fryers work by themselves. Somebody who draws at random among all
# that can be done gets there, but late. The lanes tell why: look at what stands still while the cook works, and at when
# the pots are started.

# %%
episode = backburner.play_now(world, backburner.RandomPolicy(), seed=1)
episode

# %% [markdown]
# The oracle of the world finds the best plan and proves that there is no better one.

# %%
best = backburner.solve_world(world)
best

# %%
late = episode.ending.numbers["minutes"] - best.objective
print(f"{late} minutes lost of {best.objective}")

# %% [markdown]
# ## A record, and its replay
#
# Every episode is a record: decisions, what came of each, a digest of each state. Whoever has the file plays it again
# and comes to the same end, or is told where it differs. `backburner replay FILE --html page.html` makes a page of it
# with scenes that play.

# %%
record = Path(tempfile.mkdtemp()) / "first.jsonl"
backburner.write_episode(episode, record)
steps = backburner.check(backburner.read_episode(record))
print(f"{steps} steps played again, all as recorded")

# %% [markdown]
# States are values, so that any moment can be looked at. This is the kitchen when the first thing cooks by itself.

# %%
for _state, _entry, step in backburner.trajectory(episode):
    if any(event.what == "start" and event.lane != "agent" for event in step.events):
        break
world.scene(step.state)
