"""Where the client thinks it talks to: scheme, host and prefix, from the request or from a proxy's headers."""

from __future__ import annotations

import functools
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from starlette.types import Scope

from generated.settings import Settings

SCHEME = re.compile("https?")
HOST = re.compile(r"(?:[A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
PREFIX = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+;=:@%-]+)+/?|/?")


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
    """The place of a request. A proxy's headers count when ``enable_proxy_headers_parsing`` is set.

    Of them only those of ``trusted_proxy_headers`` count, from ``trusted_proxies``, with values that can be parts of
    a URL: a client behind a proxy can set whatever the proxy does not overwrite.
    """
    scheme, prefix = scope.get("scheme", "http"), scope.get("root_path", "")
    host = headers.get("host") or listening(scope, scheme)
    if not settings.oslo_middleware.enable_proxy_headers_parsing or not _trusted(settings, scope):
        return Place(scheme, host, prefix)
    believed = {name.lower() for name in settings.openkeel.trusted_proxy_headers}
    said = {name: headers[name] for name in believed & headers.keys()}
    pairs = _forwarded(said.get("forwarded", ""))
    scheme = _fitting(SCHEME, pairs.get("proto"), said.get("x-forwarded-proto")) or scheme
    host = _fitting(HOST, pairs.get("host"), said.get("x-forwarded-host")) or host
    return Place(scheme, host, (_fitting(PREFIX, said.get("x-forwarded-prefix")) or "").rstrip("/") + prefix)


def check(settings: Settings) -> None:
    """Raises ValueError, naming the option, for a proxy that is no address or network."""
    try:
        _networks(tuple(settings.openkeel.trusted_proxies))
    except ValueError as error:
        raise ValueError(f"[openkeel] trusted_proxies: {error}") from None


def for_caches(settings: Settings) -> dict[str, str]:
    """Headers that tell caches to ask again, and what of a proxy's headers the links in an answer depend on."""
    found = {"Cache-Control": "no-cache"}
    if settings.oslo_middleware.enable_proxy_headers_parsing:
        found["Vary"] = ", ".join(["Host", *settings.openkeel.trusted_proxy_headers])
    return found


def _trusted(settings: Settings, scope: Scope) -> bool:
    """Whether the peer of the connection is one of ``trusted_proxies``; all are when there is none."""
    proxies = _networks(tuple(settings.openkeel.trusted_proxies))
    if not proxies:
        return True
    peer = scope.get("client")
    if peer is None:
        return False
    address = ipaddress.ip_address(peer[0].partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in network for network in proxies)


@functools.lru_cache(8)
def _networks(texts: tuple[str, ...]) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    return tuple(ipaddress.ip_network(text, strict=False) for text in texts)


def _forwarded(text: str) -> dict[str, str]:
    """The pairs of the element that the nearest proxy added (RFC 7239, section 4), names in lower case."""
    return dict(_pair(one) for one in text.rpartition(",")[2].split(";"))


def _fitting(pattern: re.Pattern[str], *said: str | None) -> str | None:
    """The first of ``said`` that is given, if the element that the nearest proxy added fits the pattern."""
    given = next((one for one in said if one), "")
    last = given.rpartition(",")[2].strip()
    return last if pattern.fullmatch(last) else None


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
    return name.strip().lower(), value.strip().strip('"')
