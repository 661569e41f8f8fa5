"""Training: start a run from a form that explains its options, see all runs, and the players made of them."""

import re
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.element import Element

from boyi.service.views import Catalogue
from boyi.service.views_training import Method, NewRun, RunSummary, TrainingOptions
from boyi.web.i18n import Translator
from boyi.web.i18n.phrases import game_title, rules_words, seat_name
from boyi.web.pages.controls import Words, button, heading, icon_button, link, picture, segments
from boyi.web.pages.controls import field as form_field
from boyi.web.pages.game_choice import GameChoice
from boyi.web.pages.play import ORDER, card_picture
from boyi.web.pages.shell import Visit, frame

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,27}")
METHODS: tuple[Method, ...] = ("quick", "deep")
PLAIN = ("minutes", "generations")
MORE = ("simulations", "games", "blocks", "channels", "workers", "measure_every", "measure_games", "seed")
LIMITS: dict[str, tuple[int, int]] = {
    "minutes": (0, 100_000),
    "generations": (1, 100_000),
    "games": (8, 100_000),
    "simulations": (2, 10_000),
    "blocks": (1, 40),
    "channels": (4, 512),
    "workers": (1, 64),
    "measure_every": (0, 100_000),
    "measure_games": (0, 10_000),
    "seed": (0, 2**31 - 1),
}
"""What the form allows, as `NewRun` does."""
UNBOUNDED = 100_000
"""So many generations are as good as no limit."""
LOOK_S = 2.0
"""How often the list of runs is looked at."""


class TrainPage:
    def __init__(self, visit: Visit, catalogue: Catalogue, rules: str) -> None:
        self.visit, self.t = visit, visit.t
        self.choice = GameChoice(self.t, catalogue, rules, ORDER[::-1])
        self.method: Method = METHODS[0]
        self.values: dict[str, Any] = {}
        self.name = ""
        self.shown: list[tuple[Any, ...]] = []

    async def build(self) -> None:
        t = self.t
        with frame(self.visit, t("nav.train"), current="train"):
            heading(t("train.heading"), level=1)
            Words(t("train.text"), "p").classes("lead lab__text")
            with ui.element("div").classes("lab"):
                with ui.element("section").classes("panel").props("data-form"):
                    await self.form()
                with ui.element("section"):
                    heading(t("train.runs"))
                    await self.runs()
                    await self.players()
            ui.timer(LOOK_S, self.look)

    # The form

    async def form(self) -> None:
        """Everything that can be chosen for a run."""
        t = self.t
        self.choice.fields(self.change_numbers)
        with form_field(t("train.method")):
            methods = {method: t(f"method.{method}") for method in METHODS}
            segments(t("train.method"), methods, self.method, self.set_method)
            self.told = Words(t(f"method.{self.method}_help"))
            self.told.classes("fine").props("data-method-help")
            self.missing = Words("", "p").classes("banner").props("data-missing role=status")
        with form_field(t("train.name")):
            entry = ui.input(value=self.name, on_change=lambda event: setattr(self, "name", event.value or ""))
            entry.props("outlined dense maxlength=28 data-option=name").classes("typed")
            entry.props["aria-label"] = t("train.name")
            Words(t("train.name_help")).classes("fine")
        await self.usual()
        self.numbers()
        with ui.element("div").classes("start__bar"):
            made = button(t("train.start"), self.start, icon="model_training", style="main")
            made.classes("start__go").props("data-start")

    async def usual(self) -> None:
        """Begin with what the configuration of the game and the kind of net has."""
        self.options = await self.visit.service.training_options(self.choice.rules, self.method)
        self.values = {name: value for name in PLAIN + MORE if (value := getattr(self.options, name)) is not None}
        self.missing.text = self.t("train.missing", packages=", ".join(self.options.missing))
        self.missing.set_visibility(bool(self.options.missing))

    async def change_numbers(self) -> None:
        await self.usual()
        self.numbers.refresh()

    @ui.refreshable_method
    def numbers(self) -> None:
        options = self.options
        for name in PLAIN if options.generations < UNBOUNDED else PLAIN[:1]:
            self.number(name, options)
        with ui.expansion(self.t("train.more")).classes("more") as more:
            more.props("data-more").props["data-numbers"] = f"{self.method} {self.choice.rules}"
            for name in MORE:
                if getattr(options, name) is not None:
                    self.number(name, options)

    async def set_method(self, method: Method) -> None:
        self.method = method
        self.told.text = self.t(f"method.{method}_help")
        await self.change_numbers()

    def number(self, name: str, options: TrainingOptions) -> None:
        """An option with what it means."""
        t = self.t
        low, high = LIMITS[name]
        with form_field(t(f"option.{name}")):
            entry = ui.number(
                value=getattr(options, name), min=low, max=high, on_change=lambda event: self.set(name, event.value)
            )
            entry.props(f"outlined dense data-option={name}").classes("select")
            entry.props["aria-label"] = t(f"option.{name}")
            told = f"option.{name}_help"
            Words(t.either(f"{told}_{options.method}", "") or t(told)).classes("fine")

    def set(self, name: str, value: float | None) -> None:
        self.values[name] = value

    async def start(self) -> None:
        """Start the run and go to it."""
        name = self.name.strip()
        if name and not NAME.fullmatch(name):
            self.visit.notice("train.name_wrong", kind="bad")
            return
        wanted: dict[str, Any] = {}
        for option, value in self.values.items():
            low, high = LIMITS[option]
            if value is None:
                continue
            if not low <= value <= high or (option != "minutes" and value != int(value)):
                label = self.t(f"option.{option}")
                self.visit.notice("train.number_wrong", kind="bad", label=label, low=low, high=high)
                return
            wanted[option] = value if option == "minutes" else int(value)
        async with self.visit.guarded():
            made = await self.visit.service.start_run(
                NewRun(rules=self.choice.rules, name=name or None, method=self.method, **wanted)
            )
            ui.navigate.to(f"/train/{made.id}")

    # Runs and players

    async def look(self) -> None:
        """Show the runs again where something has changed."""
        found = (await self.visit.service.list_runs()).runs
        if [_seen(run) for run in found] != self.shown:
            await self.runs.refresh()

    @ui.refreshable_method
    async def runs(self) -> None:
        found = (await self.visit.service.list_runs()).runs
        self.shown = [_seen(run) for run in found]
        if not found:
            Words(self.t("train.none"), "p").classes("fine")
        with ui.element("ul").classes("runs"):
            for run in found:
                with ui.element("li").classes("panel run").props(f'data-run="{run.id}"'):
                    await self.entry(run)

    async def entry(self, run: RunSummary) -> None:
        """One run."""
        t = self.t
        picture(await card_picture(self.visit, run.rules), style="run__board bare")
        with ui.element("div").classes("entry__text"):
            link(run.id, f"/train/{run.id}", style="entry__title")
            Words(t("run.title", game=run_title(t, run), method=t(f"method.{run.method}"))).classes("fine")
            Words(" · ".join(how_far(t, run))).classes("fine")
            progress(run.share)
        status_chip(t, run)

    @ui.refreshable_method
    async def players(self) -> None:
        """The nets that were promoted."""
        t = self.t
        found = [known for known in (await self.visit.service.catalogue()).opponents if known.rules is not None]
        if not found:
            return
        heading(t("train.players")).classes("lab__below")
        with ui.element("ul").classes("runs"):
            for known in found:
                with ui.element("li").classes("panel run").props(f'data-player="{known.name}"'):
                    assert known.rules is not None
                    with ui.element("div").classes("entry__text"):
                        Words(seat_name(t, known.name), "b")
                        Words(rules_title(t, known.rules)).classes("fine")
                    dismissed = partial(self.dismiss, known.name.partition(":")[2])
                    icon_button("person_remove", t("train.dismiss"), dismissed).props("data-dismiss")

    async def dismiss(self, name: str) -> None:
        async with self.visit.guarded():
            await self.visit.service.dismiss_player(name)
        await self.players.refresh()


