"""Project scheduling with one operator: problems as values in, proven schedules out.

Activities have precedence, maximum lags, renewable resources whose machines may need a setup, and one
operator; some may be preempted. ``makespan.solve_problem`` finds the shortest schedule with OR-Tools
CP-SAT; docs/scheduling.md states the model.
"""
