"""Agents: who decides. Scripted ones, a person, planners that know the world, language models."""
