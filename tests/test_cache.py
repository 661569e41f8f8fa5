"""The compile cache: quick where nothing has changed, and never an old rule where something has.

Every test plays a user's own game in processes of their own, with a cache folder of their own.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boyi.games import sources
from boyi.games.sources import LAYERS, PACKAGE

HELPER = """
from boyi.games import kernel

MOST = 2


@kernel
def most(stones):
    return min(MOST, stones)
"""
RULES = f"""
from typing import NamedTuple

from boyi.games import Game, init, rule
{HELPER}

class Nim(NamedTuple):
    stones: int = 7


@rule(init, Nim)
def nim_init(rules, state):
    state[0] = most(rules.stones)


class NimGame(Game):
    name = "nim"
    state_size = 1


GAME = NimGame(Nim())
"""
RULES_WITH_HELPER = RULES.replace(HELPER, "from rest import most\n")
SCRIPT = """
import sys
from pathlib import Path

import boyi
from boyi.games.kernels import on_compile

compiled = []
on_compile(compiled.append)


def show(path):
    most = boyi.game(path).start().state[0]
    print("compiled" if "_init" in compiled else "cached", most)
    compiled.clear()

"""
SHOW_ALL = "for path in sys.argv[1:]: show(path)"


class Lab:
    """A folder of rules files, an empty cache, and processes that show how a game begins."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.games = folder / "games"
        self.elsewhere = folder / "elsewhere"
        self.games.mkdir()
        self.elsewhere.mkdir()

    def write(self, name: str, text: str, most: int = 2) -> Path:
        """Write a file with a rule changed, always with the same size and the same time stamp."""
        file = self.games / name
        file.write_text(text.replace("MOST = 2", f"MOST = {most}"))
        os.utime(file, (1_700_000_000, 1_700_000_000))
        return file

    def run(self, *files: Path, script: str = SHOW_ALL) -> list[str]:
        environment = {**os.environ, "BOYI_CACHE_DIR": str(self.cache)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT + script, *map(str, files)],
            cwd=self.elsewhere,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_an_edited_rule_is_seen_and_an_old_one_remembered(lab: Lab) -> None:
    game = lab.write("nim.py", RULES)
    assert lab.run(game) == ["compiled 2"]
    assert lab.run(game) == ["cached 2"]
    lab.write("nim.py", RULES, most=3)
    assert lab.run(game) == ["compiled 3"]
    lab.write("nim.py", RULES)
    assert lab.run(game) == ["cached 2"]


def test_an_edited_file_is_seen_by_the_same_process(lab: Lab) -> None:
    """And the game that was loaded before keeps its rules."""
    game = lab.write("nim.py", RULES)
    edit = f"""
first = boyi.game(sys.argv[1])
show(sys.argv[1])
Path(sys.argv[1]).write_text({RULES.replace("MOST = 2", "MOST = 3")!r})
show(sys.argv[1])
print(first.start().state[0])
"""
    assert lab.run(game, script=edit) == ["compiled 2", "compiled 3", "2"]
    assert lab.run(game) == ["cached 3"]


def test_an_edited_helper_is_seen(lab: Lab) -> None:
    """A rules file may import what lies beside it, wherever the process was started.

    A process that went on with the old helper would keep the old rule under the new sources, for all that follow.
    """
    helper = lab.write("rest.py", HELPER)
    game = lab.write("nim.py", RULES_WITH_HELPER)
    edit = f"""
show(sys.argv[1])
Path({str(helper)!r}).write_text({HELPER.replace("MOST = 2", "MOST = 3")!r})
show(sys.argv[1])
"""
    assert lab.run(game, script=edit) == ["compiled 2", "compiled 3"]
    assert lab.run(game) == ["cached 3"]
    lab.write("rest.py", HELPER, most=4)
    assert lab.run(game) == ["compiled 4"]


def test_two_games_in_one_folder(lab: Lab) -> None:
    """Even if their classes have the same name."""
    two, one = lab.write("two.py", RULES), lab.write("one.py", RULES, most=1)
    assert lab.run(two) == ["compiled 2"]
    assert lab.run(one) == ["compiled 1"]
    assert lab.run(two, one, two) == ["cached 2", "cached 1", "cached 2"]


def test_two_folders_with_helpers_of_one_name(lab: Lab) -> None:
    lab.write("rest.py", HELPER)
    here = lab.write("nim.py", RULES_WITH_HELPER)
    other = lab.elsewhere / "nim.py"
    other.write_text(RULES_WITH_HELPER)
    (lab.elsewhere / "rest.py").write_text(HELPER.replace("MOST = 2", "MOST = 3"))
    assert lab.run(here, other, here) == ["compiled 2", "compiled 3", "cached 2"]


