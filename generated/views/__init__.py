"""Rows to answers: ``shares.SHARE[call.version](row, call.see)``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations
