"""Settings of the documentation build."""

project = "openkeel-manila"
extensions = ["myst_parser"]
html_theme = "alabaster"
exclude_patterns: list[str] = []
myst_heading_anchors = 3
