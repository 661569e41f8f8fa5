"""Following a board on the screen: two equal frames and a legal change before a move is believed."""

import cv2
import numpy as np

import boyi
from boyi.vision.watch import Follower, explain, follow


def frame_of(position: boyi.Position) -> np.ndarray:
    data = np.frombuffer(boyi.draw.png(position.svg(size=400)), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_moves_are_believed_after_two_equal_frames() -> None:
    start = boyi.game("tictactoe").start().play("b2")
    later = start.play("a1").play("c3")
    frames = [frame_of(start)] * 3 + [frame_of(later)] * 2
    seen = list(follow(frames))
    assert [event.position.cells for event in seen] == [start.cells, later.cells]
    assert [event.legal for event in seen] == [False, True]
    assert set(seen[1].moves) == {"a1", "c3"}


def test_one_frame_is_not_believed_and_an_impossible_change_only_after_a_while() -> None:
    start = boyi.game("tictactoe").start().play("b2")
    other = boyi.game("tictactoe").start().play("a3").play("b1")
    follower = Follower()
    assert follower.see(frame_of(start)) is None
    assert follower.see(frame_of(start)) is not None
    assert follower.see(frame_of(start)) is None
    events = [follower.see(frame_of(other)) for _ in range(4)]
    assert events[:3] == [None, None, None]
    assert events[3] is not None
    assert not events[3].legal


def test_explanations_follow_the_rules() -> None:
    othello = boyi.game("othello").start()
    after = othello.play("d3").play("c3")
    found = explain(othello, after.cells)
    assert found is not None
    assert found.history == ("d3", "c3")
    connect6 = boyi.game("connect6").start().play("k10")
    placed = connect6.play("l11").play("l9")
    found = explain(connect6, placed.cells)
    assert found is not None
    assert found.cells == placed.cells
    dice = boyi.game("einstein").start()
    moved = dice.play("3").play(dice.play("3").moves[0])
    found = explain(dice, moved.cells)
    assert found is not None
    assert found.cells == moved.cells
    assert explain(after, othello.cells) is None
