"""Pairs of cooks for Collab-Overcooked that need no model: one with the best plan, a greedy, a clumsy one."""

from backburner.agents.collab_overcooked.clumsy import ClumsyCooks
from backburner.agents.collab_overcooked.greedy import GreedyCooks
from backburner.agents.collab_overcooked.oracle import OracleCooks

__all__ = ["ClumsyCooks", "GreedyCooks", "OracleCooks"]
