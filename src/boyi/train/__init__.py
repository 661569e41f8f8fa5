"""Training: self-play, the replay window, the learner, and the loop that joins them in a run directory.

Reading order: `config` (every option), `loop` (a run from top to bottom), `selfplay` and `workers` (games), `samples`
and `replay` (what is learnt from), `learner` (how), `measure` (how strong), `run` (files), `report` (who is told). Only
`learner` imports PyTorch.
"""
