"""Who is told how a run goes, deep or quick. Start at `Report`."""

from typing import Protocol

from boyi.train.run import Row


class Report(Protocol):
    """Who is told how a run goes."""

    def note(self, text: str) -> None:
        """Something that a person should know."""

    def stage(self, name: str, done: float, total: float) -> None:
        """Where the generation stands."""

    def generation(self, row: Row) -> None:
        """A generation is complete."""


class Silence:
    """Tells nobody."""

    def note(self, text: str) -> None: ...

    def stage(self, name: str, done: float, total: float) -> None: ...

    def generation(self, row: Row) -> None: ...
