"""Pass lists: what of each suite passes on a share, and which failures are documented."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

from tests.datapath.clients.suites.running import Outcome

HERE: Final = Path(__file__).parent / "expected"


def judged(suite: str, share: Outcome, local: Outcome) -> list[str]:
    """Lines about what is wrong: failures that are neither documented nor the local file system's, and what is gone.

    A test that the list says passes has to run: a suite that stops early is no pass.
    """
    listed: dict[str, Any] = yaml.safe_load((HERE / f"{suite}.yaml").read_text())
    known: dict[str, str] = listed.get("failures") or {}
    wrong = [
        f"{name} fails on the share: {text}"
        for name, text in share.failed.items()
        if name not in known and name not in local.failed
    ]
    wrong += [f"{name} passes: take it out of the failures of {suite}.yaml" for name in known if name in share.passed]
    ran = {*share.passed, *share.failed}
    wrong += [f"{name} did not run" for name in listed.get("passes") or () if name not in ran]
    return wrong
