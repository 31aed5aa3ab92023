"""Tokens for our own requests to Neutron: a fixed one, or Keystone's through any keystoneauth1 plugin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from keystoneauth1 import exceptions, loading
from keystoneauth1.session import Session

from generated.errors import NetworkBadConfigurationException, NetworkException
from network.base import Unavailable

AWAY = (exceptions.ConnectFailure, exceptions.ConnectTimeout, exceptions.HttpServerError)
"""Errors that say nothing about what was asked: Keystone is away or broken."""
Token = Callable[[bool], Awaitable[str]]
"""Gives a token; True asks for a new one because the last was refused."""


def fixed(token: str) -> Token:
    """Always the same token (``auth_type = admin_token``)."""

    async def give(fresh: bool) -> str:
        return token

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
        self._session = Session(auth=self._plugin, verify=verify, cert=cert, timeout=timeout)

    async def __call__(self, fresh: bool) -> str:
        """See ``Token``. Raises NetworkException when Keystone refuses, Unavailable when it can't be reached."""
        try:
            return await asyncio.to_thread(self._get, fresh)
        except AWAY as error:
            raise Unavailable(f"no token for Neutron: {error}", code=503) from error
        except exceptions.ClientException as error:
            raise NetworkException(f"no token for Neutron: {error}", code=503) from error

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

        try:
            found = await asyncio.to_thread(look_up)
        except AWAY as error:
            raise Unavailable(f"no catalogue for Neutron: {error}", code=503) from error
        except exceptions.ClientException as error:
            raise NetworkException(f"no catalogue for Neutron: {error}", code=503) from error
        if found is None:
            raise NetworkException("the catalogue has no network service", code=503)
        return found
