"""The server, its visitors, and the login."""

from fastapi import APIRouter, Request, Response
from pydantic import Field

from boyi.service import views
from boyi.web import identity
from boyi.web.api.asked import SCHEMES, Serving, Visitor
from boyi.web.api.errors import ERRORS
from boyi.web.login import Gate, client_address, too_many
from boyi.web.security import Refused

router = APIRouter(tags=["visitors"], responses=ERRORS)


class TokenView(views.View):
    """The secret of a visitor: who has it, has the visitor's games."""

    token: str


class LoginRequest(views.Request):
    password: str = Field(max_length=1000)


@router.get("/status")
async def status(service: Serving) -> views.Status:
    """How the server is doing."""
    return await service.status()


@router.get("/catalogue")
async def catalogue(service: Serving) -> views.Catalogue:
    """The games, their parameters, and the opponents from the weakest to the strongest."""
    return await service.catalogue()


@router.post("/visitors", status_code=201)
async def new_visitor(request: Request, response: Response, service: Serving) -> TokenView:
    """Become a visitor. A browser that is none yet gets the cookie too."""
    token = await service.new_visitor()
    if identity.token_of(request) is None:
        identity.remember(response, token, request)
    return TokenView(token=token)


@router.get("/preferences", dependencies=SCHEMES)
async def preferences(service: Serving, visitor: Visitor) -> views.Preferences:
    """The visitor's settings."""
    return await service.preferences(visitor)


@router.put("/preferences", dependencies=SCHEMES)
async def set_preferences(service: Serving, visitor: Visitor, wanted: views.Preferences) -> views.Preferences:
    """Change the visitor's settings; what is left out goes back to its default."""
    return await service.set_preferences(visitor, wanted)


@router.post("/login", status_code=204, response_class=Response)
async def login(request: Request, wanted: LoginRequest) -> Response:
    """Tell the password of a server that asks for one; the cookie that comes back lets all further requests in."""
    gate: Gate | None = request.app.state.gate
    response = Response(status_code=204)
    if gate is not None:
        address = client_address(request)
        if wait := gate.wait_s(address):
            return too_many(wait)
        if not gate.attempt(address, wanted.password):
            raise Refused(401, "wrong_password", "that is not the password")
        gate.admit(response, request)
    return response
