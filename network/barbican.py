"""Keys in Barbican, and application credentials for them in Keystone, through keystoneauth1."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import structlog
from keystoneauth1 import exceptions, loading
from keystoneauth1.session import Session

from generated.errors import ManilaBarbicanACLError, ManilaBarbicanAppCredsError
from generated.settings import BarbicanSection

LOG = structlog.get_logger("keys")
SERVICE = "key-manager"


def _from_keystone(error: exceptions.HttpError) -> bool:
    """Whether Keystone itself says so, not a proxy or something else at its address."""
    try:
        return error.response is not None and "error" in error.response.json()
    except (TypeError, ValueError):
        return False


class BarbicanKeys:
    """See ``network.keys.KeyManager``. Requests run in threads."""

    def __init__(self, options: BarbicanSection) -> None:
        self._options = options
        self._made: Session | None = None

    @property
    def _session(self) -> Session:
        """The service's own user; made at the first use."""
        if self._made is None:
            loader: Any = loading.get_plugin_loader(self._options.auth_type)
            given = {option.dest: getattr(self._options, option.dest, None) for option in loader.get_options()}
            plugin = loader.load_from_options(**{name: value for name, value in given.items() if value is not None})
            verify: bool | str = False if self._options.insecure else self._options.cafile or True
            self._made = Session(auth=plugin, verify=verify)
        return self._made

    async def grant(self, key_ref: str, token: str | None) -> None:
        """See the port: the key's list of readers is made the service's user."""
        acl = {"read": {"users": [await self._call(self._user_id)], "project-access": False}}

        def put() -> None:
            headers = {"X-Auth-Token": token or ""}
            self._session.put(
                f"{self._root()}/v1/secrets/{key_ref}/acl", json=acl, headers=headers, authenticated=False
            )

        await self._call(put)

    async def revoke(self, key_ref: str) -> None:
        """See the port. Only the key's owner may change its list of readers, so this often changes nothing."""
        try:
            await self._call(lambda: self._session.delete(f"{self._root()}/v1/secrets/{key_ref}/acl"))
        except ManilaBarbicanACLError as error:
            LOG.warning("the key's list of readers stays as it is", key=key_ref, error=repr(error.__cause__))

    async def href(self, key_ref: str) -> str:
        """See the port."""
        found = await self._call(lambda: self._session.get(f"{self._root()}/v1/secrets/{key_ref}").json())
        return str(found["secret_ref"])

    async def make_credential(self, key_ref: str, name: str) -> str:
        """See the port."""
        path = urlsplit(await self.href(key_ref)).path
        rules = [{"path": one, "method": "GET", "service": SERVICE} for one in (path, f"{path}/payload")]
        wanted = {"name": name, "roles": [{"name": "service"}], "secret": key_ref, "access_rules": rules}
        try:
            return str(await asyncio.to_thread(self._credential, wanted))
        except (exceptions.ClientException, KeyError, ValueError) as error:
            raise ManilaBarbicanAppCredsError from error

    def _credential(self, wanted: Mapping[str, Any]) -> Any:
        url = f"{self._identity()}/users/{self._user_id()}/application_credentials"
        found = self._session.get(url, params={"name": wanted["name"]}).json()["application_credentials"]
        known = [one["id"] for one in found if one["name"] == wanted["name"]]
        if known:
            return known[0]
        made = self._session.post(url, json={"application_credential": dict(wanted)}).json()
        return made["application_credential"]["id"]

    async def remove_credential(self, credential_id: str) -> None:
        """See the port."""

        def remove() -> None:
            try:
                url = f"{self._identity()}/users/{self._user_id()}/application_credentials/{credential_id}"
                self._session.delete(url)
            except exceptions.NotFound as error:
                if not _from_keystone(error):
                    raise

        try:
            await asyncio.to_thread(remove)
        except exceptions.ClientException as error:
            raise ManilaBarbicanAppCredsError from error

    async def _call(self, what: Any) -> Any:
        try:
            return await asyncio.to_thread(what)
        except (exceptions.ClientException, KeyError, ValueError) as error:
            raise ManilaBarbicanACLError from error

    def _user_id(self) -> str:
        return str(self._session.get_user_id())

    def _root(self) -> str:
        found = self._options.barbican_endpoint or self._endpoint(SERVICE)
        return found.rstrip("/").removesuffix("/v1")

    def _identity(self) -> str:
        found = self._endpoint("identity").rstrip("/")
        return found if found.endswith("/v3") else f"{found}/v3"

    def _endpoint(self, service: str) -> str:
        options = self._options
        found = self._session.get_endpoint(
            service_type=service, interface=options.endpoint_type.removesuffix("URL"), region_name=options.region_name
        )
        if found is None:
            raise exceptions.EndpointNotFound(f"the catalogue has no {service}")
        return str(found)
