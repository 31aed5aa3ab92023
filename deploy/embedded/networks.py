"""A stand-in for Neutron v2.0: two tenant networks of one CIDR, and ports on them.

It answers what the share service asks (extensions, networks, subnets, ports) and what the command line looks up.
"""

from __future__ import annotations

import ipaddress
import random
import secrets
import urllib.parse
import uuid
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deploy.embedded.identity import Identity, Refused, Token

Row = dict[str, Any]
CIDR = "10.0.0.0/24"
FIRST_PORT, LAST_PORT = 50, 199
"""Host numbers that ports get; those below are for the tenant's own machines."""
EXTENSIONS = {
    "provider": "Provider Network",
    "binding": "Port Binding",
    "multi-provider": "Multi Provider Network",
}


READ_ONLY = ("id", "project_id", "tenant_id", "network_id", "status")
"""What nobody may change of a port."""


class NeutronError(Exception):
    """An error answer as Neutron gives it."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message


class Networks:
    """Networks, subnets and ports in memory.

    Args:
        page: rows of one answer at most, as Neutron's ``pagination_max_limit``; None: all.
    """

    def __init__(self, page: int | None = None) -> None:
        self.page = page
        self.tables: dict[str, dict[str, Row]] = {"networks": {}, "subnets": {}, "ports": {}}

    def add_network(self, name: str, project_id: str, segment: int, cidr: str = CIDR) -> Row:
        """A Geneve network with one subnet. ``segment`` is its number on the wire."""
        owner = {"project_id": project_id, "tenant_id": project_id}
        network: Row = {
            **owner,
            "id": str(uuid.uuid4()),
            "name": name,
            "status": "ACTIVE",
            "admin_state_up": True,
            "shared": False,
            "mtu": 1442,
            "router:external": False,
            "provider:network_type": "geneve",
            "provider:segmentation_id": segment,
            "provider:physical_network": None,
        }
        block = ipaddress.ip_network(cidr)
        subnet: Row = {
            **owner,
            "id": str(uuid.uuid4()),
            "name": f"{name}-subnet",
            "network_id": network["id"],
            "cidr": cidr,
            "gateway_ip": str(block[1]),
            "ip_version": block.version,
            "enable_dhcp": True,
            "allocation_pools": [{"start": str(block[FIRST_PORT]), "end": str(block[LAST_PORT])}],
        }
        network["subnets"] = [subnet["id"]]
        self.tables["networks"][network["id"]] = network
        self.tables["subnets"][subnet["id"]] = subnet
        return network

    def visible(self, kind: str, token: Token, filters: Mapping[str, str]) -> list[Row]:
        """Rows that the token's owner may see, and that match the filters."""
        return [
            row
            for row in self.tables[kind].values()
            if (_sees_all(token) or row["project_id"] == token.account.project_id)
            and all(str(row[key]) == value for key, value in filters.items() if key in row)
        ]

    def pages(self, kind: str, token: Token, asked: Mapping[str, str], url: str) -> Row:
        """A list as it is answered: the rows of one page, and the link to the next one.

        Args:
            asked: the query, with ``limit`` and ``marker`` among the filters.
            url: of the list.
        """
        filters = {key: value for key, value in asked.items() if key not in ("limit", "marker")}
        rows = sorted(self.visible(kind, token, filters), key=lambda row: str(row["id"]))
        rows = [row for row in rows if row["id"] > asked.get("marker", "")]
        limits = [one for one in (self.page, int(asked.get("limit", 0))) if one]
        shown = rows[: min(limits)] if limits else rows
        answer: Row = {kind: [_shown(kind, token, row) for row in shown]}
        if limits and len(shown) == min(limits):
            query = urllib.parse.urlencode({**asked, "marker": shown[-1]["id"]})
            answer[f"{kind}_links"] = [{"rel": "next", "href": f"{url}?{query}"}]
        return answer

    def one(self, kind: str, token: Token, ident: str) -> Row:
        """A visible row by id. Raises NeutronError (404)."""
        for row in self.visible(kind, token, {"id": ident}):
            return row
        name = kind[:-1].capitalize()
        raise NeutronError(404, f"{name}NotFound", f"{name} {ident} could not be found.")

    def create_port(self, token: Token, wanted: Row) -> Row:
        """A port with a free address. NeutronError: unknown network or group (404), no address (409)."""
        if not _sees_all(token):
            wanted = {key: one for key, one in wanted.items() if key not in ("project_id", "tenant_id")}
        if groups := wanted.get("security_groups"):
            # there are none of the tenant's, and nobody else's would be found for its port
            named = ", ".join(map(str, groups))
            raise NeutronError(404, "SecurityGroupNotFound", f"Security group {named} does not exist")
        network = self.one("networks", token, str(wanted.get("network_id")))
        asked = wanted.get("fixed_ips") or [{"subnet_id": network["subnets"][0]}]
        subnet = self.one("subnets", token, str(asked[0].get("subnet_id") or network["subnets"][0]))
        if subnet["network_id"] != network["id"]:
            raise NeutronError(400, "InvalidInput", f"subnet {subnet['id']} is not one of network {network['id']}.")
        address = asked[0].get("ip_address") or self._free(subnet)
        port = {
            "name": "",
            "device_id": "",
            "device_owner": "",
            "admin_state_up": True,
            "binding:vnic_type": "normal",
            "binding:host_id": "",
            "binding:vif_type": "ovs",
            "binding:profile": {},
            "security_groups": [],
            "project_id": token.account.project_id,
            **wanted,
            "id": str(uuid.uuid4()),
            "status": "ACTIVE",
            "mac_address": "fa:16:3e:" + ":".join(f"{byte:02x}" for byte in secrets.token_bytes(3)),
            "fixed_ips": [{"subnet_id": subnet["id"], "ip_address": address}],
        }
        port["tenant_id"] = port["project_id"]
        self.tables["ports"][port["id"]] = port
        return port

    def change_port(self, token: Token, ident: str, wanted: Row) -> Row:
        """Change a port. NeutronError: unknown (404), what can't be changed (400)."""
        port = self.one("ports", token, ident)
        for name in READ_ONLY:
            if name in wanted and wanted[name] != port[name]:
                raise NeutronError(400, "HTTPBadRequest", f"Cannot update read-only attribute {name}")
        port.update(wanted)
        return port

    def remove_port(self, token: Token, ident: str) -> None:
        """Remove a port. NeutronError: unknown (404), one of a share server and the asking account a tenant (403)."""
        port = self.one("ports", token, ident)
        if str(port["device_owner"]).startswith("manila:") and not _sees_all(token):
            raise NeutronError(403, "PolicyNotAuthorized", "rule:delete_port is disallowed by policy")
        del self.tables["ports"][ident]

    def _free(self, subnet: Row) -> str:
        """A random address of the pool, as Neutron takes them; two subnets with one history give the same."""
        ips = [ip for port in self.tables["ports"].values() for ip in port["fixed_ips"]]
        taken = {ip["ip_address"] for ip in ips if ip["subnet_id"] == subnet["id"]}
        block = ipaddress.ip_network(subnet["cidr"])
        free = [str(block[number]) for number in range(FIRST_PORT, LAST_PORT + 1) if str(block[number]) not in taken]
        if not free:
            raise NeutronError(
                409, "IpAddressGenerationFailure", f"No more IP addresses available on network {subnet['network_id']}."
            )
        return random.Random(len(taken)).choice(free)


