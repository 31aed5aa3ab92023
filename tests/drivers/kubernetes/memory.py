"""An API server in memory: what the client layer relies on, as a real API server does it; no controllers.

``tests/kube/api`` runs the same tests on it and on a real one. Simpler than that one: lists are replaced whole, only
the validation that the tests name is done, and any kind of object is known.
"""

from __future__ import annotations

import asyncio
import copy
import datetime
import itertools
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.drivers.kubernetes import rules
from tests.drivers.kubernetes.fields import Fields
from tests.drivers.kubernetes.rules import Refusal

Object = dict[str, Any]
Key = tuple[str, str, str, str]
"""Group and version, plural name, namespace (empty for none), name."""
PATH = re.compile(
    r"/(?:api|apis)/(?P<version>v1|[^/]+/[^/]+)(?:/namespaces/(?P<namespace>[^/]+)(?=/[^/]))?"
    r"/(?P<plural>[^/]+)(?:/(?P<name>[^/]+))?(?:/(?P<part>[^/]+))?"
)
NAMESPACES = ("v1", "namespaces", "")
APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
NOW = "2026-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Request:
    """A request taken apart."""

    method: str
    version: str
    plural: str
    namespace: str
    name: str
    part: str
    query: Mapping[str, str]
    body: Object | None
    content: str

    @property
    def key(self) -> Key:
        return self.version, self.plural, self.namespace, self.name


