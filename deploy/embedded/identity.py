"""A stand-in for Keystone v3: logs in a few fixed accounts, checks their tokens, and serves one catalogue.

For trials and tests on one machine. It keeps tokens in memory and offers no way to change anything.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deploy.embedded.accounts import DOMAIN, Account

REGION = "RegionOne"
TOKEN_HOURS = 12
UNAUTHORIZED = "The request you have made requires authentication."


@dataclass(frozen=True, slots=True)
class Token:
    """A login: whose it is, until when, and whether it is for the account's project."""

    account: Account
    methods: tuple[str, ...]
    issued: datetime
    scoped: bool

    @property
    def expires(self) -> datetime:
        return self.issued + timedelta(hours=TOKEN_HOURS)


class Refused(Exception):
    """An error answer of the identity service."""

    def __init__(self, status: int, title: str, message: str) -> None:
        super().__init__(message)
        self.status, self.title, self.message = status, title, message


class Identity:
    """The service's state: accounts, catalogue and tokens.

    Args:
        url: where clients reach it, without ``/v3``.
        accounts: who may log in.
        services: catalogue, service type -> URL; ``identity`` is added.
    """

    def __init__(self, url: str, accounts: Iterable[Account], services: Mapping[str, str]) -> None:
        self.url = url
        self.accounts = list(accounts)
        self.services = {"identity": f"{url}/v3", **services}
        self.tokens: dict[str, Token] = {}

    def catalog(self) -> list[dict[str, Any]]:
        """The catalogue as a token carries it."""

        def endpoint(kind: str, side: str, url: str) -> dict[str, str]:
            return {"id": f"{kind}-{side}", "interface": side, "region": REGION, "region_id": REGION, "url": url}

        return [
            {
                "id": f"service-{kind}",
                "type": kind,
                "name": kind,
                "endpoints": [endpoint(kind, side, url) for side in ("public", "internal", "admin")],
            }
            for kind, url in self.services.items()
        ]

    def login(self, auth: Mapping[str, Any]) -> tuple[str, Token]:
        """Make a token for the document under ``auth`` of a login. Raises Refused."""
        identity = auth.get("identity") or {}
        methods = tuple(identity.get("methods") or ())
        if methods == ("password",):
            account = self._by_password((identity.get("password") or {}).get("user") or {})
        elif methods == ("token",):
            account = self.check((identity.get("token") or {}).get("id")).account
        else:
            raise Refused(401, "Unauthorized", UNAUTHORIZED)
        scope = auth.get("scope")
        project = scope.get("project") if isinstance(scope, Mapping) else None
        if project and account.project_id != project.get("id") and account.project != project.get("name"):
            raise Refused(401, "Unauthorized", UNAUTHORIZED)
        if isinstance(scope, Mapping) and not project and "unscoped" not in scope:
            raise Refused(401, "Unauthorized", UNAUTHORIZED)
        name = secrets.token_urlsafe(32)
        self.tokens[name] = Token(account, methods, datetime.now(UTC), scoped=bool(project))
        return name, self.tokens[name]

    def _by_password(self, user: Mapping[str, Any]) -> Account:
        for account in self.accounts:
            named = user.get("id") == account.user_id or user.get("name") == account.user
            if named and secrets.compare_digest(str(user.get("password", "")).encode(), account.password.encode()):
                return account
        raise Refused(401, "Unauthorized", UNAUTHORIZED)

    def check(self, name: str | None) -> Token:
        """The token of that name, if it is valid now. Raises Refused (401)."""
        token = self.tokens.get(name or "")
        if token is None or token.expires < datetime.now(UTC):
            raise Refused(401, "Unauthorized", UNAUTHORIZED)
        return token

    def document(self, token: Token) -> dict[str, Any]:
        """What Keystone tells about a token."""
        one = token.account
        body: dict[str, Any] = {
            "methods": list(token.methods),
            "issued_at": token.issued.strftime("%Y-%m-%dT%H:%M:%S.000000Z"),
            "expires_at": token.expires.strftime("%Y-%m-%dT%H:%M:%S.000000Z"),
            "audit_ids": [one.user_id[:22]],
            "user": {"id": one.user_id, "name": one.user, "domain": DOMAIN, "password_expires_at": None},
        }
        if token.scoped:
            body["project"] = {"id": one.project_id, "name": one.project, "domain": DOMAIN}
            body["is_domain"] = False
            body["roles"] = [{"id": f"role-{role}", "name": role} for role in one.roles]
            body["catalog"] = self.catalog()
        return {"token": body}

    def table(self, kind: str) -> list[dict[str, Any]]:
        """Rows of a collection that clients look names up in; unknown collections are empty."""
        if kind == "projects":
            found = {a.project_id: {"id": a.project_id, "name": a.project} for a in self.accounts}
        elif kind == "users":
            found = {a.user_id: {"id": a.user_id, "name": a.user} for a in self.accounts}
        elif kind == "roles":
            found = {role: {"id": f"role-{role}", "name": role} for a in self.accounts for role in a.roles}
        elif kind == "domains":
            found = {"default": dict(DOMAIN)}
        else:
            found = {}
        return [{**row, "domain_id": "default", "enabled": True, "links": {}} for row in found.values()]


