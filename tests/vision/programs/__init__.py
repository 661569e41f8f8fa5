"""Programs that nobody here wrote, and how each is made to show a board: `take_screens.py` takes their pictures.

`part.py` says what a part is, `positions.py` what stands on the boards and `truth.py` where that is written down.
`screen.py`, `browser.py` and `pythons.py` start programs, pages and Python packages. The other modules hold the parts:

- `records.py`: programs that open a game record
- `clicks.py`: programs in which both sides are played by clicks
- `own_moves.py`: programs that choose moves themselves
- `hosted.py`: games inside other programs, given their positions by scripts
- `terminals.py`: games in a terminal
- `windows.py`: windows of Python packages, which `theirs` opens
- `drawings.py`: boards that Python packages draw without a window
- `go_pages.py`, `game_pages.py`: pages of npm packages
- `components.py`: games that npm packages have as components
- `servers.py`: pages of Python packages
- `printed.py`: printed boards
- `no_boards.py`: programs and pages without a board of ours
"""
