"""What every page has: who visits and in which language, the frame around the content, and notices."""

import contextlib
import copy
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import Request
from nicegui import app as nicegui_app
from nicegui import background_tasks, ui
from nicegui.client import Client

from boyi.games.errors import GameError, IllegalMove
from boyi.service.errors import ServiceError
from boyi.service.service import Service
from boyi.service.views import Language, Preferences, Theme
from boyi.version import __version__
from boyi.web.i18n import LANGUAGES, Translator, preferred, translator
from boyi.web.pages.controls import heading, icon_button, link

FILES = Path(__file__).parent
COOKIE = "boyi_visitor"
SWITCHES = ("show_legal", "show_coordinates", "confirm_moves", "sound")
THEMES: dict[Theme, str] = {"auto": "brightness_auto", "light": "light_mode", "dark": "dark_mode"}
HTML_LANGUAGES: dict[Language, Any] = {"en": "en-US", "zh-Hant": "zh-TW", "zh-Hans": "zh-CN"}
ENTRIES = (
    ("play", "/", "sports_esports"),
    ("games", "/games", "history"),
    ("analyse", "/analyse", "insights"),
    ("recognise", "/recognise", "image_search"),
    ("compete", "/compete", "emoji_events"),
    ("train", "/train", "model_training"),
    ("about", "/about", "info"),
)


@dataclass
class Visit:
    """Who looks at a page, and everything the page needs to serve them."""

    service: Service
    visitor: str
    preferences: Preferences
    t: Translator
    client: Client
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """Called after a preference has changed."""

    async def prefer(self, **changes: object) -> None:
        """Remember a preference."""
        wanted = self.preferences.model_copy(update=changes)
        self.preferences = await self.service.set_preferences(self.visitor, wanted)
        for listener in self.listeners:
            listener()

    def notice(self, key: str, *, kind: str = "plain", **parameters: object) -> None:
        """A short message at the foot of the page."""
        with self.client:
            ui.notify(
                self.t(key, **parameters),
                position="bottom",
                timeout=3500,
                classes=f"notice notice--{kind}",
                progress=False,
            )

    def refuse(self, error: Exception) -> None:
        """Say in the visitor's language that something was refused."""
        if isinstance(error, IllegalMove):
            self.notice("notice.illegal", kind="bad", move=str(error.move)[:20])
        elif isinstance(error, ServiceError):
            known = f"notice.{error.code}"
            self.notice(known if known in self.t else "notice.refused", kind="bad", reason=str(error))
        else:
            self.notice("notice.refused", kind="bad", reason=str(error))

    @contextlib.asynccontextmanager
    async def guarded(self) -> AsyncIterator[None]:
        """Show refusals of the service as notices."""
        try:
            yield
        except (GameError, ServiceError) as error:
            self.refuse(error)


async def arrive(service: Service, request: Request) -> Visit:
    """Greet a visitor: at first in the browser's language, then in the chosen one."""
    visitor: str = request.state.visitor
    preferences = await service.preferences(visitor)
    if COOKIE not in request.cookies:
        language = preferred(request.headers.get("accept-language", ""))
        if language != preferences.language:
            preferences = await service.set_preferences(visitor, preferences.model_copy(update={"language": language}))
    client = ui.context.client
    client.page = copy.copy(client.page)
    client.page.language = HTML_LANGUAGES[preferences.language]
    client.page.dark = {"light": False, "dark": True, "auto": None}[preferences.theme]
    return Visit(service, visitor, preferences, translator(preferences.language), client)


def serve_files() -> None:
    """Serve the style sheet and the icon."""
    nicegui_app.add_static_files("/_boyi", FILES / "static")


def _fingerprint(name: str) -> str:
    return hashlib.sha256((FILES / "static" / name).read_bytes()).hexdigest()[:12]


STYLE_SHEET = f"/_boyi/style.css?{_fingerprint('style.css')}"
SCRIPT = f"/_boyi/page.js?{_fingerprint('page.js')}"


