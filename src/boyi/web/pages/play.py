"""The first page: choose a game, an opponent and the rest, and start."""

import asyncio
import random
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from nicegui import ui
from nicegui.element import Element

from boyi.service.views import Catalogue, Clock, NewGame, OpponentView, PositionRequest, RulesView, Theme
from boyi.service.views_levels import LevelView
from boyi.web.board import look, position_picture, text_of
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import HUMAN, game_title, opponent_sentence, seat_name, side_names
from boyi.web.pages.arrangement import Arrangement
from boyi.web.pages.controls import Words, button, heading, link, picture, segments, select
from boyi.web.pages.controls import field as form_field
from boyi.web.pages.game_choice import rules_text, value_texts
from boyi.web.pages.shell import Visit, frame

CLOCKS: dict[str, Clock | None] = {
    "none": None,
    "1+2": Clock(minutes=1, increment_s=2),
    "3+0": Clock(minutes=3),
    "5+3": Clock(minutes=5, increment_s=3),
    "10+0": Clock(minutes=10),
    "15+10": Clock(minutes=15, increment_s=10),
    "30+0": Clock(minutes=30),
}
ORDER = ("othello", "gomoku", "einstein", "connect6", "tictactoe")
"""The order of the cards; other games follow."""
FEW = 4
"""Up to so many values of a parameter stand side by side; more go into a list."""


@dataclass
class Wishes:
    """What the visitor has chosen so far."""

    game: RulesView
    options: dict[str, int | str] = field(default_factory=dict)
    mode: Literal["computer", "people", "watch"] = "computer"
    opponent: str = ""
    strength: Literal["character", "level", "follow"] = "character"
    level: int | None = None
    pair: list[str] = field(default_factory=list)
    side: Literal["first", "second", "random"] = "first"
    clock: str = "none"
    dice: Literal["screen", "hand"] = "screen"
    start: Literal["usual", "random", "placed"] = "usual"

    @property
    def rules(self) -> str:
        """The game with the parameters that differ from the usual ones."""
        return rules_text(self.game, self.options)

    def seats(self) -> tuple[str, str]:
        """Who plays which side."""
        if self.mode == "people":
            return HUMAN, HUMAN
        if self.mode == "watch":
            return self.pair[0], self.pair[1]
        first = random.random() < 0.5 if self.side == "random" else self.side == "first"
        other = {"character": self.opponent, "level": f"level:{self.level}", "follow": "level:auto"}[self.strength]
        return (HUMAN, other) if first else (other, HUMAN)


