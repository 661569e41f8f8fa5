"""Learning from mistakes: positions of the visitor's own reviewed games, one after the other, with a move to find."""

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import PositionRequest, PositionView, ReviewRequest
from boyi.service.views_lessons import AnswerView, LessonList, LessonView
from boyi.web.board import Board, Remarks
from boyi.web.i18n.phrases import caption, game_title, move_words, rules_words, side_names
from boyi.web.pages.controls import Words, button, heading, link
from boyi.web.pages.shell import Visit, frame, keep_running
from boyi.web.pages.train import progress

QUICK_S = 0.3
"""How long each position is looked at in the reviews that are made here."""


class LearnPage:
    def __init__(self, visit: Visit, game: str, found: LessonList) -> None:
        self.visit, self.t, self.only, self.found = visit, visit.t, game, found
        self.lesson: LessonView | None = None
        self.position: PositionView | None = None
        self.answer: AnswerView | None = None
        self.board: Board | None = None
        self.asked: set[str] = set()
        self.solved = self.tried = 0
        self.judging = self.reviewing = False
        self.share = 0.0

    async def build(self) -> None:
        with frame(self.visit, self.t("learn.title"), current="games", wide=True):
            await self.next()
            await self.content()
            self.live = Words("", "div").classes("sr-only").props('role="status" aria-live="polite"')

    async def next(self) -> None:
        """Take the next lesson: a due one that was not asked on this visit, else one that was."""
        due = self.found.lessons[: self.found.due]
        fresh = [lesson for lesson in due if lesson.id not in self.asked]
        self.lesson = next(iter(fresh or due), None)
        await self.open()

    async def practise(self) -> None:
        """Take one that is not due, in turn."""
        known = self.found.lessons
        fresh = [lesson for lesson in known if lesson.id not in self.asked]
        self.lesson = next(iter(fresh or known), None)
        await self.open()
        await self.content.refresh()

    async def open(self) -> None:
        self.answer = None
        self.position = None
        if self.lesson is not None:
            self.asked.add(self.lesson.id)
            wanted = PositionRequest(rules=self.lesson.rules, key=self.lesson.key)
            self.position = await self.visit.service.show_position(wanted)

    @ui.refreshable_method
    async def content(self) -> None:
        t = self.t
        if self.lesson is None or self.position is None:
            self.board = None
            with ui.element("section").classes("panel lesson--none"):
                heading(t("learn.title"), level=1)
                Words(t("learn.all_done") if self.found.lessons else t("learn.none"), "p").props("data-none")
                if self.found.lessons:
                    self.counts()
                    button(t("learn.practise"), self.practise, icon="fitness_center").props("data-practise")
                self.more()
                link(t("nav.games"), "/games", icon="history", style="link-button link-button--quiet")
            return
        sides = side_names(t, self.lesson.players)
        title = game_title(t, self.lesson.rules, self.lesson.title)
        with ui.element("div").classes("game"):
            with ui.element("section").classes("game__table"):
                self.board = Board(
                    self.lesson.rules,
                    t,
                    self.visit.preferences,
                    players=sides,
                    on_move=self.play,
                    label=t("board.label", game=title),
                )
                self.draw()
            with ui.element("aside").classes("game__side"):
                with ui.element("div").classes("panel game__head"):
                    heading(t("learn.title"), level=1)
                    Words(" · ".join(filter(None, (title, rules_words(t, self.lesson.rules))))).classes("fine")
                    Words(caption(t, self.position, sides), "p").classes("caption").props("data-caption")
                    self.task()
                with ui.element("div").classes("panel"):
                    self.counts()
                    self.more()

    @ui.refreshable_method
    def task(self) -> None:
        """What is asked, or what became of the answer."""
        t, lesson, answer = self.t, self.lesson, self.answer
        assert lesson is not None
        if answer is None:
            text = t("learn.ask", move=move_words(t, lesson.played), percent=_percent(lesson.loss))
            Words(text, "p").props("data-ask")
            if self.judging:
                Words(t("learn.judging"), "p").classes("fine")
        else:
            with ui.element("div").classes(f"banner banner--{'good' if answer.right else 'bad'}").props("data-answer"):
                Words(t("learn.right") if answer.right else t("learn.wrong")).classes("banner__head")
                Words(self.judgement(answer)).classes("banner__text")
        with ui.element("div").classes("actions run__actions"):
            if answer is not None and not answer.right:
                button(t("learn.again"), self.again, icon="replay").props("data-again")
            style = "main" if answer is not None else ""
            button(t("learn.next"), self.go_on, icon="arrow_forward", style=style).props("data-next data-key=n")
            link(
                t("learn.game"),
                f"/analyse/{lesson.game}?ply={lesson.ply}",
                icon="insights",
                style="link-button link-button--quiet",
            )

    def judgement(self, answer: AnswerView) -> str:
        t = self.t
        told = t("learn.loses", move=move_words(t, answer.move), percent=_percent(answer.loss))
        if answer.move == answer.best:
            told = t("learn.best", move=move_words(t, answer.move))
        if answer.right:
            return told
        line = " ".join(move_words(t, move) for move in answer.best_line[:6]) or move_words(t, answer.best)
        return told + " " + t("learn.better", line=line)

    def counts(self) -> None:
        """How far the visitor has come."""
        t, found = self.t, self.found
        with ui.element("dl").classes("facts").props("data-counts"):
            for name, value in (
                ("due", found.due),
                ("learnt", found.learnt),
                ("all", len(found.lessons)),
                ("today", f"{self.solved} / {self.tried}"),
            ):
                Words(t(f"learn.{name}"), "dt")
                Words(str(value), "dd").props(f"data-count={name}")

    @ui.refreshable_method
    def more(self) -> None:
        """Games that were not reviewed yet."""
        if self.reviewing:
            Words(self.t("learn.reviewing"), "p").classes("fine")
            progress(self.share)
        elif self.found.unreviewed:
            count = len(self.found.unreviewed)
            made = button(self.t("learn.review", count=count), self.review, icon="query_stats")
            made.props("data-review")

    def draw(self) -> None:
        if self.board is None or self.position is None:
            return
        remarks = Remarks(suggestion=self.answer.best) if self.answer and not self.answer.right else Remarks()
        self.board.show(self.position, active=self.answer is None and not self.judging, remarks=remarks)

    async def play(self, move: str, _: int) -> None:
        """Judge the visitor's move."""
        if self.lesson is None or self.judging or self.answer is not None:
            return
        self.judging = True
        self.task.refresh()
        try:
            self.answer = await self.visit.service.answer_lesson(self.visit.visitor, self.lesson.id, move)
            self.tried += 1
            self.solved += self.answer.right
            self.live.text = self.judgement(self.answer)
        except (GameError, ServiceError) as error:
            self.visit.refuse(error)
        self.judging = False
        self.task.refresh()
        self.draw()

    def again(self) -> None:
        self.answer = None
        self.task.refresh()
        self.draw()

    async def go_on(self) -> None:
        await self.reload()
        await self.next()
        await self.content.refresh()

    async def reload(self) -> None:
        self.found = await self.visit.service.lessons(self.visit.visitor, game=self.only or None)

    def review(self) -> None:
        if not self.reviewing:
            self.reviewing, self.share = True, 0.0
            self.more.refresh()
            keep_running(self.visit, self.review_all(), "reviews for lessons")

    async def review_all(self) -> None:
        """Review the games that were not, one after the other."""
        visit, games = self.visit, self.found.unreviewed
        for number, game in enumerate(games):
            try:
                async for view in visit.service.review_game(
                    visit.visitor, game, ReviewRequest(seconds_per_move=QUICK_S)
                ):
                    self.share = (number + view.done / max(1, view.total)) / len(games)
                    with visit.client:
                        self.more.refresh()
            except (GameError, ServiceError) as error:
                visit.refuse(error)
        self.reviewing = False
        await self.reload()
        with visit.client:
            if self.lesson is None:
                await self.next()
            await self.content.refresh()


def _percent(loss: float) -> int:
    return round(50 * loss)


async def build(visit: Visit, game: str) -> None:
    found = await visit.service.lessons(visit.visitor, game=game or None)
    await LearnPage(visit, game, found).build()
