"""Evaluation at scale: running many episodes, scoring them, reporting."""
