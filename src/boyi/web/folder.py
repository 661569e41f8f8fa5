"""Where the app keeps what must outlive it: the database, and the secret that signs cookies."""

import os
import secrets
from pathlib import Path


def data_folder() -> Path:
    """The user's folder for Boyi, made where it is missing: `BOYI_DATA_DIR`, or `boyi` among the user's other data."""
    named = os.environ.get("BOYI_DATA_DIR")
    shared = os.environ.get("XDG_DATA_HOME")
    folder = Path(named) if named else Path(shared or Path.home() / ".local" / "share") / "boyi"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder.resolve()


def database_url(folder: Path) -> str:
    """The SQLite database of a data folder."""
    return f"sqlite:///{folder / 'boyi.db'}"


def cookie_secret(folder: Path) -> str:
    """The secret of a data folder, drawn once, readable by its owner only; so logins hold over restarts."""
    file = folder / "secret"
    try:
        return file.read_text(encoding="ascii")
    except FileNotFoundError:
        drawn = secrets.token_urlsafe(32)
    draft = folder / f"secret.{os.getpid()}"
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
        out.write(drawn)
    draft.replace(file)
    return drawn