def _sees_all(token: Token) -> bool:
    return "admin" in token.account.roles or "service" in token.account.roles


def _shown(kind: str, token: Token, row: Row) -> Row:
    """A row without what the account's roles hide."""
    roles = token.account.roles
    hidden = "provider:" if kind == "networks" and "admin" not in roles else "binding:"
    if hidden == "binding:" and _sees_all(token):
        return row
    return {key: value for key, value in row.items() if not key.startswith(hidden)}


def application(networks: Networks, identity: Identity) -> Starlette:
    """The HTTP side; tokens are those of the identity stand-in."""

    def who(request: Request) -> Token:
        return identity.check(request.headers.get("X-Auth-Token"))

    async def root(request: Request) -> Response:
        version = {"id": "v2.0", "status": "CURRENT", "links": [{"rel": "self", "href": f"{request.base_url}v2.0/"}]}
        return JSONResponse({"versions": [version]})

    async def extensions(request: Request) -> Response:
        who(request)
        rows = [{"alias": alias, "name": name, "links": [], "description": ""} for alias, name in EXTENSIONS.items()]
        return JSONResponse({"extensions": rows})

    async def listing(request: Request) -> Response:
        token, kind = who(request), request.path_params["kind"]
        if request.method == "GET":
            return JSONResponse(networks.pages(kind, token, request.query_params, str(request.url.replace(query=""))))
        if kind != "ports":
            raise NeutronError(403, "PolicyNotAuthorized", "the stand-in's networks are fixed")
        return JSONResponse({"port": networks.create_port(token, (await request.json())["port"])}, 201)

    async def one(request: Request) -> Response:
        token, kind, ident = who(request), request.path_params["kind"], request.path_params["ident"]
        if request.method != "GET" and kind != "ports":
            raise NeutronError(403, "PolicyNotAuthorized", "the stand-in's networks are fixed")
        if request.method == "DELETE":
            networks.remove_port(token, ident)
            return Response(status_code=204)
        if request.method == "PUT":
            row = networks.change_port(token, ident, (await request.json())["port"])
        else:
            row = networks.one(kind, token, ident)
        return JSONResponse({kind[:-1]: _shown(kind, token, row)})

    async def failed(_: Request, error: Exception) -> Response:
        assert isinstance(error, NeutronError)
        return JSONResponse(
            {"NeutronError": {"type": error.kind, "message": error.message, "detail": ""}}, error.status
        )

    async def unauthorized(_: Request, error: Exception) -> Response:
        return JSONResponse({"error": {"code": 401, "title": "Unauthorized", "message": str(error)}}, 401)

    async def unknown(_: Request, error: Exception) -> Response:
        body = {"type": "HTTPNotFound", "message": f"not offered: {error}", "detail": ""}
        return JSONResponse({"NeutronError": body}, 404)

    return Starlette(
        routes=[
            Route("/", root),
            Route("/v2.0/extensions", extensions),
            Route("/v2.0/{kind}", listing, methods=["GET", "POST"]),
            Route("/v2.0/{kind}/{ident}", one, methods=["GET", "PUT", "DELETE"]),
        ],
        exception_handlers={NeutronError: failed, Refused: unauthorized, KeyError: unknown},
    )
