"""A game's page: the board, the players, the moves, and everything that can be done. It rebuilds from its address."""

from typing import Any

from nicegui import ui
from nicegui.element import Element

from boyi.service.errors import ServiceError
from boyi.service.views import AnalysisView, GameView, MoveRequest, PositionRequest
from boyi.web.board import Board, Remarks
from boyi.web.i18n.phrases import (
    HUMAN,
    caption,
    ending,
    facts,
    game_title,
    hint_words,
    move_words,
    result_words,
    rules_words,
    side_names,
    spoken_move,
)
from boyi.web.pages.controls import Words, button, heading, icon_button, picture
from boyi.web.pages.game_actions import GameActions
from boyi.web.pages.panels import CLICKED_PLY, die_picture, has_die, move_list, player_panel
from boyi.web.pages.shell import Visit, frame, keep_running, lost


class GamePage:
    def __init__(self, visit: Visit, view: GameView, *, token: str = "") -> None:
        self.visit = visit
        self.t = visit.t
        self.view = view
        self.token = token
        self.sides = side_names(visit.t, view.players)
        self.ply: int | None = None
        """How many moves the shown position has, None for the latest one."""
        self.position = view.position
        self.hint: AnalysisView | None = None
        self.asking = False
        """Whether a hint is on its way."""
        self.watching = False
        self.drawn: dict[str, tuple[object, ...]] = {}
        self.actions = GameActions(self)

    # What follows from the game as it is

    @property
    def mine(self) -> bool:
        return self.view.mine and not self.token

    @property
    def plays(self) -> bool:
        """Whether the visitor decides: their turn or their roll, in the latest position."""
        mover = self.view.position.mover
        running = self.mine and self.view.status == "running" and self.ply is None and not self.view.paused
        return running and mover is not None and (self.view.seats[mover] == HUMAN or self.rolls_by_hand)

    @property
    def rolls_by_hand(self) -> bool:
        return self.view.position.turn == -1 and self.view.dice == "hand"

    @property
    def own_side(self) -> int:
        """The player shown below the board."""
        return 1 if self.view.seats[1] == HUMAN and self.view.seats[0] != HUMAN else 0

    # The page

    async def build(self) -> None:
        view = self.view
        title = game_title(self.t, view.rules, view.title)
        with frame(self.visit, title, current="play", wide=True), ui.element("div").classes("game"):
            with ui.element("section").classes("game__table"):
                self.panels: dict[int, Element] = {}
                self.panel(1 - self.own_side)
                self.board = Board(
                    view.rules,
                    self.t,
                    self.visit.preferences,
                    players=self.sides,
                    on_move=self.play,
                    label=self.t("board.label", game=title),
                )
                self.panel(self.own_side)
            with ui.element("aside").classes("game__side"):
                with ui.element("div").classes("panel game__head"):
                    heading(title, level=1)
                    Words(rules_words(self.t, view.rules)).classes("fine")
                    self.status()
                    self.controls()
                with ui.element("div").classes("panel game__moves"):
                    self.navigation()
                    self.moves = ui.element("div").classes("moves").props('role="group"')
                    self.moves.on("click", self.go_to, js_handler=CLICKED_PLY)
                    self.moves.props["aria-label"] = self.t("moves.label")
                    if self.mine:
                        self.typed()
                with ui.element("div").classes("panel game__actions"):
                    self.actions.build()
            self.live = Words("", "div").classes("sr-only").props('role="status" aria-live="polite" data-live')
        self.draw()
        self.visit.client.on_connect(self.follow)
        self.visit.listeners.append(self.restyle)

    def restyle(self) -> None:
        """Follow changed preferences."""
        self.board.set_preferences(self.visit.preferences)
        self.draw_board()

    def panel(self, player: int) -> None:
        made = ui.element("div").classes(f"seat seat--{player}")
        made.props["data-player"] = str(player)
        self.panels[player] = made

    def draw(self) -> None:
        """Everything, from what is known."""
        self.draw_board()
        self.draw_panels()
        played = len(self.view.moves) if self.ply is None else self.ply
        self.moves.props["innerHTML"] = move_list(self.t, self.view.moves, played)
        view, key = self.view, self.position.key
        self.renew(self.status, "status", view.outcome, key, self.ply, self.hint, self.asking)
        self.renew(self.controls, "controls", key, self.plays, view.paused, view.outcome)
        self.renew(self.navigation, "navigation", len(view.moves), self.ply)
        self.renew(self.actions.build, "actions", view.status, view.paused, view.seats)
        self.actions.update()
        if self.mine:
            self.renew(self.typed, "typed", self.plays, key)

    def renew(self, part: Any, name: str, *facts: object) -> None:
        """Draw a part anew where something it shows has changed."""
        if self.drawn.get(name) != facts:
            self.drawn[name] = facts
            part.refresh()

    def draw_board(self) -> None:
        active = self.plays and self.view.position.turn != -1
        remarks = Remarks()
        if self.hint and self.hint.move and self.hint.key == self.position.key:
            remarks = Remarks(suggestion=self.hint.move)
        self.board.show(self.position, ply=len(self.view.moves), active=active, remarks=remarks)

    def draw_panels(self) -> None:
        for player, made in self.panels.items():
            made.props["innerHTML"] = player_panel(self.t, self.view, self.position, player)
            made.classes(
                add="seat--to-move" if self.position.mover == player and self.view.status == "running" else None,
                remove="seat--to-move" if self.position.mover != player or self.view.status == "over" else None,
            )

    @ui.refreshable_method
    def status(self) -> None:
        """What is to be done, or how it ended."""
        view, t = self.view, self.t
        if view.outcome and self.ply is None:
            own = [player for player in (0, 1) if view.seats[player] == HUMAN]
            kind = "even"
            if len(own) == 1 and view.outcome.winner is not None:
                kind = "good" if view.outcome.winner == own[0] else "bad"
            with ui.element("div").classes(f"banner banner--{kind}").props("data-result"):
                Words(result_words(t, view.outcome, view.seats, self.sides)).classes("banner__head")
                Words(ending(t, view.outcome, self.sides, view.position)).classes("banner__text")
        else:
            Words(caption(t, self.position, self.sides), "p").classes("caption").props("data-caption")
        if self.asking:
            with ui.element("div").classes("hint"):
                ui.icon("lightbulb").props('aria-hidden="true"')
                Words(t("hint.thinking"))
        elif self.hint and self.hint.key == self.position.key and self.ply is None:
            self.hint_panel(self.hint)

    def hint_panel(self, found: AnalysisView) -> None:
        mover = self.position.mover or 0
        with ui.element("div").classes("hint").props("data-hint"):
            ui.icon("lightbulb").props('aria-hidden="true"')
            with ui.element("div"):
                Words(hint_words(self.t, found, mover, self.sides), "div")
                line = found.lines[0].moves if found.lines else []
                if len(line) > 1:
                    words = " ".join(move_words(self.t, move) for move in line[:8])
                    Words(self.t("hint.line", moves=words), "div").classes("fine")

    @ui.refreshable_method
    def controls(self) -> None:
        """The die, and what else the position asks of the visitor."""
        t, position = self.t, self.position
        if has_die(position) and not self.view.outcome:
            known, player = facts(position).die, position.mover or 0
            with ui.element("div").classes("dice"):
                label = t("die.shows", die=known) if known else t("die.not_rolled")
                picture(
                    die_picture(known, player),
                    style="dice__die dice__die--rolled" if known else "dice__die",
                    label=label,
                )
                if self.rolls_by_hand and self.plays:
                    with ui.element("div").classes("dice__hand").props('role="group"') as group:
                        group.props["aria-label"] = t("die.by_hand", side=self.sides[player])
                        Words(t("die.by_hand", side=self.sides[player])).classes("fine dice__ask")
                        for value in sorted(position.chances or {}):
                            button(value, lambda value=value: self.play(value, len(self.view.moves))).props(
                                f'data-die="{value}" data-key="{value}"'
                            )
                elif position.turn == -1 and self.plays:
                    button(t("die.roll"), self.roll, icon="casino", style="main").props('data-roll data-key=" "')
        if self.plays and facts(position).must_pass:
            button(
                t("action.pass"), lambda: self.play("pass", len(self.view.moves)), icon="skip_next", style="main"
            ).props('data-pass data-key=" "')
        if self.view.paused:
            Words(t("status.paused"), "p").classes("fine")

    @ui.refreshable_method
    def navigation(self) -> None:
        """Steps through the moves."""
        t, total = self.t, len(self.view.moves)
        here = total if self.ply is None else self.ply
        with ui.element("div").classes("steps").props('role="group"'):
            steps = (
                ("first_page", "moves.first", 0, "Home"),
                ("chevron_left", "moves.back", here - 1, "ArrowLeft"),
                ("chevron_right", "moves.forward", here + 1, "ArrowRight"),
                ("last_page", "moves.latest", total, "End"),
            )
            for icon, key, ply, shortcut in steps:
                made = icon_button(icon, t(key), lambda ply=ply: self.show_ply(ply)).props(f'data-key="{shortcut}"')
                made.set_enabled(0 <= ply <= total and ply != here)
            if self.ply is not None:
                Words(t("moves.viewing", ply=here, total=total)).classes("fine")

    @ui.refreshable_method
    def typed(self) -> None:
        """Where a move can be typed."""
        if not self.plays:
            return
        moves = [target.move for target in self.view.position.moves]
        entry = ui.input(placeholder=self.t("moves.type"), autocomplete=moves).props("dense outlined").classes("typed")
        entry.props["aria-label"] = self.t("moves.type")

        async def send() -> None:
            await self.play(str(entry.value or "").strip().lower(), len(self.view.moves))

        entry.on("keydown.enter", send)

    # What the visitor does

    async def play(self, move: str, ply: int) -> None:
        async with self.visit.guarded():
            try:
                wanted = MoveRequest(move=move or "?", ply=ply)
                self.take(await self.visit.service.play_move(self.visit.visitor, self.view.id, wanted))
            except Exception:
                self.board.take_back()
                raise

    async def roll(self) -> None:
        async with self.visit.guarded():
            self.take(await self.visit.service.roll(self.visit.visitor, self.view.id, len(self.view.moves)))

    async def ask_hint(self) -> None:
        if self.asking:
            return
        self.asking = True
        self.draw()
        async with self.visit.guarded():
            self.hint = await self.visit.service.hint(self.visit.visitor, self.view.id)
        self.asking = False
        self.draw()
        if self.hint and self.hint.key == self.view.position.key:
            self.live.set_text(hint_words(self.t, self.hint, self.view.position.mover or 0, self.sides))

    async def go_to(self, event: Any) -> None:
        await self.show_ply(int(event.args))

    async def show_ply(self, ply: int) -> None:
        """Look at an earlier position, or come back to the latest."""
        view = self.view
        if not 0 <= ply <= len(view.moves):
            return
        if ply == len(view.moves):
            self.ply, self.position = None, view.position
        else:
            moves = [move.move for move in view.moves[:ply]]
            wanted = PositionRequest(rules=view.rules, key=view.start, moves=moves)
            self.ply, self.position = ply, await self.visit.service.show_position(wanted)
        self.draw()

    # What the service reports

    def follow(self) -> None:
        """Begin to watch the game, once for the life of the page."""
        if self.watching:
            return
        self.watching = True
        if self.token:
            with self.visit.client:
                ui.timer(2.0, self.look_again)
        else:
            keep_running(self.visit, self.watch(), f"watch game {self.view.id}")

    async def watch(self) -> None:
        try:
            async for view in self.visit.service.watch_game(self.visit.visitor, self.view.id):
                with self.visit.client:
                    self.take(view)
        except ServiceError as error:
            self.visit.refuse(error)

    async def look_again(self) -> None:
        async with self.visit.guarded():
            self.take(await self.visit.service.shared_game(self.token))

    def take(self, view: GameView) -> None:
        """Show a newer state of the game; an older or equal one only says how the thinking goes."""
        before = self.view
        if view.version < before.version:
            return
        self.view = view
        if view.version == before.version:
            if view.thinking != before.thinking:
                self.draw_panels()
            return
        if view.seats != before.seats:
            ui.navigate.reload()
        if self.ply is not None and self.ply >= len(view.moves):
            self.ply = None
        if self.ply is None:
            self.position = view.position
        self.draw()
        self.announce(before)

    def announce(self, before: GameView) -> None:
        """Tell screen readers, and everybody about a pass."""
        view, words = self.view, []
        for ply in range(len(before.moves), len(view.moves)):
            words.append(spoken_move(self.t, view, ply, self.sides))
            made = view.moves[ply]
            if made.move == "pass" and view.seats[made.player] != HUMAN:
                self.visit.notice("notice.passes", side=self.sides[made.player])
        if view.outcome:
            words.append(ending(self.t, view.outcome, self.sides, view.position))
        elif len(view.moves) != len(before.moves):
            words.append(caption(self.t, view.position, self.sides))
        if words:
            self.live.set_text(" ".join(words))


async def build(visit: Visit, game: str) -> None:
    try:
        view = await visit.service.show_game(visit.visitor, game)
    except ServiceError:
        lost(visit, "lost.game")
        return
    await GamePage(visit, view).build()


async def build_shared(visit: Visit, token: str) -> None:
    try:
        view = await visit.service.shared_game(token)
    except ServiceError:
        lost(visit, "lost.game")
        return
    await GamePage(visit, view, token=token).build()
