"""Python packages in an environment of their own."""

import subprocess
import tarfile
import venv
from collections.abc import Sequence
from pathlib import Path


def python_with(folder: Path, packages: Sequence[str], alone: Sequence[str] = ()) -> Path:
    """A Python in the folder that has the packages, and others without what they require."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet"]
    if packages:
        subprocess.run([*pip, *packages], check=True)
    if alone:
        subprocess.run([*pip, "setuptools==75.8.0", "wheel==0.48.0"], check=True)
        (installed(python) / "ez_setup.py").write_text("def use_setuptools(): pass\n")  # asked for by othellotk
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", *alone], check=True)
    return python


def installed(python: Path) -> Path:
    """Where the packages of a Python are."""
    found = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return Path(subprocess.run(found, check=True, capture_output=True, text=True).stdout.strip())


def source_of(python: Path, package: str, folder: Path) -> Path:
    """The source of a package NAME==VERSION, with files that are not installed, unpacked in the folder."""
    words = ["download", "--quiet", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--dest", folder]
    subprocess.run([python, "-m", "pip", *words, package], check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as files:
        files.extractall(folder, filter="data")
    return folder / package.replace("==", "-")
