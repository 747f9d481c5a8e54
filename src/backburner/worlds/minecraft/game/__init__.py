"""Minecraft: bots that cook meat and bring it into a chest, while orders keep coming."""

from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.game.catalogue import catalogue
from backburner.worlds.minecraft.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.minecraft.game.scenarios import Scenario
from backburner.worlds.minecraft.game.world import Minecraft

__all__ = ["RELEASED", "STANDARD", "Calls", "Limits", "Minecraft", "Rules", "Scenario", "catalogue"]
