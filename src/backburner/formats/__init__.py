"""Scheduling problems and planning tasks in the formats of other programs.

``files`` knows every format: ``exported`` writes a problem in one of them and tells what that one cannot say,
``imported`` reads a file as data, with bounds. ``up`` turns problems into unified-planning's and plans back.
docs/formats.md has the table. Libraries of others are imported only where they are used.
"""
