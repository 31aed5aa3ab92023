"""Written by the generator from ``spec/``; committed, never edited. It imports nothing of the project."""
