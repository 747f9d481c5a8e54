"""Pairs of cooks for Collab-Overcooked that need no model: oracle, greedy and clumsy."""

from backburner.kernel.plan_policies import once_per_world
from backburner.worlds.collab_overcooked.agents.clumsy import ClumsyCooks
from backburner.worlds.collab_overcooked.agents.greedy import GreedyCooks
from backburner.worlds.collab_overcooked.agents.oracle import OracleCooks

oracle_cooks = once_per_world(OracleCooks)
"""``OracleCooks`` of a world; its plan is looked for once."""

__all__ = ["ClumsyCooks", "GreedyCooks", "OracleCooks", "oracle_cooks"]
