"""The description of the API: complete, true, and the same in the docs; and the pages do nothing that it cannot."""

import ast
import functools
import inspect
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks

from boyi.service.service import Service
from boyi.web.api.build import build_api
from boyi.web.process import ServerProcess

DESCRIPTION = build_api(Service("sqlite://")).openapi()
OPERATIONS = {
    operation["operationId"]: (f"{method.upper()} {path}", operation)
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
}
get = functools.partial(httpx.get, timeout=60)
post = functools.partial(httpx.post, timeout=60)
FRAME = {"start", "close", "visitor"}
"""What the app itself does with a service: its life, and the id behind a token."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_method_of_the_service_is_an_operation() -> None:
    methods = {name for name, _ in inspect.getmembers(Service, inspect.isfunction) if not name.startswith("_")}
    assert methods - FRAME <= set(OPERATIONS)
    assert set(OPERATIONS) - methods == {"login"}


def service_calls(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of every attribute that a source takes of something called `service`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            owner = node.value
            name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
            if name.strip("_") == "service":
                yield node.lineno, node.attr


def test_the_pages_do_nothing_that_the_api_cannot(at_root: Path) -> None:
    """Every action of a page is a method of the service, and every such method an operation."""
    used, wrong = set(), []
    for file in sorted((at_root / "src" / "boyi" / "web" / "pages").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        for line, name in service_calls(source):
            used.add(name)
            if name not in OPERATIONS:
                wrong.append(f"{file.name}:{line} uses service.{name}")
        for node in ast.walk(ast.parse(source)):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            allowed = ("boyi.service.views", "boyi.service.errors", "boyi.service.service", "boyi.games.errors")
            wrong += [
                f"{file.name}:{node.lineno} imports {module}"
                for module in modules
                if module.startswith("boyi")
                and not module.startswith((*allowed, "boyi.web", "boyi.draw", "boyi.version"))
            ]
    assert not wrong
    assert {"create_game", "play_move", "watch_game", "analyse", "review_game", "compose_position"} <= used


def test_calls_are_seen() -> None:
    source = "service.a\nself.service.b()\nvisit.service.c\nx = other.d\nself._service.e"
    assert sorted(service_calls(source)) == [(1, "a"), (2, "b"), (3, "c"), (5, "e")]


def test_the_overview_lists_everything(server: ServerProcess) -> None:
    page = get(server.api + "/").text
    assert all(f"<code>{name}</code>" in page for name in OPERATIONS)
    assert get(server.api + "/openapi.json").json()["paths"] == DESCRIPTION["paths"]


# The docs


def test_the_table_of_the_docs(at_root: Path) -> None:
    rows = re.findall(
        r"^\| `([A-Z]+ /\S*)` \| `(\w+)` \| (yes|) ?\| (.+) \|$", (at_root / "docs/api.md").read_text(), re.M
    )
    assert rows == [
        (address, name, "yes" if "security" in operation else "", operation["description"].splitlines()[0])
        for name, (address, operation) in OPERATIONS.items()
    ]


def test_the_examples_of_the_docs(
    server: ServerProcess, at_root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every block runs and prints what stands below it, against this server."""
    page = (at_root / "docs" / "api.md").read_text(encoding="utf-8")
    page = page.replace("http://127.0.0.1:8000", server.url).replace(
        "ws://127.0.0.1:8000", server.url.replace("http", "ws", 1)
    )
    blocks = BLOCK.findall(page)
    notebook: dict[str, Any] = {}
    checked = 0
    for (language, content), (following, text) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language == "python":
            exec(compile(content, f"docs/api.md: {content[:40]!r}", "exec"), notebook)
            printed = capsys.readouterr().out
            if following == "text":
                assert printed == text
                checked += 1
        elif language == "console":
            commands = "".join(line[2:] + "\n" for line in content.splitlines() if line.startswith("$ "))
            shown = "".join(line + "\n" for line in content.splitlines() if not line.startswith("$ "))
            ended = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", commands], cwd=tmp_path, capture_output=True, text=True, timeout=60
            )
            # curl ends an answer without a line break
            assert ended.stdout.replace("}", "}\n") == shown, ended.stderr
            checked += 1
    notebook["api"].close()
    assert checked == 7


# Any request at all

schema = schemathesis.openapi.from_dict(DESCRIPTION)
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


@pytest.fixture(scope="session")
def known_game(server: ServerProcess) -> tuple[str, str]:
    """The token of a visitor and the id of a game of theirs."""
    token = post(server.api + "/visitors").json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    wanted = {"rules": "einstein", "seats": ["human", "human"]}
    return token, post(server.api + "/games", json=wanted, headers=headers).json()["id"]


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_any_request(case: schemathesis.Case, server: ServerProcess, known_game: tuple[str, str]) -> None:
    """Generated requests, good and bad, half of them for a game that exists: no 5xx, and answers as described."""
    token, game = known_game
    path = case.path_parameters
    if path and isinstance(path.get("game"), str) and len(path["game"]) % 2:
        path["game"] = game
    shorten(case.body)
    shorten(case.query)
    case.call_and_validate(base_url=server.api, headers={"Authorization": f"Bearer {token}"}, checks=CHECKS, timeout=30)


def shorten(values: object) -> None:
    """Ask for less thinking: what is tested is the asking."""
    if isinstance(values, dict):
        for name in ("seconds", "seconds_per_move"):
            if isinstance(values.get(name), int | float) and values[name] > 0.05:
                values[name] = 0.05
