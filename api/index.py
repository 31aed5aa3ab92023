"""From method and path to the variants of an operation, through a tree of path segments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generated.routes.absent import ABSENT
from generated.routes.suffixes import WITHOUT
from generated.runtime import Route

Variants = tuple[Route, ...]


@dataclass(slots=True)
class Endpoint:
    """What one method of one path offers. ``actions`` maps action keys to variants.

    ``absent`` is the status of a declared path without an operation behind it, else 0, and ``text`` what is said then;
    ``suffixed``: the path may end in ``.json`` or ``.xml``.
    """

    names: tuple[str, ...]
    variants: list[Route] = field(default_factory=list)
    actions: dict[str, list[Route]] = field(default_factory=dict)
    absent: int = 0
    text: str | None = None
    suffixed: bool = True


@dataclass(slots=True)
class Node:
    """A place in the tree of segments; ``any`` stands for a parameter."""

    fixed: dict[str, Node] = field(default_factory=dict)
    any: Node | None = None
    methods: dict[str, Endpoint] = field(default_factory=dict)


class Index:
    """Finds endpoints. A fixed segment wins over a parameter; the document at the root answers to every method."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._root = Node()
        for route in routes:
            endpoint = self._endpoint(route.method, route.path)
            if route.action is None:
                endpoint.variants.append(route)
            else:
                endpoint.actions.setdefault(route.action, []).append(route)
        for absent in ABSENT:
            endpoint = self._endpoint(absent[0], absent[1])
            if not endpoint.variants and not endpoint.actions:
                endpoint.absent, endpoint.text = absent[2:]

    def _endpoint(self, method: str, path: str) -> Endpoint:
        node, names = self._root, []
        for segment in path.strip("/").split("/") if path != "/" else []:
            if segment.startswith("{"):
                names.append(segment[1:-1])
                node.any = node.any or Node()
                node = node.any
            else:
                node = node.fixed.setdefault(segment, Node())
        return node.methods.setdefault(method, Endpoint(tuple(names), suffixed=path not in WITHOUT))

    def find(self, method: str, segments: list[str]) -> tuple[Endpoint, dict[str, str]] | None:
        """The endpoint and the path's parameters; None for a path or method outside the table."""
        last = segments[-1] if segments else ""
        stem = last.removesuffix(".json" if last.endswith(".json") else ".xml")
        found = self._walk(self._root, method, [*segments[:-1], stem], 0) if stem and stem != last else None
        if found is None or not found[0].suffixed:
            found = self._walk(self._root, method, segments, 0)
        if found is None:
            return None
        endpoint, values = found
        return endpoint, dict(zip(endpoint.names, values, strict=True))

    def _walk(self, node: Node, method: str, segments: list[str], at: int) -> tuple[Endpoint, list[str]] | None:
        if at == len(segments):
            endpoint = node.methods.get(method) or (node.methods.get("GET") if node is self._root else None)
            return None if endpoint is None else (endpoint, [])
        segment = segments[at]
        if (fixed := node.fixed.get(segment)) is not None:
            found = self._walk(fixed, method, segments, at + 1)
            if found is not None:
                return found
        if node.any is None or not segment:
            return None
        found = self._walk(node.any, method, segments, at + 1)
        return None if found is None else (found[0], [segment, *found[1]])