def test_a_text_is_compiled_once_wherever_it_lies(lab: Lab) -> None:
    """The app plays copies of its owner's files; the folder of a copy may be gone when it is compiled."""
    lab.write("rest.py", HELPER)
    game = lab.write("nim.py", RULES_WITH_HELPER)
    copied = lab.games / "copied"
    shutil.copytree(lab.games, copied)
    gone = "import shutil; boyi.game(sys.argv[1]); shutil.rmtree(Path(sys.argv[1]).parent); show(sys.argv[2])"
    assert lab.run(copied / "nim.py", game, script=gone) == ["compiled 2"]
    assert lab.run(game) == ["cached 2"]


def test_a_damaged_file_costs_a_compilation(lab: Lab) -> None:
    game = lab.write("nim.py", RULES)
    assert lab.run(game) == ["compiled 2"]
    for kind, content in (("nbi", b"not what was written"), ("nbc", b"")):
        files = list(lab.cache.rglob(f"*.{kind}"))
        assert files
        for file in files:
            file.write_bytes(content)
        assert lab.run(game) == ["compiled 2"]
    assert lab.run(game) == ["cached 2"]


def test_a_cache_that_cannot_be_written(lab: Lab) -> None:
    """A file stands where the folder should be; that stops the administrator's account, too."""
    lab.cache.write_text("in the way")
    game = lab.write("nim.py", RULES)
    assert lab.run(game, game) == ["compiled 2", "cached 2"]
    assert lab.cache.read_text() == "in the way"


def test_only_old_compiled_code_is_thrown_away(lab: Lab) -> None:
    """Not what else a user keeps in the folder that `BOYI_CACHE_DIR` names."""
    for name, days in (("0123456789abcdef", 40), ("fedcba9876543210", 1), ("thesis", 40)):
        file = lab.cache / name / "x.nbc"
        file.parent.mkdir(parents=True)
        file.write_text("x")
        then = file.stat().st_mtime - days * 86400
        os.utime(file, (then, then))
    lab.run(lab.write("nim.py", RULES))
    assert not (lab.cache / "0123456789abcdef").exists()
    assert (lab.cache / "fedcba9876543210" / "x.nbc").exists()
    assert (lab.cache / "thesis" / "x.nbc").exists()


def test_folders_that_do_not_count_hold_no_kernels() -> None:
    """An edited kernel in a folder that the hash leaves out would be served from before the edit."""
    compiled = re.compile(
        r"^\s*@(bare_call|bare_kernel|inline_kernel|kernel|rule|generic|overload|njit)\b", re.MULTILINE
    )
    files = [file for file in PACKAGE.rglob("*.py") if file.relative_to(PACKAGE).parts[0] not in LAYERS]
    assert len(files) > 50
    assert [file.name for file in files if compiled.search(file.read_text("utf-8"))] == []


def test_a_kernel_is_keyed_by_what_it_is_made_of() -> None:
    """Its module, all that this imports, and what implements rules for the classes in it; nothing else."""
    made_of = sources.closure(["boyi.games.einstein"])
    assert {"boyi.games.einstein", "boyi.games.generics", "boyi.games.kernels"} <= made_of
    assert not made_of & {"boyi.games.registry", "boyi.games.gomoku", "boyi.search.tree"}
    assert "boyi.search.selfplay" in sources.closure(["boyi.search.selection"]), "it has rules for Gumbel"
    assert "boyi.games.lines" in sources.closure(["boyi.search.evaluations.lines"]), "by way of the games"
    assert sources.closure(["boyi"]) == sources.closure(["boyi.arena.match"]) > made_of, "who knows"


@pytest.mark.parametrize(
    ("edited", "kept"), [("games", 0), ("search", 1), ("exact", 2), ("quick", 3), ("arena", 4), ("games/aside", 4)]
)
def test_an_edit_touches_what_imports_it(
    edited: str, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "boyi"

    def write(folder: str, text: str) -> None:
        file = package / folder / "rules.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def forget() -> None:
        for cached in (sources._files, sources._links, sources._closure_hash):
            cached.cache_clear()

    def hashes() -> list[str]:
        forget()
        return [sources.sources_hash([f"boyi.{layer}.rules"]) for layer in LAYERS]

    below = {
        "games": "",
        "search": "from boyi.games import rules",
        "exact": "from boyi.search.rules import (\n a, # b\n)",
    }
    below |= {"quick": "    import boyi.exact.rules", "arena": "", "games/aside": ""}
    for folder, text in below.items():
        write(folder, text)
    monkeypatch.setattr(sources, "PACKAGE", package)
    before = hashes()
    write(edited, below[edited] + "\nEDITED = 1")
    assert [old == new for old, new in zip(before, hashes(), strict=True)] == [layer < kept for layer in range(4)]
    monkeypatch.undo()
    forget()
