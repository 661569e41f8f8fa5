"""Translations: the same keys and parameters in every language, every key used and every used key there."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import boyi.web
from boyi.games import games
from boyi.games.registry import game
from boyi.service.opponents import OPPONENTS
from boyi.service.views import PositionView
from boyi.web.i18n import LANGUAGES, catalogue, preferred, translator
from boyi.web.i18n.phrases import caption, value_words

WEB = Path(boyi.web.__file__).parent
FILES = sorted([*WEB.glob("pages/*.py"), *WEB.glob("board/*.py"), *WEB.glob("i18n/*.py")])
SHOWN = (
    "label",
    "button",
    "icon_button",
    "Words",
    "heading",
    "link",
    "switch",
    "menu_item",
    "input",
    "notify",
    "select",
    "field",
    "segments",
)
"""Calls whose first text people see."""
HANZI = re.compile("[\u4e00-\u9fff]")
SIMPLIFIED = "战对时谱认输过发这个种还开计级点压图数据码"
TRADITIONAL = "戰對時譜認輸過發這個種還開計級點壓圖數據碼"
WORDLESS = {
    "app.name",
    "list.comma",
    "side.x",
    "side.o",
    "value.of",
    "language.short",
    "language.name",
    "games.versus",
    "run.stage",
    "run.title",
    "curve.of",
    "spoken.move",
}


def parameters(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def keys_asked() -> Iterator[str]:
    """A pattern for every text of the code that may be a key; parts put together at run time match anything."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.escape(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                pieces = (re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"[^.]+" for p in node.values)
                yield "".join(pieces)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys_and_parameters(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    for key, text in other.items():
        assert text.strip(), key
        assert parameters(text) == parameters(english[key]), key


def test_chinese_is_translated_and_in_its_own_script() -> None:
    for language, wrong in (("zh-Hant", SIMPLIFIED), ("zh-Hans", TRADITIONAL)):
        alien = set(wrong) - set(TRADITIONAL if wrong is SIMPLIFIED else SIMPLIFIED)
        for key, text in catalogue(language).items():
            assert key in WORDLESS or HANZI.search(text), (language, key)
            assert not alien & set(text), (language, key, text)


def test_every_key_asked_for_exists() -> None:
    known = set(catalogue("en"))
    asked = {
        (file.name, node.lineno, node.args[0].value)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and (getattr(node.func, "id", None) == "t" or getattr(node.func, "attr", None) in ("t", "notice"))
    }
    assert len(asked) > 120
    assert [found for found in sorted(asked) if found[2] not in known] == []


def test_every_key_is_used() -> None:
    patterns = re.compile("|".join(sorted(set(keys_asked()))))
    assert [key for key in catalogue("en") if not patterns.fullmatch(key)] == []


def test_no_text_stands_in_the_pages() -> None:
    """Whatever a visible element is given must come from the catalogue: no literal with a word in it."""
    wrong = [
        f"{file.name}:{node.lineno} {node.args[0].value!r}"
        for file in WEB.glob("pages/*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and (getattr(node.func, "attr", None) or getattr(node.func, "id", None)) in SHOWN
        and re.search(r"[A-Za-z]{2,}[ .!?]|[A-Z][a-z]+", str(node.args[0].value))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_opponents_sides_and_ends_have_words(language: str) -> None:
    t = translator(language)
    for name in games():
        assert f"game.{name}.title" in t
        assert f"game.{name}.sentence" in t
        for side in game(name).players:
            assert f"side.{side.lower()}" in t
        for parameter, values in game(name).parameters.items():
            assert f"parameter.{parameter}" in t
            assert all(f"value.{value}" in t for value in values if isinstance(value, str))
    for opponent in OPPONENTS:
        assert f"opponent.{opponent.name}.name" in t
        assert f"opponent.{opponent.name}.sentence" in t
    for reason in (
        "line",
        "full_board",
        "no_legal_point",
        "corner",
        "elimination",
        "discs",
        "equal_discs",
        "resigned",
        "time",
    ):
        assert f"reason.{reason}" in t


def view(rules: str, key: str, **changes: object) -> PositionView:
    known = {
        "rules": rules,
        "key": key,
        "turn": 0,
        "mover": 0,
        "cells": [["X", "O"]],
        "squares": ["a1", "b1"],
        "moves": [],
    }
    known |= {"chances": None, "last": [], "passed": False, "outcome": None, "caption": "as the rules say", **changes}
    return PositionView.model_validate(known)


def test_captions_are_put_together_from_facts() -> None:
    english, chinese = translator("en"), translator("zh-Hant")
    sides = ("Red", "Blue")
    rolled = view("einstein", "1 2 3 6 7 11 / 25 24 20 23 19 15 red 4")
    assert caption(english, rolled, sides) == "Red rolled 4"
    assert caption(chinese, rolled, ("紅方", "藍方")) == "紅方擲出 4 點"
    assert caption(english, view("einstein", "0 / 0 red -", turn=-1), sides) == "Red rolls the die"
    assert (
        caption(english, view("connect6:size=9", "9/9 O 1 e5", mover=1), ("Black", "White"))
        == "White to move: one stone"
    )
    stuck = view("othello", "XO X", moves=[{"move": "pass", "squares": []}])
    assert caption(english, stuck, ("Black", "White")) == "Black has no legal move and must pass"
    ended = view("othello", "XO X", turn=None, mover=None, outcome={"winner": 1, "score": -2, "reason": "discs"})
    assert caption(english, ended, ("Black", "White")) == "White wins by 1:1 discs."
    assert caption(english, view("mygame", "x"), ("A", "B")) == "as the rules say"


def test_values_are_told_from_the_movers_side() -> None:
    t = translator("en")
    assert value_words(t, 0.5, 0, ("Black", "White")) == "Black stands better (75 %)"
    assert value_words(t, 0.5, 1, ("Black", "White")) == "White stands worse (25 %)"
    assert value_words(t, -1.0, 1, ("Black", "White"), exact=True) == "White wins for certain"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-CN,zh;q=0.9", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("zh-Hant-CN", "zh-Hant"),
        ("de-DE,de;q=0.9", "en"),
        ("de, zh-TW;q=0.5, en;q=0.3", "zh-Hant"),
        ("en;q=0.2, zh-CN;q=0.7", "zh-Hans"),
        (";;;q=x,,*", "en"),
    ],
)
def test_the_browsers_language(header: str, language: str) -> None:
    assert preferred(header) == language