def _seen(run: RunSummary) -> tuple[Any, ...]:
    return run.id, run.status, run.generation, round(run.share, 2)


def rules_title(t: Translator, rules: str, title: str = "") -> str:
    """A game with its parameters in words."""
    return " · ".join(filter(None, (game_title(t, rules, title), rules_words(t, rules))))


def run_title(t: Translator, run: RunSummary) -> str:
    return rules_title(t, run.rules, run.title)


def unbounded(run: RunSummary) -> bool:
    """Whether a run ends by its time and not by its generations."""
    return run.generations >= UNBOUNDED


def how_far(t: Translator, run: RunSummary) -> list[str]:
    """What a run has done, in words."""
    if unbounded(run):
        told = [t("run.generation_alone", done=run.generation)]
    else:
        told = [t("run.generation", done=run.generation, total=run.generations)]
    if run.elapsed_s:
        told.append(t("run.elapsed", time=duration(t, run.elapsed_s)))
    return told


def duration(t: Translator, seconds: float) -> str:
    """A time in words, no more exact than useful."""
    if seconds < 90:
        return t("time.seconds", seconds=round(seconds))
    minutes = round(seconds / 60)
    if minutes < 90:
        return t("time.minutes", minutes=minutes)
    return t("time.hours", hours=minutes // 60, minutes=minutes % 60)


def progress(share: float) -> Element:
    """A bar; `share` from 0 to 1."""
    with (
        ui.element("div").classes("progress").props('role="progressbar" aria-valuemin="0" aria-valuemax="100"') as made
    ):
        made.props["aria-valuenow"] = str(round(100 * share))
        ui.element("i").style(f"width:{100 * share:.1f}%")
    return made


def status_chip(t: Translator, run: RunSummary) -> None:
    """How a run stands, in a word."""
    Words(t(f"run.{run.status}")).classes(f"chip chip--{run.status}").props(f'data-status="{run.status}"')


async def build(visit: Visit, game: str) -> None:
    await TrainPage(visit, await visit.service.catalogue(), game).build()