class PlayPage:
    def __init__(self, visit: Visit, catalogue: Catalogue, game: str) -> None:
        self.visit = visit
        self.t = visit.t
        self.catalogue = catalogue
        self.games = {found.name: found for found in sorted(catalogue.games, key=_place)}
        self.wishes = Wishes(self.games.get(game) or next(iter(self.games.values())))
        self.arrangement = Arrangement(visit)
        self.starts: dict[str, str] = {}
        self.drawing = asyncio.Lock()

    async def redraw(self, *parts: Any) -> None:
        """Draw parts anew, one after the other: two drawings at a time would both stay."""
        async with self.drawing:
            for part in parts:
                await part.refresh()

    async def build(self) -> None:
        for name in self.games:
            self.starts[name] = await card_picture(self.visit, name)
        self.choose(self.wishes.game.name)
        with frame(self.visit, self.t("play.title"), current="play"):
            heading(self.t("play.heading"), level=1)
            self.cards()
            with ui.element("div").classes("cards__more"):
                link(self.t("own.title"), "/own-games", icon="add", style="link-button link-button--quiet")
            with ui.element("div").classes("start"):
                with ui.element("section").classes("start__preview"):
                    await self.preview()
                with ui.element("section").classes("start__options panel"):
                    await self.options()
                    with ui.element("div").classes("start__bar"):
                        go = button(self.t("play.start"), self.start, icon="play_arrow", style="main")
                        go.classes("start__go").props("data-start")

    def choose(self, name: str) -> None:
        """Take another game; what fits it stays."""
        game = self.games[name]
        self.wishes.game = game
        self.wishes.options = {parameter.name: parameter.default for parameter in game.parameters}
        self.keep_known()
        if not game.has_dice:
            self.wishes.dice = "screen"
        if not game.has_setup:
            self.wishes.start = "usual"

    def keep_known(self) -> None:
        """Choose others in the place of opponents who do not play the chosen game."""
        usual = [found.name for found in self.catalogue.opponents if found.rules is None]
        known = [found.name for found in self.opponents()]
        if self.wishes.opponent not in known:
            self.wishes.opponent = usual[len(usual) // 2]
        pair = self.wishes.pair or [usual[-1], usual[-1]]
        self.wishes.pair = [name if name in known else usual[-1] for name in pair]

    def opponents(self) -> list[OpponentView]:
        """Those who play the chosen game, from the weakest to the strongest."""
        rules = self.wishes.rules
        return [found for found in self.catalogue.opponents if found.rules in (None, rules)]

    @ui.refreshable_method
    def cards(self) -> None:
        """The games side by side."""
        with ui.element("div").props('role="radiogroup"').classes("cards") as group:
            group.props["aria-label"] = self.t("play.game")
            for game in self.games.values():
                chosen = game.name == self.wishes.game.name
                card = ui.element("button").props('type="button" role="radio"').classes("game-card")
                card.props["aria-checked"] = "true" if chosen else "false"
                card.props["data-game"] = game.name
                card.on("click", lambda name=game.name: self.pick(name))
                with card:
                    picture(self.starts[game.name], style="game-card__board bare")
                    Words(game_title(self.t, game.name, game.title)).classes("game-card__title")

    async def pick(self, name: str) -> None:
        self.choose(name)
        ui.navigate.history.replace(f"/?game={name}")
        self.cards.refresh()
        await self.redraw(self.options, self.preview)

    @ui.refreshable_method
    async def preview(self) -> None:
        """The board as it will be, and a sentence on the game."""
        wishes = self.wishes
        if wishes.start == "placed":
            await self.arrangement.build()
            return
        async with self.visit.guarded():
            view = await self.visit.service.show_position(PositionRequest(rules=wishes.rules))
            svg = position_picture(
                view, theme=self.visit.preferences.theme, coordinates=self.visit.preferences.show_coordinates
            )
            picture(svg, style="preview bare")
        Words(self.t.either(f"game.{wishes.game.name}.sentence", ""), "p").classes("lead preview__text")

    @ui.refreshable_method
    async def options(self) -> None:
        """Everything that can be chosen for the game."""
        t, wishes = self.t, self.wishes
        sides = side_names(t, wishes.game.players)
        heading(game_title(t, wishes.game.name, wishes.game.title))
        self.parameters()
        with form_field(t("play.mode")):
            modes = {mode: t(f"mode.{mode}") for mode in ("computer", "people", "watch")}
            segments(t("play.mode"), modes, wishes.mode, self.change_mode)
        if wishes.mode == "computer":
            await self.strength()
            with form_field(t("play.side")):
                pieces = list(look(wishes.game.name).pieces.values())
                pictures = {"first": pieces[0], "second": pieces[len(pieces) // 2]}
                names = {"first": sides[0], "second": sides[1], "random": t("play.random")}
                segments(
                    t("play.side"), names, wishes.side, lambda value: setattr(wishes, "side", value), pictures=pictures
                )
        elif wishes.mode == "watch":
            self.pair_lists()
        if wishes.game.has_setup:
            with form_field(t("play.setup")):
                starts = {start: t(f"setup.{start}") for start in ("usual", "random", "placed")}
                segments(t("play.setup"), starts, wishes.start, self.change_start)
        if wishes.game.has_dice:
            with form_field(t("play.dice")):
                dice = {name: t(f"dice.{name}") for name in ("screen", "hand")}
                segments(t("play.dice"), dice, wishes.dice, lambda value: setattr(wishes, "dice", value))
        if wishes.mode != "watch":
            with form_field(t("play.clock")):
                clocks = {
                    name: t("clock.none") if clock is None else clock_words(name) for name, clock in CLOCKS.items()
                }
                select(t("play.clock"), clocks, wishes.clock, lambda value: setattr(wishes, "clock", value))

    def parameters(self) -> None:
        """Board size and variant."""
        for parameter in self.wishes.game.parameters:
            label = self.t.either(f"parameter.{parameter.name}", parameter.name)
            values = value_texts(self.t, parameter)
            with form_field(label):
                control = segments if len(values) <= FEW else select
                control(
                    label,
                    values,
                    self.wishes.options[parameter.name],
                    partial(self.set_option, parameter.name),
                )

    async def set_option(self, name: str, value: int | str) -> None:
        """Take another size or variant; only what differs for it is drawn anew, so that no click is lost."""
        before = self.opponents()
        self.wishes.options[name] = value
        self.keep_known()
        others = self.opponents() != before
        if self.wishes.mode == "computer" and (others or self.wishes.strength != "character"):
            await self.redraw(self.strength)
        elif self.wishes.mode == "watch" and others:
            self.pair_lists.refresh()
        await self.redraw(self.preview)

    async def change_mode(self, mode: Literal["computer", "people", "watch"]) -> None:
        self.wishes.mode = mode
        await self.redraw(self.options)

    async def change_start(self, start: Literal["usual", "random", "placed"]) -> None:
        self.wishes.start = start
        await self.redraw(self.preview)

    @ui.refreshable_method
    async def strength(self) -> None:
        """How strong the opponent is: a character, a level, or as strong as the visitor."""
        t, wishes = self.t, self.wishes
        with form_field(t("play.strength")):
            kinds = {kind: t(f"strength.{kind}") for kind in ("character", "level", "follow")}
            segments(t("play.strength"), kinds, wishes.strength, self.change_strength)
        if wishes.strength == "character":
            self.opponent_list()
            return
        found = await self.visit.service.levels(self.visit.visitor, wishes.rules)
        if wishes.strength == "follow":
            key = "strength.follow_known" if found.elo is not None else "strength.follow_first"
            Words(t(key, level=found.suggested, games=found.games), "p").props("data-follow")
            return
        if wishes.level is None:
            wishes.level = found.suggested
        with form_field(t("strength.level")):
            words = {level.number: level_words(t, level) for level in found.levels}
            told = Words(words[wishes.level], "p").classes("level__told").props("data-level-told")

            def choose(event: Any) -> None:
                wishes.level = int(event.value)
                told.text = words[wishes.level]

            slider = ui.slider(min=0, max=len(found.levels) - 1, step=1, value=wishes.level, on_change=choose)
            slider.props("snap markers data-level").classes("level")
            slider.props["aria-label"] = t("strength.level")
            if found.elo is not None:
                text = t("strength.suggested", level=found.suggested, games=found.games, elo=round(found.elo))
                Words(text, "p").classes("fine").props("data-suggested")

    async def change_strength(self, strength: Literal["character", "level", "follow"]) -> None:
        self.wishes.strength = strength
        await self.redraw(self.strength)

    def opponent_list(self) -> None:
        """The opponents with a sentence each."""
        t, known = self.t, self.opponents()
        with form_field(t("play.opponent")), ui.element("div").props('role="radiogroup"').classes("opponents") as group:
            group.props["aria-label"] = t("play.opponent")
            made: dict[str, Element] = {}
            usual = sum(found.rules is None for found in known)

            def take(name: str) -> None:
                self.wishes.opponent = name
                for other, row in made.items():
                    row.props["aria-checked"] = "true" if other == name else "false"
                    row.update()

            for rank, found in enumerate(known):
                row = ui.element("button").props('type="button" role="radio"').classes("opponent")
                row.props["aria-checked"] = "true" if found.name == self.wishes.opponent else "false"
                row.props["data-opponent"] = found.name
                row.on("click", lambda name=found.name: take(name))
                made[found.name] = row
                with row:
                    with ui.element("span").classes("opponent__strength").props('aria-hidden="true"'):
                        if rank < usual:
                            strength = 1 + round(4 * rank / max(1, usual - 1))
                            for step in range(1, 6):
                                ui.element("span").classes("pip pip--on" if step <= strength else "pip")
                        else:
                            ui.icon("model_training").classes("opponent__trained")
                    with ui.element("span").classes("opponent__text"):
                        Words(seat_name(t, found.name)).classes("opponent__name")
                        Words(opponent_sentence(t, found.name)).classes("fine")

    @ui.refreshable_method
    def pair_lists(self) -> None:
        """Who plays whom."""
        sides = side_names(self.t, self.wishes.game.players)
        names = {found.name: seat_name(self.t, found.name) for found in self.opponents()}
        for player in (0, 1):
            with form_field(sides[player]):
                select(
                    sides[player],
                    names,
                    self.wishes.pair[player],
                    partial(self.set_pair, player),
                )

    def set_pair(self, player: int, name: str) -> None:
        self.wishes.pair[player] = name

    async def start(self) -> None:
        """Make the game and go to it."""
        wishes = self.wishes
        async with self.visit.guarded():
            made = await self.visit.service.create_game(
                self.visit.visitor,
                NewGame(
                    rules=wishes.rules,
                    seats=wishes.seats(),
                    start=self.arrangement.key if wishes.start == "placed" else wishes.start,
                    dice=wishes.dice,
                    clock=CLOCKS[wishes.clock] if wishes.mode != "watch" else None,
                ),
            )
            ui.navigate.to(f"/game/{made.id}")


def _place(game: RulesView) -> int:
    return ORDER.index(game.name) if game.name in ORDER else len(ORDER)


def level_words(t: Translator, level: LevelView) -> str:
    """A level and how strong it is."""
    if level.elo is None or level.low is None or level.high is None:
        return t("seat.level", number=level.number)
    return t("strength.elo", number=level.number, elo=round(level.elo), low=round(level.low), high=round(level.high))


def clock_words(name: str) -> str:
    """`5+3` as clocks write it."""
    minutes, _, increment = name.partition("+")
    return f"{minutes}:00 + {increment}" if increment != "0" else f"{minutes}:00"


_cards: dict[tuple[str, Theme, Path | None], str] = {}
"""The pictures on the cards, which are always the same; but an own game may change with its file."""


async def card_picture(visit: Visit, name: str) -> str:
    """The first position of a game, small."""
    theme = visit.preferences.theme
    key = (name, theme, text_of(name))
    if key not in _cards:
        view = await visit.service.show_position(PositionRequest(rules=name))
        _cards[key] = position_picture(view, theme=theme, size=160, coordinates=False)
    return _cards[key]


async def build(visit: Visit, game: str) -> None:
    await PlayPage(visit, await visit.service.catalogue(), game).build()
