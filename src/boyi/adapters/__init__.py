"""Games as environments of other libraries: `pettingzoo` for two agents, `gymnasium` for one against a player."""
