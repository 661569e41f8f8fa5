"""The part of a form that chooses a game with its parameters."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from nicegui import ui

from boyi.service.views import Catalogue, ParameterView, RulesView
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import game_title
from boyi.web.pages.controls import field, select


def rules_text(game: RulesView, options: Mapping[str, int | str]) -> str:
    """A game with the parameters that differ from the usual ones."""
    usual = {parameter.name: parameter.default for parameter in game.parameters}
    changed = [f"{name}={value}" for name, value in options.items() if value != usual[name]]
    return game.name + (":" + ",".join(changed) if changed else "")


def value_texts(t: Translator, parameter: ParameterView) -> dict[int | str, str]:
    """The values of a parameter, as people call them."""
    return {
        value: f"{value} × {value}" if parameter.name == "size" else t.either(f"value.{value}", str(value))
        for value in parameter.values
    }


class GameChoice:
    """What is chosen; `order` says which games come first."""

    def __init__(self, t: Translator, catalogue: Catalogue, name: str, order: Sequence[str]) -> None:
        self.t = t
        place = {known: number for number, known in enumerate(order)}
        self.games = {game.name: game for game in sorted(catalogue.games, key=lambda game: place.get(game.name, 99))}
        self.game: RulesView = self.games.get(name) or next(iter(self.games.values()))
        self.options: dict[str, int | str] = {}

    @property
    def rules(self) -> str:
        return rules_text(self.game, self.options)

    def fields(self, on_change: Callable[[], Awaitable[None]]) -> None:
        """A list of games, and one for each parameter of the chosen game."""
        t = self.t

        async def choose(name: str) -> None:
            self.game, self.options = self.games[name], {}
            self.parameters.refresh()
            await on_change()

        with field(t("train.game")):
            names = {name: game_title(t, name, game.title) for name, game in self.games.items()}
            select(t("train.game"), names, self.game.name, choose)
        self.parameters(on_change)

    @ui.refreshable_method
    def parameters(self, on_change: Callable[[], Awaitable[None]]) -> None:
        for parameter in self.game.parameters:
            self._parameter(parameter, on_change)

    def _parameter(self, parameter: ParameterView, on_change: Callable[[], Awaitable[None]]) -> None:
        async def put(value: int | str) -> None:
            self.options[parameter.name] = value
            await on_change()

        label = self.t.either(f"parameter.{parameter.name}", parameter.name)
        with field(label):
            value = self.options.get(parameter.name, parameter.default)
            select(label, value_texts(self.t, parameter), value, put)
