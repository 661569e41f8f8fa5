"""Models on disk: they come back as they were, and anything wrong with them is refused by name."""

import dataclasses
import hashlib
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import boyi
from boyi.models import cards
from boyi.models.cards import BadModel
from boyi.nets.architectures import Net
from boyi.nets.config import BadNet, NetConfig
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.files import load_module, other_size, read_card, save
from boyi.nets.shipped import DATA, model_name, shipped, shipped_models

MakeNet = Callable[..., Net]
TINY = NetConfig(blocks=2, channels=8, hidden=16, auxiliary=("line",))
GOMOKU = boyi.game("gomoku", size=7)


@pytest.fixture
def stem(tmp_path: Path, make_net: MakeNet) -> Path:
    save(tmp_path / "m", GOMOKU, TINY, make_net(GOMOKU, TINY), training={"games": 3}, elo={"mcts": [10, 20]})
    return tmp_path / "m"


def test_a_model_comes_back(stem: Path, make_net: MakeNet) -> None:
    card = read_card(stem, GOMOKU)
    assert (card.game, card.options["size"], card.observer, card.net) == ("gomoku", 7, "four", TINY)
    assert (card.training, card.elo, card.licence) == ({"games": 3}, {"mcts": [10, 20]}, "MIT")
    assert sorted(file.name for file in stem.parent.iterdir()) == ["m.json", "m.onnx", "m.safetensors"]
    net, loaded = make_net(GOMOKU, TINY), load_module(stem, GOMOKU)
    planes = torch.rand(2, 4, 7, 7)
    assert all(torch.equal(net(planes)[name], loaded(planes)[name]) for name in ("policy", "wdl", "line"))
    assert all(p.requires_grad for p in loaded.parameters())
    states = np.zeros((2, GOMOKU.state_size), np.int16)
    logits, _ = NetEvaluator(GOMOKU, f"{stem}.onnx")(states, planes.numpy())
    assert np.abs(logits - net(planes)["policy"].detach().numpy()).max() < 1e-4


