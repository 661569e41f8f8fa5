"""The stored pictures of programs that nobody here wrote, and of small ones as students write them.

Of the first every other one is read, in a minute; `boyi bench vision` reads all of them.
"""

from pathlib import Path

import pytest

from boyi.bench.vision import SCREENS, STUDENTS, right_board, screens
from boyi.vision import recognise


@pytest.mark.parametrize(("folder", "step"), [(SCREENS, 2), (STUDENTS, 1)], ids=["screens", "students"])
def test_pictures_of_programs(folder: Path, step: int) -> None:
    exact = boards = 0
    for program, _, scene in list(screens(folder))[::step]:
        found = recognise(scene.picture)
        if not scene.cells:
            assert found.refused, f"{program} has no board of ours"
            continue
        boards += 1
        right = right_board(scene, found)
        exact += right
        assert right or found.position is None, f"{program} was read wrongly without a doubt"
    assert exact >= 0.9 * boards
