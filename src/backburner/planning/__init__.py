"""A planner for tasks with delayed effects and several agents: shortest plans, with their proof.

``task.Task`` says what a task is; ``planner.Planner`` is the way in. States are rows of small numbers
(``variables``, ``successors``) that A* (``astar``) expands in batches, one for each orbit (``symmetry``); the
heuristic (``heuristic``) adds up distances in pattern databases that are read off the schemas alone
(``grounding``, ``mutexes``, ``goals``, ``abstraction``, ``abstract_operators``, ``pattern_database``,
``patterns``) and looked up for whole batches (``abstract_state_lookup``), or counts turns (``turn_taking``).
docs/search.md explains it as a whole.
"""
