"""Quick nets: sparse features into a very small net, evaluated and trained inside compiled kernels. See docs/quick.md.

`store` has the files, `learner` what trains, `library` which kind of net a game has and which nets come with Boyi.
Othello's pattern tables are `othello_*`, EinStein's net `einstein_*`, and `tuples*` fits every other game.
"""
