"""New desks: what is drafted, with tables, formulas and people, and the deadlines of the proven plan."""
