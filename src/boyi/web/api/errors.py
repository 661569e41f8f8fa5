"""How the API says no: a status, and `{"error": code, "message": text}`."""

import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from boyi.games.errors import BadParameter, BadPosition, GameError, IllegalMove, UnknownGame
from boyi.service.errors import Busy, Conflict, DatabaseError, EngineError, NotFound, ServiceError
from boyi.web.security import Refused, error_body

log = logging.getLogger(__name__)

GAME_CODES = {
    IllegalMove: "illegal_move",
    BadPosition: "bad_position",
    BadParameter: "bad_parameter",
    UnknownGame: "unknown_game",
}
HTTP_CODES = {401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}


class ErrorView(BaseModel):
    """Every error: `error` for programs, `message` for people."""

    error: str
    message: str


ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorView, "description": "Not a request: bad JSON, or a refusal of the service"},
    401: {"model": ErrorView, "description": "No visitor's token, or no login"},
    403: {"model": ErrorView, "description": "From another site, or for another host"},
    404: {"model": ErrorView, "description": "No such thing, or somebody else's"},
    409: {"model": ErrorView, "description": "The game has moved on, or the action makes no sense in its state"},
    413: {"model": ErrorView, "description": "The body is too large"},
    415: {"model": ErrorView, "description": "The body is not JSON"},
    422: {"model": ErrorView, "description": "A value is not allowed, or the move not legal"},
    429: {"model": ErrorView, "description": "The visitor's budget is used up; or too many wrong passwords"},
}


def refusal_of(error: Exception) -> Refused | None:
    """Status, code and text of an expected error; None for one nobody expected."""
    match error:
        case Refused():
            return error
        case NotFound():
            return Refused(404, error.code, str(error) or "there is no such thing")
        case Conflict():
            return Refused(409, error.code, str(error) or "the game has moved on")
        case Busy():
            return Refused(429, error.code, str(error) or "too many searches at once")
        case DatabaseError() | EngineError():
            log.error("%s: %s", type(error).__name__, error, exc_info=error)
            return Refused(503, error.code, "the server has a problem of its own, which its log tells; try again")
        case ServiceError():
            return Refused(400, error.code, str(error))
        case GameError():
            code = next((code for kind, code in GAME_CODES.items() if isinstance(error, kind)), "bad_game")
            return Refused(422, code, str(error))
        case RequestValidationError():
            return Refused(422, "invalid", describe(error.errors()))
        case HTTPException():
            return Refused(error.status_code, HTTP_CODES.get(error.status_code, "refused"), str(error.detail))
        case _:
            return None


def describe(errors: Any) -> str:
    """What validation found, a clause a field, without repeating the bad values."""
    shown = [f"{'.'.join(str(part) for part in found['loc'])[:100]}: {found['msg']}" for found in errors[:5]]
    return "; ".join(shown) + (f"; and {len(errors) - 5} more" if len(errors) > 5 else "")


async def answer(_: Request, error: Exception) -> Response:
    """The response to any error. Of an unexpected one nothing is told; the log has it."""
    refusal = refusal_of(error) or Refused(500, "internal", "this should not have happened; the server's log says more")
    headers = {"Retry-After": "1"} if refusal.status == 429 else dict(getattr(error, "headers", None) or {})
    body = error_body(refusal.code, str(refusal).encode("utf-8", "replace").decode())
    return JSONResponse(body, refusal.status, headers)


def handle_errors(api: FastAPI) -> None:
    for kind in (Refused, ServiceError, GameError, RequestValidationError, HTTPException, Exception):
        api.add_exception_handler(kind, answer)
