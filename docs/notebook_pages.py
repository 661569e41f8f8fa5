"""Notebooks as pages: Sphinx reads an `.ipynb` file as Markdown with its stored outputs, and this module stores them.

    python docs/notebook_pages.py docs/notebooks/first-steps.ipynb

runs the cells of a notebook in order, in one namespace, and writes what they print and show into the file, as Jupyter
does; only text and SVG are kept. A notebook that is run so gives the same file again, which the tests check.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

Cell = dict[str, Any]


def page(text: str) -> str:
    """A notebook's JSON as MyST Markdown."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            parts += [_shown(output) for output in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _shown(output: Cell) -> str:
    """A stored output as Markdown: a picture where there is one, else the text."""
    data = output.get("data", {"text/plain": output.get("text", [])})
    if "image/svg+xml" in data:
        return f"```{{raw}} html\n{''.join(data['image/svg+xml'])}\n```"
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def run(text: str, name: str = "notebook") -> str:
    """A notebook's JSON with the outputs of its cells made anew."""
    notebook = json.loads(text)
    module = ModuleType(name)
    sys.modules[name] = module
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = outputs("".join(cell["source"]), vars(module), count)
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def outputs(source: str, names: dict[str, Any], count: int) -> list[Cell]:
    """What a cell prints, and what its last line is worth if it is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {count}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    found: list[Cell] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(True)
        found.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return found


def setup(app: Any) -> None:
    """The hook by which Sphinx gets a notebook as Markdown."""

    def read(_: Any, name: str, source: list[str]) -> None:
        if str(app.env.doc2path(name)).endswith(".ipynb"):
            source[0] = page(source[0])

    app.connect("source-read", read)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        file = Path(argument)
        file.write_text(run(file.read_text(encoding="utf-8")), encoding="utf-8")
