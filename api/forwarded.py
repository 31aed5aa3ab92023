"""Where the client thinks it talks to: scheme, host and prefix, from the request or from a proxy's headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from starlette.types import Scope

from generated.settings import Settings


@dataclass(frozen=True, slots=True)
class Place:
    """Parts of the URL in front of ``/v2``."""

    scheme: str
    host: str
    prefix: str

    @property
    def base_url(self) -> str:
        """For links: without a trailing slash."""
        return f"{self.scheme}://{self.host}{self.prefix.rstrip('/')}"

    @property
    def redirect(self) -> str:
        """Where ``/v2`` sends a client."""
        return f"{self.scheme}://{self.host}{self.prefix}/v2/"

    @property
    def root_url(self) -> str:
        """Base of the links in the document at ``/``: a prefix counts only as a folder, with a slash at its end."""
        return urljoin(f"{self.scheme}://{self.host}{self.prefix}", ".").rstrip("/")


def place(settings: Settings, scope: Scope, headers: Mapping[str, str]) -> Place:
    """The place of a request; a proxy's headers count when ``enable_proxy_headers_parsing`` is set."""
    scheme, prefix = scope.get("scheme", "http"), scope.get("root_path", "")
    host = headers.get("host") or listening(scope, scheme)
    if not settings.oslo_middleware.enable_proxy_headers_parsing:
        return Place(scheme, host, prefix)
    forwarded = headers.get("forwarded")
    if forwarded:
        first = dict(_pair(one) for one in forwarded.split(",")[0].split(";"))
        scheme, host = first.get("proto") or scheme, first.get("host") or host
    else:
        scheme = headers.get("x-forwarded-proto") or scheme
        host = headers.get("x-forwarded-host") or host
    return Place(scheme, host, headers.get("x-forwarded-prefix", "") + prefix)


DEFAULT_PORTS = {"http": 80, "https": 443}


def listening(scope: Scope, scheme: str) -> str:
    """Address and port that the request came in at, for a client of HTTP/1.0 that names no host."""
    address, port = scope.get("server") or ("localhost", None)
    name = f"[{address}]" if ":" in address else address
    return name if port in (None, DEFAULT_PORTS.get(scheme)) else f"{name}:{port}"


def public(settings: Settings, base_url: str) -> str:
    """The base for links to resources: ``osapi_share_base_URL`` replaces scheme and host."""
    configured = settings.default.osapi_share_base_URL
    if not configured:
        return base_url
    wanted = urlsplit(configured)
    return urlsplit(base_url)._replace(scheme=wanted.scheme, netloc=wanted.netloc).geturl()


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip().lower(), value.strip()
