"""Exact answers: tablebases, endgame solvers, threat search. Start at `solve`."""
