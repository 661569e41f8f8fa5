"""How Sphinx builds these pages: `make docs`, into `build/docs/`."""

import sys
from pathlib import Path

from boyi.version import __version__

sys.path.insert(0, str(Path(__file__).parent))

project = "Boyi (博弈)"
author = "the Boyi team"
release = __version__
language = "en"
extensions = ["myst_parser", "notebook_pages", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "separated"
html_theme = "furo"
html_title = "Boyi"
exclude_patterns = ["notebook_pages.py", "pictures.py"]
