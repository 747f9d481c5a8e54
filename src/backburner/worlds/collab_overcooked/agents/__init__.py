"""Pairs of cooks for Collab-Overcooked that need no model: one with the best plan, a greedy, a clumsy one."""

from backburner.worlds.collab_overcooked.agents.clumsy import ClumsyCooks
from backburner.worlds.collab_overcooked.agents.greedy import GreedyCooks
from backburner.worlds.collab_overcooked.agents.oracle import OracleCooks

__all__ = ["ClumsyCooks", "GreedyCooks", "OracleCooks"]
