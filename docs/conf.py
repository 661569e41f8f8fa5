"""How Sphinx builds these pages: `make docs`, into `build/docs/`."""

from boyi.version import __version__

project = "Boyi (博弈)"
author = "the Boyi team"
release = __version__
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "separated"
html_theme = "furo"
html_title = "Boyi"
exclude_patterns = ["pictures.py"]
