"""`boyi doctor`: what this installation has, what is missing, and how to get it."""

import importlib.metadata
import os
import platform
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

import boyi
from boyi.cli.output import print_json, print_table
from boyi.games.kernels import cache_root

NEEDED = (
    "numpy",
    "numba",
    "onnxruntime",
    "cyclopts",
    "rich",
    "resvg_py",
    "fastapi",
    "nicegui",
    "sqlalchemy",
    "uvicorn",
    "httpx",
    "websockets",
)
EXTRAS = {
    "train": ("torch", "onnx", "safetensors", "tensorboard"),
    "cluster": ("ray",),
    "postgres": ("psycopg",),
    "adapters": ("pettingzoo", "gymnasium"),
    "vision": ("opencv-python-headless", "mss"),
    "dev": ("pytest", "open_spiel"),
}


def doctor(*, json: Annotated[bool, Parameter(negative="")] = False, seed: int = 0) -> None:
    """Show versions, cores, the state of the compile cache, and what is missing and how to get it.

    Parameters
    ----------
    json
        Print the report as JSON.
    seed
        Not used: nothing here is random.
    """
    report = examine()
    if json:
        print_json(report)
        return
    rows = [["boyi", report["boyi"], ""], ["python", report["python"], ""], ["cores", str(report["cores"]), ""]]
    for package, found in report["packages"].items():
        rows.append([package, found["version"] or "missing", found["remedy"]])
    cache = report["cache"]
    state = f"{cache['files']} compiled kernels, {cache['megabytes']:.1f} MB"
    rows.append(["compile cache", state if cache["writable"] else "not writable", cache["remedy"] or cache["folder"]])
    print_table(["what", "found", "remark"], rows)


def examine() -> dict[str, Any]:
    """The report as data."""
    packages = {name: _package(name, "make setup, or pip install boyi") for name in NEEDED}
    for extra, names in EXTRAS.items():
        packages |= {name: _package(name, f"make setup, or pip install 'boyi[{extra}]'") for name in names}
    folder = cache_root()
    files = list(folder.glob("*/*.nbc"))
    writable = _writable(folder)
    return {
        "boyi": boyi.__version__,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "packages": packages,
        "cache": {
            "folder": str(folder),
            "writable": writable,
            "files": len(files),
            "megabytes": sum(file.stat().st_size for file in files) / 1e6,
            "remedy": "" if writable else "set BOYI_CACHE_DIR to a folder that can be written, or every start compiles",
        },
        "interpreted": os.environ.get("NUMBA_DISABLE_JIT") == "1",
        "executable": sys.executable,
    }


def _package(name: str, remedy: str) -> dict[str, str | None]:
    try:
        return {"version": importlib.metadata.version(name), "remedy": ""}
    except importlib.metadata.PackageNotFoundError:
        return {"version": None, "remedy": remedy}


def _writable(folder: Path) -> bool:
    """Whether the folder, or the nearest parent that exists, can be written."""
    path = os.path.abspath(folder)
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return os.access(path, os.W_OK)
