"""Which source files have a part in a compiled kernel: what its cache is keyed by. Start at `sources_hash`.

A kernel is made of the module it stands in, of the modules of its arguments' classes, and of all that these import,
directly or not. A module that implements a generic rule for another module's class (`@rule(legal, Class)`) has a part
wherever that class has one. Only the folders named in `LAYERS` hold kernels; an edit anywhere else, or in a module that
no kernel imports, leaves all compiled code valid.
"""

import functools
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
LAYERS = ("games", "search", "exact", "quick")
"""The folders with kernels, lowest first: a kernel calls its own layer and those below, besides its rules."""

_FROM = re.compile(r"^\s*from\s+(boyi[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_IMPORT = re.compile(r"^\s*import\s+(boyi[\w.]*)", re.MULTILINE)
_RULE = re.compile(r"^\s*@rule\(\s*[\w.]+\s*,([^)]*)\)", re.MULTILINE)


def sources_hash(modules: Iterable[str]) -> str:
    """A hash of the package's sources that kernels over these modules are made of."""
    return _closure_hash(frozenset(modules))


def folder_hash(folder: Path) -> str:
    """A hash of the `.py` files directly in a folder: what a user's rules file may import from its side."""
    return _hash(sorted(folder.glob("*.py")), folder)


@functools.cache
def _closure_hash(roots: frozenset[str]) -> str:
    return _hash(sorted(_files()[name] for name in closure(roots)), PACKAGE)


def closure(roots: Iterable[str]) -> set[str]:
    """The modules of the layers that the given ones are made of. Anything else may be made of all of them."""
    known, links = _files(), _links()
    waiting, found = list(roots), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in known:
            return set(known)
        if name not in found:
            found.add(name)
            waiting += links[name]
    return found


@functools.cache
def _files() -> dict[str, Path]:
    """The modules of the layers by name."""
    found = {}
    for layer in LAYERS:
        for file in sorted((PACKAGE / layer).rglob("*.py")):
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@functools.cache
def _links() -> dict[str, set[str]]:
    """What each module of the layers is made of, one step away."""
    links: dict[str, set[str]] = {name: set() for name in _files()}
    for name, file in _files().items():
        text = file.read_text("utf-8")
        origins = _origins(text)
        links[name] |= {origin for origin in origins.values() if origin in links}
        for names in _RULE.findall(text):
            for part in names.split(","):
                home = origins.get(part.strip().partition(".")[0])
                if home in links:
                    links[home].add(name)
    return links


@functools.cache
def imported_from(folder: Path, version: str) -> set[str]:
    """The modules of this package that the `.py` files of a user's folder import; `version` is the hash of these."""
    found = set[str]()
    for file in folder.glob("*.py"):
        found |= set(_origins(file.read_text("utf-8", errors="replace")).values())
    return found


def _origins(text: str) -> dict[str, str]:
    """The module of this package that each imported name of a source text comes from."""
    known = _files()
    origins = {name: name for name in _IMPORT.findall(text)}
    for base, names in _FROM.findall(text):
        for part in names.strip("()").split("#")[0].split(",") if "\n" not in names else _plain(names):
            name, _, alias = (word.strip() for word in part.partition(" as "))
            if name:
                origins[alias or name] = f"{base}.{name}" if f"{base}.{name}" in known else base
    return origins


def _plain(names: str) -> list[str]:
    """The names of an import over several lines, without its comments."""
    return re.sub(r"#[^\n]*", "", names.strip("()")).split(",")


def _hash(files: list[Path], root: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(root)).encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