@dataclass
class Memory:
    """``handle`` answers a request, ``events`` a watch."""

    objects: dict[Key, Object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.fields: dict[Key, Fields] = {}
        self.log: list[tuple[int, str, Key, Object]] = []
        self._numbers = itertools.count(1)
        self._version = self._oldest = 0

    def handle(self, method: str, url: str, body: Object | None, content: str) -> tuple[int, Object]:
        """Status and document."""
        try:
            request = parse(method, url, body, content)
            return getattr(self, f"_{method.lower()}")(request)  # type: ignore[no-any-return]
        except Refusal as refusal:
            return refusal.code, refusal.document()

    def put(self, key: Key, wanted: Object) -> Object:
        """Make an object, whatever is there."""
        self._version += 1
        made = copy.deepcopy(wanted)
        own = {"uid": f"uid-{next(self._numbers)}", "resourceVersion": str(self._version), "generation": 1}
        made["metadata"] |= {**own, "creationTimestamp": datetime.datetime.now(datetime.UTC).isoformat()}
        self.objects[key] = made
        self._say("ADDED", key, made)
        return made

    def touch(self, key: Key) -> None:
        """Tell who watches that an object was changed in place."""
        self._version += 1
        self.objects[key]["metadata"]["resourceVersion"] = str(self._version)
        self._say("MODIFIED", key, self.objects[key])

    def remove(self, key: Key) -> None:
        """An object is gone, whatever held it."""
        if key in self.objects:
            self._version += 1
            self._remove(key)

    def forget_history(self) -> None:
        """Whoever watches from an older version than the present one is told so."""
        self.log.clear()
        self._oldest = self._version

    def _say(self, kind: str, key: Key, found: Object) -> None:
        self.log.append((self._version, kind, key, copy.deepcopy(found)))

    def _found(self, request: Request) -> Object:
        if request.key not in self.objects:
            raise Refusal(404, "NotFound", f'{request.plural} "{request.name}" not found')
        return self.objects[request.key]

    # reading

    def _get(self, request: Request) -> tuple[int, Object]:
        if request.name:
            return 200, copy.deepcopy(self._found(request))
        found = [one for key, one in sorted(self.objects.items()) if selected(request, key, one)]
        start, size = int(request.query.get("continue") or 0), int(request.query.get("limit") or 0) or len(found)
        meta: Object = {"resourceVersion": str(self._version)}
        if start + size < len(found):
            meta |= {"continue": str(start + size), "remainingItemCount": len(found) - start - size}
        return 200, {"kind": "List", "metadata": meta, "items": copy.deepcopy(found[start : start + size])}

    async def events(self, url: str) -> AsyncIterator[Object]:
        """What happens to the objects of a watch, until its time is over."""
        request = parse("GET", url, None, "")
        since = int(request.query.get("resourceVersion") or 0)
        if since < self._oldest:
            yield {"type": "ERROR", "object": Refusal(410, "Expired", "too old resource version").document()}
            return
        deadline = asyncio.get_running_loop().time() + float(request.query.get("timeoutSeconds") or 60)
        while True:
            for number, kind, key, found in list(self.log):
                if number > since and selected(request, key, found):
                    yield {"type": kind, "object": found}
            since = max(since, self._version)
            if asyncio.get_running_loop().time() > deadline:
                return
            await asyncio.sleep(0.01)

    # writing

    def _post(self, request: Request) -> tuple[int, Object]:
        wanted = request.body or {}
        name = str(wanted["metadata"].get("name", ""))
        key = (request.version, request.plural, request.namespace, name)
        if request.namespace and (*NAMESPACES, request.namespace) not in self.objects:
            raise Refusal(404, "NotFound", f'namespaces "{request.namespace}" not found')
        if key in self.objects:
            raise Refusal(409, "AlreadyExists", f'{request.plural} "{name}" already exists')
        rules.admit(self._others(request), request.plural, wanted)
        made = self.put(key, rules.defaulted(request.plural, wanted, request.namespace))
        self.fields[key] = Fields()
        self.fields[key].update(request.query.get("fieldManager", "unknown"), {}, wanted)
        return 201, copy.deepcopy(made)

    def _others(self, request: Request) -> Iterator[tuple[str, Object]]:
        for key, found in self.objects.items():
            if key[2] in ("", request.namespace):
                yield key[1], found

    def _patch(self, request: Request) -> tuple[int, Object]:
        if request.content == APPLY:
            return self._apply(request)
        present, changes = self._found(request), copy.deepcopy(request.body or {})
        expected = changes.get("metadata", {}).pop("resourceVersion", None)
        if expected is not None and expected != present["metadata"]["resourceVersion"]:
            raise Refusal(409, "Conflict", f'{request.plural} "{request.name}": the object has been modified')
        uid = present["metadata"]["uid"]
        if changes.get("metadata", {}).get("uid", uid) != uid:
            raise Refusal(422, "Invalid", f'{request.plural} "{request.name}" is invalid: metadata.uid: is immutable')
        after = copy.deepcopy(present)
        merge(after, rules.limited(changes, request.part))
        own = self.fields.setdefault(request.key, Fields())
        own.update(request.query.get("fieldManager", "unknown"), present, after)
        return 200, self._store(request, present, after)

    def _apply(self, request: Request) -> tuple[int, Object]:
        wanted, manager = request.body or {}, request.query["fieldManager"]
        present = self.objects.get(request.key)
        if present is None:
            status, made = self._post(request)
            self.fields[request.key] = Fields()
            self.fields[request.key].apply(manager, {}, wanted, force=True)
            return status, made
        own = self.fields.setdefault(request.key, Fields())
        changes = rules.limited(wanted, request.part)
        after = own.apply(manager, present, changes, force=request.query.get("force") == "true")
        return 200, self._store(request, present, after)

    def _store(self, request: Request, present: Object, after: Object) -> Object:
        rules.change(self._others(request), request.plural, present, after)
        if after != present:
            self._version += 1
            meta = after["metadata"]
            meta["resourceVersion"] = str(self._version)
            if after.get("spec") != present.get("spec"):
                meta["generation"] += 1
            self.objects[request.key] = after
            if "deletionTimestamp" in meta and not meta.get("finalizers"):
                self._remove(request.key)
            else:
                self._say("MODIFIED", request.key, after)
        return copy.deepcopy(after)

    def _delete(self, request: Request) -> tuple[int, Object]:
        present, options = self._found(request), request.body or {}
        meta = present["metadata"]
        if options.get("preconditions", {}).get("uid", meta["uid"]) != meta["uid"]:
            raise Refusal(409, "Conflict", f"Precondition failed: UID in object meta: {meta['uid']}")
        version = meta["resourceVersion"]
        if options.get("preconditions", {}).get("resourceVersion", version) != version:
            raise Refusal(409, "Conflict", f"Precondition failed: ResourceVersion in object meta: {version}")
        if options.get("propagationPolicy") == "Foreground":
            meta["finalizers"] = sorted({*meta.get("finalizers", []), "foregroundDeletion"})
        if not meta.get("finalizers"):
            self.remove(request.key)
            return 200, {"kind": "Status", "status": "Success"}
        self._version += 1
        meta |= {"deletionTimestamp": NOW, "resourceVersion": str(self._version)}
        self._say("MODIFIED", request.key, present)
        return 200, copy.deepcopy(present)

    def _remove(self, key: Key) -> None:
        self._say("DELETED", key, self.objects.pop(key))
        self.fields.pop(key, None)


def parse(method: str, url: str, body: Object | None, content: str) -> Request:
    """Take a request apart. Raises Refusal when there is no such path."""
    parts = urlsplit(url)
    found = PATH.fullmatch(parts.path)
    if found is None:
        raise Refusal(404, "NotFound", f"no such path: {parts.path}")
    words = {name: value or "" for name, value in found.groupdict().items()}
    return Request(method, query=dict(parse_qsl(parts.query)), body=body, content=content, **words)


def selected(request: Request, key: Key, found: Object) -> bool:
    """Whether an object is in the collection that a request names, and has what it asks for."""
    if key[:2] != (request.version, request.plural) or request.namespace not in ("", key[2]):
        return False
    labels = found["metadata"].get("labels") or {}
    wanted = [pair for pair in request.query.get("labelSelector", "").split(",") if pair]
    fields = [pair for pair in request.query.get("fieldSelector", "").split(",") if pair]
    return all(labels.get(name) == value for name, _, value in (pair.partition("=") for pair in wanted)) and all(
        _at(found, path) == value for path, _, value in (pair.partition("=") for pair in fields)
    )


def _at(found: Object, path: str) -> object:
    value: Any = found
    for word in path.split("."):
        value = value.get(word, "") if isinstance(value, dict) else ""
    return value


def merge(into: Object, changes: Mapping[str, Any]) -> None:
    """Change an object as RFC 7396 says."""
    for key, value in changes.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict):
            inner = into.get(key)
            into[key] = inner if isinstance(inner, dict) else {}
            merge(into[key], value)
        else:
            into[key] = copy.deepcopy(value)
