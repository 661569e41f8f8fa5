"""The `kernel` decorator: Numba compilation with a disk cache that never serves an edited rule.

Numba's own cache looks at the file of the function it compiles and at nothing else, so an edited callee in
another file, or an edited rule that was specialised into a search kernel, would be served stale. Here the
cache folder of every compiled version is named after a hash of the sources that went into it:

    <cache root>/<sources hash>/                  kernels over the games of this package
    <cache root>/<sources hash>-<user hash>/      kernels over a user's own rules file

The sources hash covers the modules of the package that can have a part in the kernel (`boyi.games.sources`), the user
hash every `.py` file beside the file that defines the rules class. Start at `kernel`.
"""

import contextlib
import functools
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from numba import config, njit, types
from numba.core import caching

from boyi.games.sources import PACKAGE, folder_hash, imported_from, sources_hash

KEEP_DAYS = 30
JIT_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": False, "_nrt": True}
"""The last two are set because a kernel would otherwise inherit them from the caller that compiles it first."""
INLINED: dict[str, Any] = {**JIT_OPTIONS, "forceinline": True}
"""For small functions in inner loops: LLVM alone leaves many of them as calls, at a third of a playout's speed."""
BARE: dict[str, Any] = {**INLINED, "_nrt": False}
"""Also without reference counts, which a tuple of arrays pays for each array at every call: half of a search's time."""

F = TypeVar("F", bound=Callable[..., Any])
_listeners: list[Callable[[str], None]] = []


def kernel(function: F) -> F:
    """Compile a function on first use for each combination of argument types, and keep the result on disk.

    The compiled code releases the GIL. Under `NUMBA_DISABLE_JIT=1` the function stays plain Python.
    """
    return _compiled(function, JIT_OPTIONS)


def inline_kernel(function: F) -> F:
    """A kernel that is compiled into its callers: for the small functions of inner loops."""
    return _compiled(function, INLINED)


def bare_kernel(function: F) -> F:
    """An inline kernel that does not count references, for functions over many arrays. It must not make any array."""
    return _compiled(function, BARE)


def bare_call(function: F) -> F:
    """A bare kernel that stays a call: for functions over many arrays that are large or used in many places."""
    return _compiled(function, {**BARE, "forceinline": False})


def _compiled(function: F, options: dict[str, Any]) -> F:
    dispatcher: Any = njit(**options)(function)
    if not getattr(config, "DISABLE_JIT"):  # noqa: B009 (made at run time)
        dispatcher._cache = _SourceKeyedCache(function)
    return dispatcher  # type: ignore[no-any-return]


def on_compile(listener: Callable[[str], None]) -> None:
    """Call `listener(function name)` whenever a kernel is about to be compiled because no cached version exists."""
    _listeners.append(listener)


@functools.cache
def cache_root() -> Path:
    """The folder of all compiled code: `BOYI_CACHE_DIR`, or `boyi` in the user's cache folder."""
    if chosen := os.environ.get("BOYI_CACHE_DIR"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base).expanduser() / "boyi"


def _module_hash(module: object) -> str | None:
    """The hash of a module's sources: "" within this package, None where there is no source file to hash.

    A rules file that `boyi.games.registry` loaded brings the hash of the text it was loaded from.
    """
    if known := getattr(module, "__boyi_sources__", None):
        return str(known)
    return _file_hash(Path(getattr(module, "__file__", None) or ""))


@functools.cache
def _file_hash(file: Path) -> str | None:
    if not file.is_file():
        return None
    return "" if file.resolve().is_relative_to(PACKAGE) else folder_hash(file.resolve().parent)


def _rules_classes(kind: object) -> Iterator[type]:
    """The NamedTuple classes within a Numba type."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class  # type: ignore[attr-defined]
    for part in getattr(kind, "types", ()) if isinstance(kind, types.BaseTuple) else ():
        yield from _rules_classes(part)


class _Locator(caching._CacheLocator):
    """Where one source key's files lie."""

    def __init__(self, key: str) -> None:
        self.key = key

    def get_cache_path(self) -> str:
        return str(cache_root() / self.key)

    def ensure_cache_path(self) -> None:
        folder = Path(self.get_cache_path())
        if not folder.exists():
            prune_cache()
            folder.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        return self.key

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def from_function(cls, py_func: object, py_file: str) -> None:
        raise NotImplementedError("made by _SourceKeyedCache only")


class _KeyedImpl(caching.CompileResultCacheImpl):
    def __init__(self, function: Callable[..., Any], key: str) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(key)
        name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._filename_base = f"{name}-{self._lineno}"


class _KeyedCache(caching.FunctionCache):
    def __init__(self, function: Callable[..., Any], key: str) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _KeyedImpl(function, key)
        self._cache_path = self._impl.locator.get_cache_path()
        self._cache_file = caching.IndexDataCacheFile(self._cache_path, self._impl.filename_base, key)
        self.enable()


class _SourceKeyedCache(caching._Cache):
    """One Numba function cache for each set of sources that the argument types bring in."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.module = sys.modules.get(function.__module__)
        self.caches: dict[str, caching._Cache] = {}

    def _cache(self, signature: tuple[types.Type, ...]) -> caching._Cache:
        classes = {found.__module__ for kind in signature for found in _rules_classes(kind)}
        modules = [self.module, *(sys.modules.get(name) for name in classes)]
        hashes, roots = set[str](), set[str]()
        for module in modules:
            version = _module_hash(module)
            if module is None or version is None:  # typed into a console or a notebook: compiled anew in each process
                return caching.NullCache()
            if version:
                hashes.add(version)
                roots |= imported_from(Path(str(module.__file__)).parent, version)
            else:
                roots.add(module.__name__)
        key = "-".join([sources_hash(roots), *sorted(hashes)])
        if key not in self.caches:
            self.caches[key] = _KeyedCache(self.function, key)
        return self.caches[key]

    @property
    def cache_path(self) -> str:
        return str(cache_root())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        cache = self._cache(sig)
        try:
            found = cache.load_overload(sig, target_context)
        except Exception:  # a damaged file costs a compilation, whatever way it fails to load
            found = None
            with contextlib.suppress(OSError):
                cache.flush()
        if found is None:
            for listener in _listeners:
                listener(self.function.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # a read-only or full disk costs a compilation in the next process
            self._cache(sig).save_overload(sig, data)

    def enable(self) -> None:
        for cache in self.caches.values():
            cache.enable()

    def disable(self) -> None:
        for cache in self.caches.values():
            cache.disable()

    def flush(self) -> None:
        for cache in self.caches.values():
            cache.flush()


def prune_cache() -> None:
    """Delete compiled code of earlier sources that was not used for `KEEP_DAYS` days."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in cache_root().glob("*"):
        ours = re.fullmatch(r"[0-9a-f]{16}(-[0-9a-f]+)*", folder.name)  # the root may hold other things
        if ours and folder.is_dir() and max((f.stat().st_atime for f in folder.iterdir()), default=0) < oldest:
            shutil.rmtree(folder, ignore_errors=True)
