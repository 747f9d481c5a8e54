"""Jobs of a run, and searches, on the machines of a cluster.

The head, which is the process of the command, hands out work and writes every file; workers have nothing but
their own memory and a scratch folder. Only ``on_ray`` knows Ray.
"""
