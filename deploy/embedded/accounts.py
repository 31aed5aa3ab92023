"""Who may log in to an embedded installation: three users of three projects, with passwords made for this run."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

DOMAIN = {"id": "default", "name": "Default"}


@dataclass(frozen=True, slots=True)
class Account:
    """A user with one project; ids are 32 hexadecimal digits, as Keystone makes them."""

    user: str
    user_id: str
    project: str
    project_id: str
    roles: tuple[str, ...]
    password: str = field(default_factory=lambda: secrets.token_urlsafe(18), repr=False)


def _account(user: str, project: str, digit: str, *roles: str) -> Account:
    return Account(user, f"{digit}{1:031x}", project, digit + "0" * 31, roles)


def standard() -> list[Account]:
    """An administrator, a member of each of two tenants, and the service's own user."""
    return [
        _account("admin", "admin", "a", "admin", "manager", "member", "reader"),
        _account("alice", "tenant-a", "b", "member", "reader"),
        _account("bob", "tenant-b", "c", "member", "reader"),
        _account("manila", "service", "d", "service", "admin"),
    ]
