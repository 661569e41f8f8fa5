"""The pages cannot rot: the code of `docs/new-game.md` runs, prints what it says, and is the example file."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from boyi.cli.main import main

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def page(at_root: Path) -> list[tuple[str, str]]:
    """The blocks of the page: language and content."""
    return BLOCK.findall((at_root / "docs" / "new-game.md").read_text(encoding="utf-8"))


def test_python_blocks(
    page: list[tuple[str, str]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order, in one namespace, as in a notebook; a block of text after a block of code is what it prints."""
    notebook = ModuleType("notebook_of_new_game")
    monkeypatch.setitem(sys.modules, notebook.__name__, notebook)
    checked = 0
    for (language, content), (following, text) in zip(page, [*page[1:], ("", "")], strict=True):
        if language == "python":
            exec(compile(content, f"docs/new-game.md: {content[:40]!r}", "exec"), vars(notebook))
            printed = capsys.readouterr().out
            if following == "text":
                assert printed == text
                checked += 1
    assert checked == 5
    assert vars(notebook)["picture"].startswith("<svg")


def test_console_blocks(
    page: list[tuple[str, str]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command succeeds, with nobody at the keyboard, and prints what stands below it."""
    monkeypatch.setattr("builtins.input", lambda *_: (_ for _ in ()).throw(EOFError()))
    commands = [part for language, content in page if language == "console" for part in content.split("$ boyi ")[1:]]
    assert len(commands) == 4
    for command in commands:
        line, _, shown = command.partition("\n")
        assert main(line.split()) == 0
        printed = capsys.readouterr().out
        assert printed
        assert shown in ("", printed)


def test_the_page_shows_the_whole_example(page: list[tuple[str, str]], at_root: Path) -> None:
    example = (at_root / "examples" / "connect_four.py").read_text(encoding="utf-8")
    assert len(example.splitlines()) < 100
    shown = [content.strip("\n") for language, content in page if language == "python"]
    parts = [content for content in shown if content in example]
    rest = example
    for part in parts:
        rest = rest.replace(part, "", 1)
    assert rest.strip() == ""
    assert [example.index(part) for part in parts] == sorted(example.index(part) for part in parts)
