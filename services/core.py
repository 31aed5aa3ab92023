"""What every part of the running service is given: database, settings and policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from db.connection import Database

if TYPE_CHECKING:
    from generated.settings import Settings
    from services.policy import Policy


@dataclass(slots=True)
class Core:
    """The parts behind all operations. One per process; ``settings`` is replaced as a whole, never changed."""

    db: Database
    settings: Settings
    policy: Policy
