"""Tokens for our own requests to Neutron: a fixed one, or Keystone's through any keystoneauth1 plugin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from keystoneauth1 import exceptions, loading
from keystoneauth1.session import Session

from generated.errors import NetworkBadConfigurationException, NetworkException
from network.base import Unavailable

AWAY = (exceptions.ConnectFailure, exceptions.ConnectTimeout, exceptions.HttpServerError)
"""Errors that say nothing about what was asked: Keystone is away or broken."""
Token = Callable[[bool], Awaitable[str]]
"""Gives a token; True asks for a new one because the last was refused."""
Project = Callable[[], Awaitable[str]]
"""Gives the id of the project for which the tokens are."""
T = TypeVar("T")


def fixed(token: str) -> Token:
    """Always the same token (``auth_type = admin_token``)."""

    async def give(fresh: bool) -> str:
        return token

    return give


def known(project_id: str) -> Project:
    """A project that the configuration names: a fixed token does not say its own."""

    async def give() -> str:
        return project_id

    return give


class KeystoneTokens:
    """Tokens of a keystoneauth1 plugin, fetched in a thread; the plugin itself keeps a token until it expires.

    Args:
        auth_type: name of the plugin, such as ``password`` or ``v3applicationcredential``.
        values: the plugin's options by name with underscores; unknown ones and None are left out.
        verify: as for ``requests``: False, True, or the path of the CA file.
    """

    def __init__(
        self,
        auth_type: str,
        values: Mapping[str, Any],
        *,
        verify: bool | str = True,
        cert: tuple[str, str] | None = None,
        timeout: float | None = None,
    ) -> None:
        try:
            loader: Any = loading.get_plugin_loader(auth_type)
            names = {option.dest for option in loader.get_options()}
            given = {key: value for key, value in values.items() if key in names and value is not None}
            self._plugin = loader.load_from_options(**given)
        except (exceptions.NoMatchingPlugin, exceptions.MissingRequiredOptions, exceptions.OptionError) as error:
            raise NetworkBadConfigurationException(reason=f"section neutron: {error}") from error
        self._project: str | None = None
        self._session = Session(auth=self._plugin, verify=verify, cert=cert, timeout=timeout)

    async def __call__(self, fresh: bool) -> str:
        """See ``Token``. Raises NetworkException when Keystone refuses, Unavailable when it can't be reached."""
        return await self._asked("token", lambda: self._get(fresh))

    async def project(self) -> str:
        """See ``Project``. Raises as ``__call__``, also for a token that is for no project."""
        if self._project is None:
            self._project = await self._asked("project", self._session.get_project_id)
        if not self._project:
            raise NetworkException("the account of section neutron has a token for no project", code=503)
        return self._project

    async def _asked(self, what: str, ask: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(ask)
        except AWAY as error:
            raise Unavailable(f"no {what} for Neutron: {error}", code=503) from error
        except exceptions.ClientException as error:
            raise NetworkException(f"no {what} for Neutron: {error}", code=503) from error

    def _get(self, fresh: bool) -> str:
        if fresh:
            self._session.invalidate()
        return str(self._session.get_token() or "")

    async def endpoint(self, interface: str, region: str | None) -> str:
        """URL of the network service in the catalogue.

        Raises:
            Unavailable: Keystone can't be reached. NetworkException: it refuses, or there is none.
        """

        def look_up() -> str | None:
            found = self._session.get_endpoint(service_type="network", interface=interface, region_name=region)
            return None if found is None else str(found)

        found = await self._asked("catalogue", look_up)
        if found is None:
            raise NetworkException("the catalogue has no network service", code=503)
        return found
