"""Jobs of a run, searches, and attempts of a build on the machines of a cluster.

The head, which is the process of the command, hands out pieces of work and writes every file; workers have
nothing but their own memory and a scratch folder, and ask the head before each call to a model. Only
``ray_cluster`` knows Ray.
"""
