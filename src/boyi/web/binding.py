"""Where the server listens, and who may reach it there. Loads nothing else, so that wrong options are told at once."""

import ipaddress
import socket


def is_loopback(host: str) -> bool:
    """Whether a name or address means this computer and nothing else."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int, *, password: str | None = None) -> socket.socket:
    """A socket bound to an address, or why not: one that others can reach needs a password."""
    if not is_loopback(host) and not password:
        raise ValueError(
            f"--host {host} lets other computers in, so the app needs a password: "
            "give --password-file FILE or set BOYI_PASSWORD"
        )
    if not 0 <= port <= 65535:
        raise ValueError(f"--port is a number from 0 to 65535, not {port}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise ValueError(f"--host {host!r} is no address of this computer: {error}") from None
    bound = socket.socket(found[0], socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(found[4])
        bound.listen()
    except OSError as error:
        bound.close()
        raise OSError(f"cannot listen at {host} port {port}: {error.strerror}; try --port 0 for a free one") from None
    return bound


def address_of(host: str, bound: socket.socket) -> str:
    """What to type into a browser on this computer."""
    shown = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}/"
