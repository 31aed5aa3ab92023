"""Rows to answers.

A view is ``shares.SHARE[call.version](row, call.see)``: the family in capitals, the minor version.
Fields come from the row's column of the same name, or from what ``spec/views`` says. Fields that a rule hides
are
missing, or null, unless ``see`` has the rule.
"""

from __future__ import annotations
