"""Shortest plans of kitchens by search, with their proof.

``kitchens.KitchenSearch`` is the way in. A kitchen's states are rows of small numbers (``space``, ``steps``)
that A* (``astar``, ``table``) expands in batches; lower bounds (``bound``) add up distances in small
projections (``projection``) that are read off the domain and the problem alone.
"""
