"""The API as an application of its own, mounted under `/api/v1`."""

import html

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.routing import APIRoute

from boyi.service.service import Service
from boyi.web.api import contests, games, lessons, own, positions, records, streams, training, vision, visitors
from boyi.web.api.errors import handle_errors
from boyi.web.login import Gate

PATH = "/api/v1"
ABOUT = """Everything the pages of Boyi can do. Each operation is named like the method of
`boyi.service.service.Service` behind it. Values are the expected result for player 0, from -1 to 1. Errors
are `{"error": code, "message": text}`.
`watch_game`, `analyse`, `review_game`, `watch_contest` and `watch_run` are WebSockets too, at the same addresses."""


def build_api(service: Service, gate: Gate | None = None) -> FastAPI:
    """The API over a service; the gate is for `POST /login`."""
    api = FastAPI(
        title="Boyi",
        version="1",
        description=ABOUT,
        servers=[{"url": PATH}],
        openapi_url=None,  # its pages would load scripts from the network; ours follow
        generate_unique_id_function=operation_id,
    )
    api.state.service, api.state.gate = service, gate
    for router in (
        visitors.router,
        games.router,
        games.public,
        positions.router,
        records.router,
        vision.router,
        lessons.router,
        contests.router,
        training.router,
        own.router,
        streams.router,
    ):
        api.include_router(router)
    api.add_api_route("/openapi.json", lambda: JSONResponse(api.openapi()), include_in_schema=False)
    api.add_api_route("/", lambda: HTMLResponse(overview(api)), include_in_schema=False)
    handle_errors(api)
    return api


def operation_id(route: APIRoute) -> str:
    return route.name


def overview(api: FastAPI) -> str:
    """A page for people: every operation in a table."""
    rows = "".join(
        f"<tr><td>{method.upper()}<td><code>{PATH}{html.escape(path)}</code><td><code>{operation['operationId']}</code>"
        f"<td>{html.escape(operation.get('description', '').splitlines()[0])}"
        for path, operations in api.openapi()["paths"].items()
        for method, operation in operations.items()
    )
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Boyi API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }} body {{ margin: 2rem }}
td {{ padding: .2rem 1rem .2rem 0; vertical-align: top }} th {{ text-align: left }}</style></head>
<body><h1>Boyi API</h1><p>Described for programs in <a href="{PATH}/openapi.json">openapi.json</a> (OpenAPI).
<table><tr><th>Method<th>Address<th>Operation<th>What it does{rows}</table></body></html>"""
