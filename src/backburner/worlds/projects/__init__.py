"""Any scheduling problem, played."""
