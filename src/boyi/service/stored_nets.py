"""Nets that were trained on this server as opponents: promoted players, and any checkpoint of any run.

`player:NAME` is a promoted one: a copy of a checkpoint that stays when its run is deleted. `run:RUN@GENERATION` is a
checkpoint; the first game against it makes a copy too, since a run drops its old checkpoints while it goes on.
"""

import io
import json
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from boyi.games import Game
from boyi.games.errors import GameError
from boyi.models.cards import Card
from boyi.nets.files import read_card
from boyi.quick.library import kind_of
from boyi.service import boards, run_configs, run_files
from boyi.service.errors import NameTaken, NotAllowed, NotFound, NotNow, StorageError
from boyi.service.opponents import Opponent, Thinker, opponent
from boyi.service.views import ExportView, OpponentView
from boyi.service.views_training import Method
from boyi.train.files import write_folder

THINKS_S = 1.0
SUFFIXES: dict[Method, tuple[str, ...]] = {
    "deep": (".json", ".onnx", ".safetensors"),
    "quick": (".json", ".safetensors"),
}
"""The files of a net, by the method of its run."""
PLAYER = re.compile(r"player:([a-z0-9][a-z0-9-]{0,27})")
CHECKPOINT = re.compile(r"run:([A-Za-z0-9][A-Za-z0-9._-]{0,27})@(\d{1,7})")
MAX_PLAYERS = 200


@dataclass(frozen=True)
class StoredNets:
    """The folders of players and of runs; either may be missing."""

    players: Path | None
    runs: Path | None

    def find(self, name: str) -> Opponent:
        """An opponent by name: one of the usual ones, a promoted player or a checkpoint."""
        if found := PLAYER.fullmatch(name):
            return self._opponent(name, self._player(found[1]))
        if found := CHECKPOINT.fullmatch(name):
            return self._opponent(name, self._checkpoint(found[1], int(found[2])))
        return opponent(name)

    def views(self) -> list[OpponentView]:
        """The promoted players."""
        found = []
        for folder in sorted(self.players.iterdir()) if self.players is not None and self.players.is_dir() else []:
            try:
                known = self.find(f"player:{folder.name}")
            except (NotFound, GameError):
                continue
            assert known.rules is not None
            game = known.rules.partition(":")[0]
            found.append(OpponentView(name=known.name, games=[game], rules=known.rules, thinks_s=THINKS_S))
        return found

    def promote(self, run: str, generation: int, name: str) -> OpponentView:
        """Keep a copy of a checkpoint as a player of that name."""
        if self.players is None:
            raise NotAllowed("this server keeps no players; its owner has not allowed it")
        if not PLAYER.fullmatch(f"player:{name}"):
            raise NotNow(f"{name[:60]!r} is no name for a player; use up to 28 of a-z, 0-9 and -")
        if (self.players / name).exists():
            raise NameTaken(f"there is a player called {name!r} already; choose another name")
        if len(self.views()) >= MAX_PLAYERS:
            raise NotNow(f"there are {MAX_PLAYERS} players already; dismiss one first")
        self._copy(run, generation, self.players / name)
        return next(view for view in self.views() if view.name == f"player:{name}")

    def export(self, run: str, generation: int) -> ExportView:
        """The files of a checkpoint's net in one."""
        source, method = self._source(run, generation)
        content = io.BytesIO()
        name = f"{run}-{generation}"
        try:
            with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
                for suffix in SUFFIXES[method]:
                    archive.write(source.with_name(f"model{suffix}"), f"{name}/model{suffix}")
        except FileNotFoundError:
            raise NotFound(f"the run {run!r} has no net of generation {generation} any more") from None
        return ExportView(content=content.getvalue(), media_type="application/zip", file_name=f"{name}.zip")

    def dismiss(self, name: str) -> None:
        """Forget a promoted player."""
        shutil.rmtree(self._player(name), ignore_errors=True)

    def _player(self, name: str) -> Path:
        plain = PLAYER.fullmatch(f"player:{name}")
        folder = self.players / name if self.players is not None and plain else None
        if folder is None or not (folder / "player.json").is_file():
            raise NotFound(f"there is no player {name[:60]!r}")
        return folder

    def _checkpoint(self, run: str, generation: int) -> Path:
        """The copy of a checkpoint, made where there is none."""
        if self.players is None or self.runs is None:
            raise NotFound("this server keeps no runs")
        folder = self.players / ".checkpoints" / f"{run}@{generation}"
        if not (folder / "player.json").is_file():
            self._copy(run, generation, folder)
        return folder

    def _source(self, run: str, generation: int) -> tuple[Path, Method]:
        """The path of a checkpoint's net without a suffix, and its kind."""
        if self.runs is None:
            raise NotFound("this server keeps no runs")
        folder = run_files.find(self.runs, run)
        if generation not in run_files.checkpoints(folder):
            raise NotFound(f"the run {run!r} has no net of generation {generation} any more")
        return folder / "checkpoints" / f"{generation:06}" / "model", run_configs.method_of(run_configs.read(folder))

    def _copy(self, run: str, generation: int, folder: Path) -> None:
        source, method = self._source(run, generation)

        def fill(into: Path) -> None:
            for suffix in SUFFIXES[method]:
                shutil.copyfile(source.with_name(f"model{suffix}"), into / f"model{suffix}")
            rules = boards.rules_text(run_configs.read(source.parents[2]).found_game)
            facts = {"rules": rules, "method": method, "run": run, "generation": generation}
            (into / "player.json").write_text(json.dumps(facts))

        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            write_folder(folder, fill)
        except FileNotFoundError:
            raise NotFound(f"the run {run!r} has no net of generation {generation} any more") from None
        except OSError as error:
            raise StorageError(f"the net cannot be kept: {error.strerror or error}") from error

    def _opponent(self, name: str, folder: Path) -> Opponent:
        try:
            facts = json.loads((folder / "player.json").read_text())
            rules, method = str(facts["rules"]), str(facts.get("method", "deep"))
            _check_card(folder / "model", boards.rules_named(rules), method)
        except (OSError, ValueError, KeyError, TypeError):
            raise NotFound(f"the net of {name!r} is damaged; dismiss it") from None
        thinker = Thinker(f"stored-{method}:{folder / 'model'}", THINKS_S)
        return Opponent(name, thinker, thinks_s=THINKS_S, rules=rules)


def _check_card(stem: Path, game: Game, method: str) -> None:
    """A `GameError` where a net is not for a game."""
    if method == "quick":
        Card.read(stem).check_game(game, "the net", kind_of(game).free)
    else:
        read_card(stem, game)
