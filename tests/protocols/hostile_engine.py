"""An engine that does everything wrong: `hostile_engine.py PROTOCOL MODE`.

It speaks as much of the protocol as is needed to get to a move, then fails as the mode says; modes that begin with
`start-` fail before the first answer.
"""

import json
import os
import signal
import subprocess
import sys
import time

GREETINGS = {
    "gtp": {"protocol_version": "= 2\n", "list_commands": "= play\ngenmove\n", "": "=\n"},
    "nboard": {"ping": "pong {0}", "": None},
    "gomocup": {"START": "OK", "": None},
    "ewn": {"get": None, "": "1"},
    "connect6": {"name?": "name hostile", "": None},
    "json": {"hello": '{"id": "hello", "action": "version"}', "": None},
    "botzone": {"": None},
}
QUESTIONS = ("genmove", "go", "BEGIN", "TURN", "BOARD", "get", "new", "move", '{"requests"')
ILLEGAL = {
    "gtp": "= a1\n",
    "nboard": "=== A1/0/0",
    "gomocup": "7,7",
    "ewn": "E5 A1",
    "connect6": "move JJ@@",
    "json": '{"id": "1", "during": false, "move": "z9"}',
    "botzone": '{"response": {"x": 0, "y": 0}}',
}


def write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave(protocol: str, mode: str) -> None:
    if mode in ("silent", "stubborn"):
        time.sleep(1000)
    elif mode == "crash":
        sys.stderr.write("Segmentation fault, nearly\n")
        sys.stderr.flush()
        os._exit(3)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "closes":
        os.close(1)
        time.sleep(1000)
    elif mode == "garbage":
        write("Lorem ipsum dolor sit amet")
        time.sleep(1000)
    elif mode == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\x00\x80\n\n")
        sys.stdout.flush()
        time.sleep(1000)
    elif mode == "flood":
        while True:
            sys.stdout.write("info thinking very hard about it\n" * 1000)
    elif mode == "log-flood":
        while True:
            sys.stderr.write("thinking very hard about it\n" * 1000)
    elif mode == "long-line":
        while True:
            sys.stdout.write("x" * 100_000)
    elif mode == "illegal":
        write(ILLEGAL[protocol])
    elif mode == "refuse":
        write({"gtp": "? cannot\n", "gomocup": "ERROR cannot", "json": '{"id": "1", "error": "cannot"}'}[protocol])


def resist() -> None:
    """Ignore signals, start a child, and tell the numbers of both."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    sys.stderr.write(f"pids {os.getpid()} {child.pid}\n")
    sys.stderr.flush()


def main(protocol: str, mode: str) -> None:
    if mode.startswith("start-"):
        misbehave(protocol, mode.removeprefix("start-"))
    if mode == "stubborn":
        resist()
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if protocol == "json" and "action" in json.loads(line):
            word = json.loads(line)["id"]
        asked = line.startswith('{"id"') and protocol == "json" and word != "hello"
        if asked or line.startswith(QUESTIONS):
            misbehave(protocol, mode)
            continue
        known = GREETINGS[protocol]
        answer = known.get(word, known[""])
        if answer is not None:
            write(answer.format(*line.split()[1:]) if protocol == "nboard" else answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
