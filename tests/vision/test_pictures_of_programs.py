"""The stored pictures of programs that nobody here wrote, and of small ones as students write them."""

from pathlib import Path

import pytest

from boyi.bench.vision import SCREENS, STUDENTS, right_board, screens
from boyi.vision import recognise


@pytest.mark.parametrize("folder", [SCREENS, STUDENTS], ids=lambda folder: folder.name)
def test_pictures_of_programs(folder: Path) -> None:
    exact = boards = 0
    for program, _, scene in screens(folder):
        found = recognise(scene.picture)
        if not scene.cells:
            assert found.refused, f"{program} has no board of ours"
            continue
        boards += 1
        right = right_board(scene, found)
        exact += right
        assert right or found.position is None, f"{program} was read wrongly without a doubt"
    assert exact >= 0.9 * boards
