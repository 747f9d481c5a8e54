"""TimeArena: 30 tasks of cooking, housework and laboratory work, to be done together in little time."""
