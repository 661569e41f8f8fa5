"""Matches and tournaments: choose who meets whom, start, and see all contests."""

from functools import partial
from typing import Any

from nicegui import ui

from boyi.service.views import Catalogue
from boyi.service.views_contests import ContestSummary, EntrantView, NewContest
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import seat_name
from boyi.web.pages.controls import Words, button, heading, link, picture, segments
from boyi.web.pages.controls import field as form_field
from boyi.web.pages.game_choice import GameChoice
from boyi.web.pages.play import ORDER, card_picture
from boyi.web.pages.shell import Visit, frame
from boyi.web.pages.train import NAME, progress, rules_title

KINDS = ("robin", "gauntlet", "ladder")
MOST = 16
"""Entrants of a contest."""
GAMES = (1, 2000)
LOOK_S = 2.0


def entrant_name(t: Translator, name: str) -> str:
    """Somebody who takes part, as people call it."""
    kind, _, rest = name.partition(":")
    return rest if kind == "engine" else seat_name(t, name)


class CompetePage:
    def __init__(self, visit: Visit, catalogue: Catalogue, rules: str) -> None:
        self.visit, self.t = visit, visit.t
        self.choice = GameChoice(self.t, catalogue, rules, ORDER)
        self.chosen: list[str] = ["easy", "medium"]
        self.kind: Any = "robin"
        self.number: float | None = 10
        self.name = ""
        self.shown: list[tuple[Any, ...]] = []

    async def build(self) -> None:
        t = self.t
        with frame(self.visit, t("nav.compete"), current="compete"):
            heading(t("compete.heading"), level=1)
            Words(t("compete.text"), "p").classes("lead lab__text")
            with ui.element("div").classes("lab"):
                with ui.element("section").classes("panel").props("data-form"):
                    await self.form()
                with ui.element("section"):
                    heading(t("compete.contests"))
                    await self.contests()
            ui.timer(LOOK_S, self.look)

    async def form(self) -> None:
        """Everything that can be chosen for a contest."""
        t = self.t
        self.choice.fields(self.change_game)
        self.known = await self.who_plays()
        with form_field(t("compete.entrants")):
            self.entrants()
            Words(t("compete.entrants_help")).classes("fine")
        with form_field(t("compete.kind")):
            kinds = {kind: t(f"compete.{kind}") for kind in KINDS}
            segments(t("compete.kind"), kinds, self.kind, lambda value: setattr(self, "kind", value))
            Words(t("compete.kind_help")).classes("fine")
        with form_field(t("compete.games")):
            entry = ui.number(
                value=self.number,
                min=GAMES[0],
                max=GAMES[1],
                on_change=lambda event: setattr(self, "number", event.value),
            )
            entry.props("outlined dense data-option=games").classes("select")
            entry.props["aria-label"] = t("compete.games")
            Words(t("compete.games_help")).classes("fine")
        with form_field(t("train.name")):
            name = ui.input(value=self.name, on_change=lambda event: setattr(self, "name", event.value or ""))
            name.props("outlined dense maxlength=28 data-option=name").classes("typed")
            name.props["aria-label"] = t("train.name")
            Words(t("train.name_help")).classes("fine")
        with ui.element("div").classes("start__bar"):
            made = button(t("compete.start"), self.start, icon="emoji_events", style="main")
            made.classes("start__go").props("data-start")

    async def who_plays(self) -> list[EntrantView]:
        """Those who play the chosen game."""
        return (await self.visit.service.entrants(self.choice.rules)).entrants

    async def change_game(self) -> None:
        self.known = await self.who_plays()
        self.chosen = [name for name in self.chosen if name in {found.name for found in self.known}]
        self.entrants.refresh()

    @ui.refreshable_method
    def entrants(self) -> None:
        t = self.t
        with ui.element("div").classes("entrants").props('role="group"') as group:
            group.props["aria-label"] = t("compete.entrants")
            group.props["data-rules"] = self.choice.rules
            for found in self.known:
                label = entrant_name(t, found.name)
                if found.elo is not None:
                    label = t("compete.elo", name=label, elo=round(found.elo))
                box = ui.checkbox(label, value=found.name in self.chosen, on_change=partial(self.pick, found.name))
                box.props("dense").props["data-entrant"] = found.name

    def pick(self, name: str, event: Any) -> None:
        if event.value and name not in self.chosen:
            self.chosen.append(name)
        elif not event.value and name in self.chosen:
            self.chosen.remove(name)

    async def start(self) -> None:
        """Start the contest and go to it."""
        t, name, games = self.t, self.name.strip(), self.number or 0
        if name and not NAME.fullmatch(name):
            self.visit.notice("train.name_wrong", kind="bad")
        elif not 2 <= len(self.chosen) <= MOST:
            self.visit.notice("compete.too_few", kind="bad", most=MOST)
        elif not GAMES[0] <= games <= GAMES[1] or games != int(games):
            low, high = GAMES
            self.visit.notice("train.number_wrong", kind="bad", label=t("compete.games"), low=low, high=high)
        else:
            async with self.visit.guarded():
                made = await self.visit.service.start_contest(
                    NewContest(
                        rules=self.choice.rules,
                        entrants=list(self.chosen),
                        games=int(games),
                        kind=self.kind,
                        name=name or None,
                    )
                )
                ui.navigate.to(f"/compete/{made.id}")

    async def look(self) -> None:
        """Show the contests again where something has changed."""
        found = (await self.visit.service.list_contests()).contests
        if [_seen(contest) for contest in found] != self.shown:
            await self.contests.refresh()

    @ui.refreshable_method
    async def contests(self) -> None:
        t = self.t
        found = (await self.visit.service.list_contests()).contests
        self.shown = [_seen(contest) for contest in found]
        if not found:
            Words(t("compete.none"), "p").classes("fine")
        with ui.element("ul").classes("runs"):
            for contest in found:
                with ui.element("li").classes("panel run").props(f'data-contest="{contest.id}"'):
                    picture(await card_picture(self.visit, contest.rules), style="run__board bare")
                    with ui.element("div").classes("entry__text"):
                        link(contest.id, f"/compete/{contest.id}", style="entry__title")
                        Words(rules_title(t, contest.rules, contest.title)).classes("fine")
                        names = t("list.comma").join(entrant_name(t, name) for name in contest.entrants)
                        Words(names).classes("fine")
                        progress(contest.done / max(1, contest.total))
                    contest_chip(t, contest)


def _seen(contest: ContestSummary) -> tuple[Any, ...]:
    return contest.id, contest.status, contest.done


def contest_chip(t: Translator, contest: ContestSummary) -> None:
    """How a contest stands, in a word."""
    text = t(f"contest.{contest.status}")
    Words(text).classes(f"chip chip--{contest.status}").props(f'data-status="{contest.status}"')


async def build(visit: Visit, game: str) -> None:
    await CompetePage(visit, await visit.service.catalogue(), game).build()