@contextlib.contextmanager
def frame(visit: Visit, title: str, *, current: str = "", wide: bool = False) -> Iterator[None]:
    """The page around its content."""
    t = visit.t
    ui.page_title(f"{title} · {t('app.name')}")
    ui.add_head_html(
        f'<link rel="stylesheet" href="{STYLE_SHEET}"><script defer src="{SCRIPT}"></script>'
        f'<script>document.documentElement.dataset.theme = "{visit.preferences.theme}"</script>'
        '<link rel="icon" type="image/svg+xml" href="/_boyi/icon.svg">'
    )
    with ui.element("a").props('href="#main"').classes("skip-link"):
        ui.label(t("nav.skip"))
    with ui.element("header").classes("topbar"):
        with ui.element("a").props(f'href="/" aria-label="{t("app.name")}"').classes("brand"):
            ui.element("img").props('src="/_boyi/icon.svg" alt=""').classes("brand__icon")
            ui.label(t("app.name")).classes("brand__name")
        with ui.element("nav").props(f'aria-label="{t("nav.label")}"').classes("nav"):
            for name, path, icon in ENTRIES:
                link = ui.element("a").props(f'href="{path}"').classes("nav__link")
                if name == current:
                    link.props('aria-current="page"')
                with link:
                    ui.icon(icon).props('aria-hidden="true"')
                    ui.label(t(f"nav.{name}"))
        with ui.element("div").classes("topbar__tools"):
            _language_menu(visit)
            _theme_button(visit)
            _settings_menu(visit)
    with ui.element("main").props('id="main" tabindex="-1"').classes("main main--wide" if wide else "main"):
        yield
    with ui.element("footer").classes("foot"):
        ui.label(t("app.foot", version=__version__))


def _language_menu(visit: Visit) -> None:
    with icon_button("translate", visit.t("nav.language")).classes("tool--language"):
        ui.label(visit.t("language.short")).classes("tool__text")
        with ui.menu().classes("menu").props('anchor="bottom right" self="top right"'):
            for language in LANGUAGES:
                item = ui.menu_item(
                    translator(language)("language.name"), lambda language=language: _change(visit, language=language)
                ).props(f'lang="{HTML_LANGUAGES[language]}" data-language="{language}"')
                if language == visit.preferences.language:
                    item.classes("menu__chosen").props('aria-current="true"')


def _theme_button(visit: Visit) -> None:
    theme = visit.preferences.theme
    following: Theme = list(THEMES)[(list(THEMES).index(theme) + 1) % len(THEMES)]
    label = visit.t("nav.theme", theme=visit.t(f"theme.{theme}"))
    icon_button(THEMES[theme], label, lambda: _change(visit, theme=following)).props("data-theme-button")


def _settings_menu(visit: Visit) -> None:
    with (
        icon_button("tune", visit.t("nav.settings")),
        ui.menu().classes("menu").props('anchor="bottom right" self="top right"'),
        ui.element("div").classes("menu__switches"),
    ):
        for name in SWITCHES:
            ui.switch(
                visit.t(f"setting.{name}"),
                value=getattr(visit.preferences, name),
                on_change=lambda event, name=name: visit.prefer(**{name: event.value}),
            ).props(f'data-setting="{name}"')


async def _change(visit: Visit, **changes: object) -> None:
    await visit.prefer(**changes)
    with visit.client:
        ui.navigate.reload()


def keep_running(visit: Visit, coroutine: Any, name: str) -> Any:
    """Run something for as long as the visitor stays; gives the task."""
    task = background_tasks.create(coroutine, name=name)
    visit.client.on_delete(lambda: task.cancel())
    return task


def lost(visit: Visit, key: str = "lost.page") -> None:
    """The page that says that there is nothing here."""
    t = visit.t
    visit.client.status_code = 404
    with frame(visit, t("lost.title")), ui.element("section").classes("lost"):
        ui.element("img").props('src="/_boyi/icon.svg" alt=""').classes("lost__icon")
        heading(t("lost.title"), level=1)
        ui.label(t(key)).classes("lead")
        link(t("lost.home"), "/")
