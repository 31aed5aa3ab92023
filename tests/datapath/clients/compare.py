"""What a share answers beside the guest's own file system, and the documented limits that explain a difference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

LIMITS: Final = Path(__file__).parent / "limits.yaml"


@dataclass(frozen=True, slots=True)
class Difference:
    """A question that the two answered differently.

    Attributes:
        operation: its name, or that of a pair.
        question: key in the operation's answer; of a pair, number of the step from 1.
        local: answer of the guest's own file system.
        share: answer of the share.
    """

    operation: str
    question: str
    local: Any
    share: Any

    def __str__(self) -> str:
        return (
            f"{self.operation} | {self.question}: {str(self.local)[:300]} locally, {str(self.share)[:300]} on the share"
        )


@dataclass(frozen=True, slots=True)
class Limit:
    """Differences that are documented.

    Attributes:
        operation: its name.
        questions: of that operation; ``all`` for each.
        reason: why, for docs/nfs-clients.md.
        share: what the share answers; None if that differs from run to run.
        kernels: those that differ; none named: all.
        versions: of NFS, those that differ; none named: all.
        always: whether each of the questions must differ, so that a limit that is gone is noticed.
    """

    operation: str
    questions: tuple[str, ...]
    reason: str
    share: Any = None
    kernels: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    always: bool = True

    def applies(self, kernel: str, version: str) -> bool:
        """Whether it is one of that kernel with that version of NFS."""
        return (not self.kernels or kernel in self.kernels) and (not self.versions or version in self.versions)

    def explains(self, found: Difference) -> bool:
        """Whether the difference is this one."""
        asked = self.operation == found.operation and (self.questions == ("all",) or found.question in self.questions)
        return asked and (self.share is None or self.share == found.share)


def limits() -> list[Limit]:
    """All documented limits."""
    entries: list[dict[str, Any]] = yaml.safe_load(LIMITS.read_text())
    tuples = ("questions", "kernels", "versions")
    for entry in entries:
        entry.update({key: tuple(map(str, entry[key])) for key in tuples if key in entry})
    return [Limit(**entry) for entry in entries]


def differences(operation: str, local: Mapping[str, Any], share: Mapping[str, Any]) -> list[Difference]:
    """What differs between two outcomes of an operation; one that failed differs as a whole."""
    if "answer" not in local or "answer" not in share:
        return [Difference(operation, "outcome", local.get("failed", "done"), share.get("failed", "done"))]
    one, other = local["answer"], share["answer"]
    return [
        Difference(operation, key, one.get(key), other.get(key))
        for key in dict.fromkeys([*one, *other])
        if one.get(key) != other.get(key)
    ]


def judged(found: Iterable[Difference], ran: Iterable[str], kernel: str, version: str) -> list[str]:
    """Lines about what is wrong: differences without a limit, limits of what ran that are gone."""
    found, ran = list(found), set(ran)
    known = [limit for limit in limits() if limit.applies(kernel, version) and limit.operation in ran]
    wrong = [str(one) for one in found if not any(limit.explains(one) for limit in known)]
    for limit in known:
        seen = {one.question for one in found if limit.explains(one)}
        if limit.always and not (seen if limit.questions == ("all",) else seen >= set(limit.questions)):
            gone = ", ".join(sorted(set(limit.questions) - seen))
            wrong.append(f"{limit.operation} | {gone}: the limit is gone, take it out of {LIMITS.name}")
    return wrong
