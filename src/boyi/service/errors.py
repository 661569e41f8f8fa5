"""What the service refuses, and why. Bad moves, keys and parameters stay the `GameError`s of the games."""


class ServiceError(Exception):
    """Any refusal of the service. The text is for people; `code` is for programs and translations."""

    code = "refused"


class NotFound(ServiceError):
    """No such game, share link or opponent; or it belongs to somebody else, which looks the same."""

    code = "not_found"


class RulesGone(NotFound):
    """A kept game of an own game whose rules file is gone, or was changed so that its moves are not legal any more."""

    code = "rules_gone"


class Conflict(ServiceError):
    """The game has moved on since the caller looked, or the action makes no sense in its present state."""

    code = "conflict"


class NameTaken(Conflict):
    """Something of that name is there already."""

    code = "name_taken"


class NotAllowed(Conflict):
    """The owner of the server has not allowed it."""

    code = "not_allowed"


class NotNow(Conflict):
    """It makes no sense at this moment; the text says why."""

    code = "not_now"


class StorageError(ServiceError):
    """The disk is full, or a folder cannot be written to."""

    code = "storage"


class Busy(ServiceError):
    """The visitor has used up the budget of running searches or kept games."""

    code = "busy"


class DatabaseError(ServiceError):
    """The database cannot be opened or used; the text says why and what to do."""

    code = "database"


class EngineError(ServiceError):
    """An engine failed twice at the same task."""

    code = "engine"
