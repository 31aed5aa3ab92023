"""Who asks: the identity behind one request or one background task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from generated.errors import PolicyNotAuthorized


class PolicyDecider(Protocol):
    """Decides a rule for credentials and a target; implemented by ``services.policy``."""

    def decide(self, rule: str, target: Mapping[str, Any], creds: Mapping[str, Any]) -> bool: ...


@dataclass(frozen=True, slots=True)
class Context:
    """Identity of a request: ids are opaque text, roles are names as Keystone sends them."""

    user_id: str | None
    project_id: str | None
    roles: tuple[str, ...]
    request_id: str
    policy: PolicyDecider
    creds: Mapping[str, Any]
    is_admin: bool
    """The rule ``context_is_admin`` holds: rows of every project are visible."""
    token: str | None = field(default=None, repr=False)

    @property
    def scope(self) -> str | None:
        """The project whose rows the requester may see; None: those of every project.

        A token without a project sees nobody's rows, not everybody's.
        """
        return None if self.is_admin else self.project_id or ""

    def allows(self, rule: str, target: Mapping[str, Any] | None = None) -> bool:
        """Whether policy ``rule`` holds; without a target the requester's own project and user are it."""
        return self.policy.decide(rule, self.own if target is None else target, self.creds)

    def enforce(self, rule: str, target: Mapping[str, Any] | None = None) -> None:
        """Raise ``PolicyNotAuthorized`` (403) unless policy ``rule`` holds."""
        if not self.allows(rule, target):
            raise PolicyNotAuthorized(action=rule)

    @property
    def own(self) -> dict[str, str | None]:
        """The target that stands for the requester's own things."""
        return {"project_id": self.project_id, "user_id": self.user_id}
