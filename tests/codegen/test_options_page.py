"""The page of the project's own options names each of them, with its default."""

from __future__ import annotations

import copy
from typing import Any

from codegen import options_page
from codegen.__main__ import HERE, PAGE
from codegen.spec import Spec

SPEC = Spec(HERE.parent / "spec")


class Changed:
    """The contract with other options of the project's own."""

    def __init__(self, options: list[dict[str, Any]]) -> None:
        self._options = options

    def file(self, name: str) -> dict[str, Any]:
        assert name == "own-options"
        return {"options": self._options}


def test_the_page_is_that_of_the_generator() -> None:
    assert PAGE.read_text() == options_page.page(SPEC), "run `python -m codegen`"


def test_every_option_has_one_line_with_its_default() -> None:
    lines = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    known = SPEC.file("own-options")["options"]
    assert len(lines) == len(known)
    shown = {line[0].strip("| `"): line[2].strip("` ") for line in lines}
    assert shown.keys() == {one["name"] for one in known}
    assert (shown["kubernetes_state_size_mb"], shown["kubernetes_cni_masks"], shown["tls_key"]) == ("300", "true", "")


def test_an_option_in_a_section_of_a_new_kind_is_not_left_out() -> None:
    options = copy.deepcopy(SPEC.file("own-options")["options"])
    options.append({"section": "<back end>", "name": "new_thing", "type": "str", "default": "a|b", "meaning": "x | y"})
    options.append({"section": "new", "name": "other", "type": "int", "default": 1, "min": 0, "meaning": "z"})
    made = options_page.page(Changed(options))  # type: ignore[arg-type]
    assert r"| `new_thing` | str | `a|b` | X \| y. |" in made and "## `[new]`" in made
    assert "| `other` | int, least 0 | `1` | Z. |" in made
