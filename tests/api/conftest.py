"""An application without a database: enough for everything before a handler."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, cast

import pytest
from fastapi import FastAPI

from api.app import make_app
from api.tokens.static import StaticTokens
from db.connection import Database
from generated.settings import KeystoneAuthtokenSection, Settings
from services.core import Core
from services.policy import Policy

TOKENS = pathlib.Path(__file__).parent.parent / "conformance" / "vendored" / "tokens.json"


@pytest.fixture
def settings() -> Settings:
    return Settings(
        keystone_authtoken=KeystoneAuthtokenSection(www_authenticate_uri="http://keystone.example/identity")
    )


@pytest.fixture
def core(settings: Settings) -> Core:
    """A core whose database nobody may touch."""
    return Core(cast("Database", None), settings, Policy(settings))


@pytest.fixture
def app(core: Core) -> FastAPI:
    return make_app(core, StaticTokens.read(str(TOKENS)))


def behind_proxy(core: Core, **options: Any) -> Core:
    """The same where a proxy's headers are believed; ``options`` are of the section openkeel."""
    settings = dataclasses.replace(
        core.settings,
        oslo_middleware=dataclasses.replace(core.settings.oslo_middleware, enable_proxy_headers_parsing=True),
        openkeel=dataclasses.replace(core.settings.openkeel, **options),
    )
    return dataclasses.replace(core, settings=settings)


@pytest.fixture
def proxied(core: Core) -> FastAPI:
    return make_app(behind_proxy(core), StaticTokens.read(str(TOKENS)))
