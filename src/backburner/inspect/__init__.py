"""The worlds as tasks of Inspect AI, and its logs as episode records.

A thin adapter: rules, prompts, play and scoring are those of the rest of the package. ``client`` puts
Inspect's models behind our boundary, ``tasks`` and ``scoring`` are what Inspect finds by name, ``samples``
takes the records out of its logs, ``engine`` plays a run's jobs through it.

Importing this package imports nothing of Inspect; its modules do.
"""
