"""Agents of projects."""
