"""Takes pictures of boards for web pages that nobody here wrote: `python tests/vision/take_web_screens.py FOLDER`.

Needs Chromium and npm. The packages of `PACKAGES` go into FOLDER/node_modules and nowhere else, and are shown by
Chromium from a server on this computer; each picture is FOLDER/NAME.png. Go boards show positions of Gomoku.
What stands on the boards is in `screens/screens.toml`.
"""

import functools
import json
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "web"))
from browsing import ARGUMENTS, chromium

PACKAGES = (
    "besogo@0.0.2-alpha",
    "@sabaki/shudan@1.7.1",
    "preact@10",
    "@chrisoakman/chessboardjs@1.0.0",
    "jquery@3",
)
BLACK = ["hh", "ig", "ii", "gg", "jh", "hj", "ee"]
WHITE = ["hg", "gh", "jf", "ff", "hi", "fi", "kh"]
SGF = "".join(
    ("(;GM[1]FF[4]SZ[15]AB", *(f"[{point}]" for point in BLACK), "AW", *(f"[{point}]" for point in WHITE), ")")
)
SIGNS = [[(f"{x}{y}" in BLACK) - (f"{x}{y}" in WHITE) for x in "abcdefghijklmno"] for y in "abcdefghijklmno"]
HEAD = "<!doctype html><meta charset=utf-8><title>Board</title>"


def besogo(theme: str) -> str:
    return f"""{HEAD}<link rel=stylesheet href=/besogo/css/besogo.css>
<link rel=stylesheet href=/besogo/css/board-{theme}.css><script src=/besogo/besogo.all.js></script>
<body style="margin:30px"><div class=besogo-viewer style="width:760px;height:560px" resize=fixed>{SGF}</div>
<script>besogo.autoInit()</script>"""


SHUDAN = f"""{HEAD}<link rel=stylesheet href=/@sabaki/shudan/css/goban.css>
<script type=importmap>{{"imports": {{"preact": "/preact/dist/preact.module.js",
"preact/hooks": "/preact/hooks/dist/hooks.module.js", "classnames": "/classes.js"}}}}</script>
<body style="margin:40px;background:#e8ecef"><div id=at></div><script type=module>
import {{ h, render }} from "preact";
import {{ Goban }} from "/@sabaki/shudan/src/main.js";
const markerMap = {json.dumps(SIGNS)}.map((row) => row.map(() => null));
markerMap[7][10] = {{ type: "circle" }};
render(h(Goban, {{ vertexSize: 32, signMap: {json.dumps(SIGNS)}, markerMap, showCoordinates: true,
  fuzzyStonePlacement: true }}), document.getElementById("at"));
</script>"""
CLASSES = """export default (...parts) => parts.flatMap((part) => !part ? [] : typeof part === "string" ? [part]
  : Object.entries(part).filter(([, on]) => on).map(([name]) => name)).join(" ");"""
CHESS = f"""{HEAD}<link rel=stylesheet href=/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.css>
<script src=/jquery/dist/jquery.js></script><script src=/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.js></script>
<body style="margin:40px"><div id=at style="width:480px"></div>
<script>Chessboard("at", {{ position: "start", pieceTheme: (piece) => "data:image/svg+xml," + encodeURIComponent(
`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><text x='20' y='32' font-size='34' text-anchor='middle'>`
+ "♔♕♖♗♘♙♚♛♜♝♞♟"[(piece[0] === "b" ? 6 : 0) + "KQRBNP".indexOf(piece[1])] + "</text></svg>") }})</script>"""
PAGES = {
    "besogo-flat": besogo("flat"),
    "besogo-wood": besogo("wood"),
    "besogo-dark": besogo("dark"),
    "shudan": SHUDAN,
    "chessboardjs": CHESS,
}


class Handler(SimpleHTTPRequestHandler):
    """The pages above, and the packages."""

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if name in PAGES or name == "classes.js":
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if name in PAGES else "text/javascript")
            self.end_headers()
            self.wfile.write(PAGES.get(name, CLASSES).encode())
        else:
            super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
    subprocess.run(command, cwd=folder, check=True)
    handler = functools.partial(Handler, directory=str(folder / "node_modules"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 900, "height": 640})
        for name in PAGES:
            page.goto(f"{address}/{name}")
            page.wait_for_timeout(1500)
            page.screenshot(path=folder / f"{name}.png")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