def application(identity: Identity) -> Starlette:
    """The HTTP side of the stand-in."""

    def version() -> dict[str, Any]:
        return {
            "id": "v3.14",
            "status": "stable",
            "updated": "2020-04-07T00:00:00Z",
            "links": [{"rel": "self", "href": f"{identity.url}/v3/"}],
            "media-types": [{"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}],
        }

    async def root(_: Request) -> Response:
        return JSONResponse({"versions": {"values": [version()]}}, 300)

    async def v3(_: Request) -> Response:
        return JSONResponse({"version": version()})

    async def tokens(request: Request) -> Response:
        if request.method == "POST":
            name, token = identity.login((await request.json()).get("auth") or {})
            return JSONResponse(identity.document(token), 201, {"X-Subject-Token": name, "Vary": "X-Auth-Token"})
        identity.check(request.headers.get("X-Auth-Token"))
        subject = request.headers.get("X-Subject-Token", "")
        try:
            token = identity.check(subject)
        except Refused:
            raise Refused(404, "Not Found", "Could not find token.") from None
        if request.method == "DELETE":
            del identity.tokens[subject]
            return Response(status_code=204)
        return JSONResponse(identity.document(token), headers={"X-Subject-Token": subject})

    async def catalog(request: Request) -> Response:
        identity.check(request.headers.get("X-Auth-Token"))
        return JSONResponse({"catalog": identity.catalog(), "links": {}})

    async def listing(request: Request) -> Response:
        identity.check(request.headers.get("X-Auth-Token"))
        kind = request.path_params["kind"]
        rows = [r for r in identity.table(kind) if all(str(r.get(k, v)) == v for k, v in request.query_params.items())]
        return JSONResponse({kind: rows, "links": {"next": None, "previous": None, "self": str(request.url)}})

    async def one(request: Request) -> Response:
        identity.check(request.headers.get("X-Auth-Token"))
        kind, wanted = request.path_params["kind"], request.path_params["ident"]
        for row in identity.table(kind):
            if row["id"] == wanted:
                return JSONResponse({kind[:-1]: row})
        raise Refused(404, "Not Found", f"Could not find {kind[:-1]}: {wanted}.")

    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        body = {"error": {"code": error.status, "title": error.title, "message": error.message}}
        return JSONResponse(body, error.status)

    return Starlette(
        routes=[
            Route("/", root),
            Route("/v3", v3),
            Route("/v3/", v3),
            Route("/v3/auth/tokens", tokens, methods=["GET", "POST", "DELETE"]),
            Route("/v3/auth/catalog", catalog),
            Route("/v3/{kind}", listing),
            Route("/v3/{kind}/{ident}", one),
        ],
        exception_handlers={Refused: refused},
    )
