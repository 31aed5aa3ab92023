"""The application over a real database, asked as the users of the conformance tokens."""

from __future__ import annotations

import pathlib
from collections.abc import Awaitable, Callable
from typing import Any

from api.app import make_app
from api.tokens.static import StaticTokens
from db.connection import Database
from generated.settings import DefaultSection, Settings
from services.core import Core
from services.policy import Policy
from tests.api.client import Answered, Client

TOKENS = pathlib.Path(__file__).parent.parent / "conformance" / "vendored" / "tokens.json"
TENANT_A = "b0000000000000000000000000000000"
TENANT_B = "c0000000000000000000000000000000"
ALICE = "b0000000000000000000000000000001"

Ask = Callable[..., Awaitable[Answered]]


def core_over(db: Database, **options: Any) -> Core:
    """A core with the default configuration, changed by options of the section DEFAULT."""
    settings = Settings(default=DefaultSection(**{"default_share_type": "default", **options}))
    return Core(db, settings, Policy(settings))


def asker(core: Core) -> Ask:
    """``await ask("admin", "GET", "/v2/types", version="2.55")``."""
    app = make_app(core, StaticTokens.read(str(TOKENS)))

    async def ask(who: str, method: str, path: str, body: Any = None, version: str = "2.99", **more: Any) -> Answered:
        return await Client(app, f"{who}-token")(method, path, body, version=version, **more)

    return ask


def refusal(answer: Answered) -> tuple[int, str]:
    """Status and text of a fault."""
    fault = next(iter(answer.json.values()))
    return answer.status, fault["message"]