def test_every_flipped_byte_is_refused_by_name(stem: Path) -> None:
    rng = random.Random(0)
    for suffix in (".safetensors", ".onnx"):
        file = stem.with_name(f"m{suffix}")
        whole = file.read_bytes()
        for at in [0, 8, len(whole) - 1, *(rng.randrange(len(whole)) for _ in range(20))]:
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
            with pytest.raises(BadModel, match=rf"m\{suffix}' is damaged or not of its card.*copy the model again"):
                read_card(stem, GOMOKU)
        for broken in (b"", whole[: len(whole) // 2], whole + b"x"):
            file.write_bytes(broken)
            with pytest.raises(BadModel, match=rf"m\{suffix}' is damaged"):
                load_module(stem, GOMOKU)
        file.write_bytes(whole)
    assert read_card(stem, GOMOKU)


def test_every_cut_or_flipped_card_is_refused_or_the_same_net(stem: Path) -> None:
    """A flipped letter of a free text cannot be noticed; everything that playing depends on is."""
    file = stem.with_name("m.json")
    whole, card = file.read_bytes(), read_card(stem, GOMOKU)
    rng = random.Random(1)
    refused = []
    for _ in range(300):
        at = rng.randrange(len(whole))
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
        try:
            found = read_card(stem, GOMOKU)
            load_module(stem, GOMOKU)
        except BadModel as error:
            refused.append(str(error))
        else:
            assert (found.game, found.net.kind, found.sha256) == (card.game, card.net.kind, card.sha256)
    assert len(refused) > 100
    assert [message for message in refused if str(stem) not in message] == []
    for length in range(0, len(whole) - 2, 50):
        file.write_bytes(whole[:length])
        with pytest.raises(BadModel, match=r"m\.json' is no JSON"):
            read_card(stem)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "othello"}, "is a model for othello, not for gomoku; choose another"),
        ({"rules_version": 7}, "for version 7 of the rules of gomoku, this is version 1"),
        ({"observer": "seven"}, "through the observer 'seven'; this version of boyi has four, two"),
        ({"observer": "two"}, "through the observer 'two', but its net takes 'four'"),
        (
            {"options": {"size": 7, "win": 5, "variant": "renju"}},
            "trained with variant='renju', not variant='freestyle'",
        ),
        ({"format": 9}, "has the format '9', this version of boyi reads 1"),
        ({"licence": None}, "its 'licence' is wrong"),
        ({"extra": 1}, "'extra' is unknown"),
        ({"sha256": {}}, "lacks the checksums"),
        ({"net": {"kind": "deep"}}, "describes no net.*'deep' is no kind"),
        ({"net": {"blocks": "3"}}, "describes no net.*blocks='3'"),
        ({"net": {"kind": "residual", "auxiliary": "line"}}, "describes no net"),
    ],
)
def test_a_card_for_something_else_is_refused(stem: Path, change: dict[str, Any], message: str) -> None:
    file = stem.with_name("m.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(BadModel, match=message):
        read_card(stem, GOMOKU)


def test_a_card_with_another_net_is_refused(stem: Path) -> None:
    file = stem.with_name("m.json")
    found = json.loads(file.read_text())
    file.write_text(json.dumps(found | {"net": found["net"] | {"channels": 16}}))
    with pytest.raises(BadModel, match=r"m\.safetensors' does not fit its card: .* the card's net needs"):
        load_module(stem, GOMOKU)


def test_missing_and_oversized_files_are_refused(stem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for suffix in (".onnx", ".safetensors", ".json"):
        file = stem.with_name(f"m{suffix}")
        aside = file.rename(file.with_name("aside"))
        with pytest.raises(
            BadModel, match=rf"m\{suffix}' cannot be read \(No such file.*a model is the files NAME.json"
        ):
            read_card(stem)
        aside.rename(file)
    monkeypatch.setattr(cards, "LARGEST_FILE", 100)
    with pytest.raises(BadModel, match="is larger than 100 bytes"):
        read_card(stem)
    stem.with_name("m.json").write_bytes(b" " * 1_000_001)
    with pytest.raises(BadModel, match="is larger than 1,000,000 bytes"):
        read_card(stem)
    stem.with_name("m.json").write_bytes(b"[" * 100_000)
    with pytest.raises(BadModel, match="is no JSON"):
        read_card(stem)


def test_a_pickle_is_never_loaded(stem: Path, tmp_path: Path) -> None:
    """A file that would create another one if it were unpickled is refused, even if the card vouches for it."""
    mark = tmp_path / "mark"
    trap = b"cos\nsystem\n(S'touch " + str(mark).encode() + b"'\ntR."
    card = read_card(stem)
    for suffix in (".safetensors", ".onnx"):
        stem.with_name(f"m{suffix}").write_bytes(trap)
    checksum = hashlib.sha256(trap).hexdigest()
    vouched = dataclasses.replace(card, sha256=dict.fromkeys(card.sha256, checksum))
    stem.with_name("m.json").write_text(json.dumps(vouched.to_json()))
    with pytest.raises(BadModel, match="does not hold the weights"):
        load_module(stem, GOMOKU)
    with pytest.raises(BadModel, match="ONNX Runtime cannot read"):
        NetEvaluator(GOMOKU, stem)
    assert not mark.exists()


def test_a_failed_save_leaves_the_old_file(stem: Path, make_net: MakeNet, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(stem, GOMOKU, TINY, make_net(GOMOKU, TINY, seed=9))
    assert read_card(stem, GOMOKU).training == {"games": 3}
    assert len(list(stem.parent.iterdir())) == 3
    with pytest.raises(BadNet, match="the net was built as"):
        save(stem, GOMOKU, NetConfig("mlp"), make_net(GOMOKU, TINY))


def test_other_board_sizes(stem: Path, tmp_path: Path, make_net: MakeNet) -> None:
    larger = boyi.game("gomoku", size=9)
    assert other_size(read_card(stem, larger), larger)
    assert not other_size(read_card(stem, GOMOKU), GOMOKU)
    config = NetConfig("paper001", more_layers=1)
    save(tmp_path / "fixed", GOMOKU, config, make_net(GOMOKU, config))
    assert read_card(tmp_path / "fixed", GOMOKU).net == config
    with pytest.raises(BadModel, match="trained with size=7, not size=9; choose another model or one of kind residual"):
        read_card(tmp_path / "fixed", larger)


def test_shipped_models_are_found_by_their_cards(tmp_path: Path, make_net: MakeNet) -> None:
    for size in (6, 9):
        game = boyi.game("gomoku", size=size)
        save(tmp_path / model_name(game), game, TINY, make_net(game, TINY))
    assert sorted(shipped_models(tmp_path)) == ["gomoku-6-freestyle", "gomoku-9-freestyle"]
    assert shipped(boyi.game("gomoku", size=9), tmp_path).name == "gomoku-9-freestyle"
    assert shipped(boyi.game("gomoku", size=15), tmp_path).name == "gomoku-9-freestyle"
    with pytest.raises(BadModel, match=r"no model for boyi.game\('othello', size=8\).*gomoku-6-freestyle, gomoku-9"):
        shipped(boyi.game("othello"), tmp_path)
    names = ("einstein", "othello", "connect6", "gomoku:win=6")
    assert [model_name(boyi.game(name)) for name in names] == [
        "einstein",
        "othello-8",
        "connect6-19",
        "gomoku-15-win6-freestyle",
    ]


def test_what_is_shipped_is_whole() -> None:
    for name, card in shipped_models().items():
        game = boyi.game(card.game, **card.options)
        assert read_card(DATA / name, game).elo is not None
        assert model_name(game) == name
