"""Objects of a cluster: read, applied, removed and waited for.

Objects are plain dictionaries as JSON has them. Every call may be repeated: what is applied is applied again without
effect, what is gone stays gone. No request is without a timeout.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

from aiohttp import ClientError, ClientTimeout
from kubernetes.aio import config
from kubernetes.aio.client import ApiClient, Configuration
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from drivers.base import Transient
from generated.errors import ShareBackendException

Object = dict[str, Any]
MANAGER: Final = "openkeel-manila"
"""Field manager of what the service applies and changes."""
NODE_MANAGER: Final = f"{MANAGER}-node"
"""Field manager of what the agents of nodes report."""
PREFIX: Final = "manila.openkeel.io"
MANAGED: Final = "app.kubernetes.io/managed-by"
BACKEND: Final = f"{PREFIX}/back-end"
ROLE: Final = f"{PREFIX}/role"
"""Label: what an object is for, in the words of its driver."""
IDENTITY: Final = (MANAGED, BACKEND, ROLE)
"""Labels that everything of a back end has."""
OWNER: Final = f"{PREFIX}/owner"
"""Annotation: the installation that made an object. Two may have back ends of one name in one cluster."""
APPLY: Final = "application/apply-patch+yaml"
MERGE: Final = "application/merge-patch+json"
_FORBIDDEN: Final = 403
_EXPIRED: Final = 410
STRATEGIC: Final = "application/strategic-merge-patch+json"
_AGAIN: Final = frozenset((408, 409, 429, 500, 502, 503, 504))
_FIRST_LOOK, _LAST_LOOK = 0.05, 0.25
"""Seconds between looks, where there is nothing to watch."""
_LONGEST_PAUSE: Final = 2.0
_LISTS: Final = 3
"""Attempts to list a kind whose pages expire while they are read."""
_WATCH_SECONDS: Final = 240


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object: its API group (empty for the core) with version, and its plural name."""

    version: str
    plural: str
    name: str
    namespaced: bool = True

    def path(self, namespace: str | None) -> str:
        """Path of its collection; without a namespace that of all namespaces."""
        root = f"/apis/{self.version}" if "/" in self.version else f"/api/{self.version}"
        within = self.namespaced and namespace is not None
        return f"{root}/namespaces/{namespace}/{self.plural}" if within else f"{root}/{self.plural}"


NAMESPACE: Final = Kind("v1", "namespaces", "Namespace", namespaced=False)
NODE: Final = Kind("v1", "nodes", "Node", namespaced=False)
POD: Final = Kind("v1", "pods", "Pod")
CLAIM: Final = Kind("v1", "persistentvolumeclaims", "PersistentVolumeClaim")
VOLUME: Final = Kind("v1", "persistentvolumes", "PersistentVolume", namespaced=False)
EVENT: Final = Kind("v1", "events", "Event")
SECRET: Final = Kind("v1", "secrets", "Secret")
STATEFUL_SET: Final = Kind("apps/v1", "statefulsets", "StatefulSet")
NETWORK_POLICY: Final = Kind("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy")
STORAGE_CLASS: Final = Kind("storage.k8s.io/v1", "storageclasses", "StorageClass", namespaced=False)
CAPACITY: Final = Kind("storage.k8s.io/v1", "csistoragecapacities", "CSIStorageCapacity")
SNAPSHOT: Final = Kind("snapshot.storage.k8s.io/v1", "volumesnapshots", "VolumeSnapshot")
SNAPSHOT_CLASS: Final = Kind(
    "snapshot.storage.k8s.io/v1", "volumesnapshotclasses", "VolumeSnapshotClass", namespaced=False
)
NETWORK_ATTACHMENT: Final = Kind("k8s.cni.cncf.io/v1", "network-attachment-definitions", "NetworkAttachmentDefinition")
SNAPSHOT_CONTENT: Final = Kind(
    "snapshot.storage.k8s.io/v1", "volumesnapshotcontents", "VolumeSnapshotContent", namespaced=False
)
VOLUME_ATTACHMENT: Final = Kind("storage.k8s.io/v1", "volumeattachments", "VolumeAttachment", namespaced=False)
SECURITY_GROUP: Final = Kind("kubeovn.io/v1", "security-groups", "SecurityGroup", namespaced=False)
SHARE_EXPORT: Final = Kind("manila.openkeel.io/v1alpha1", "shareexports", "ShareExport")
DEPLOYMENT: Final = Kind("apps/v1", "deployments", "Deployment")
LONGHORN_VOLUME: Final = Kind("longhorn.io/v1beta2", "volumes", "Volume")
LONGHORN_SHARE_MANAGER: Final = Kind("longhorn.io/v1beta2", "sharemanagers", "ShareManager")
LONGHORN_NODE: Final = Kind("longhorn.io/v1beta2", "nodes", "Node")
LONGHORN_SETTING: Final = Kind("longhorn.io/v1beta2", "settings", "Setting")


class Refused(ShareBackendException):
    """The API server refused a request. ``status`` is HTTP's, ``reason`` the server's word for it."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(msg=f"Kubernetes refused it ({status} {reason}): {message}")
        self.status = status
        self.reason = reason


class Foreign(ShareBackendException):
    """An object has the name of one of ours, and is somebody else's: it is neither used, nor changed, nor removed."""

    def __init__(self, kind: Kind, found: Object, lacking: Mapping[str, str]) -> None:
        metadata = found["metadata"]
        where = f" in the namespace {metadata['namespace']}" if metadata.get("namespace") else ""
        words = ", ".join(f"{name}={value}" for name, value in lacking.items())
        super().__init__(
            msg=f"{kind.name} {metadata['name']}{where} is not this back end's, and has the name of what it needs:"
            f" remove it, or label it if it is ours ({words})"
        )


class Away(Transient):
    """The API server did not answer, or asked to come back later, until patience was over."""


class Late(ShareBackendException):
    """An object did not become what was waited for; ``last`` is how it was seen last."""

    def __init__(self, what: str, seconds: float, last: Object | None) -> None:
        super().__init__(msg=f"{what}: not within {seconds:.0f} s")
        self.last = last


class Cluster:
    """Requests to one API server.

    Args:
        kubeconfig: file of the connection; None inside a pod, where its service account is used.
        timeout: seconds one request may take.
        patience: seconds during which a request is repeated that met an error which may pass.
        page: objects in one answer.
        manager: field manager of every change; whoever changes other fields of the same objects has another one.
    """

    def __init__(
        self,
        kubeconfig: str | None,
        *,
        timeout: float = 10.0,
        patience: float = 30.0,
        page: int = 500,
        manager: str = MANAGER,
    ) -> None:
        self._kubeconfig, self._page, self._manager = kubeconfig, page, manager
        self._timeout, self._patience = timeout, patience
        self.first_pause = 0.1
        """Seconds until a request is repeated the first time, at most."""
        self.owner = ""
        """Annotation ``OWNER`` of what is made and carries our labels; empty: none."""
        self._client: ApiClient | None = None
        self._opening = asyncio.Lock()

    async def _open(self) -> ApiClient:
        async with self._opening:
            if self._client is None:
                configuration = Configuration()
                if self._kubeconfig:
                    await config.load_kube_config(self._kubeconfig, client_configuration=configuration)  # type: ignore[no-untyped-call]
                else:
                    config.load_incluster_config(client_configuration=configuration)  # type: ignore[no-untyped-call]
                self._client = ApiClient(configuration)
            return self._client

    async def close(self) -> None:
        """Give the connections back."""
        if self._client is not None:
            await self._client.close()  # type: ignore[no-untyped-call]
            self._client = None

    async def get(self, kind: Kind, name: str, namespace: str | None = None) -> Object | None:
        """An object; None when there is none."""
        return await self._request("GET", f"{kind.path(namespace)}/{quote(name)}", gone=True)

    async def every(
        self, kind: Kind, namespace: str | None = None, labels: Mapping[str, str] | None = None
    ) -> list[Object]:
        """The objects of a kind with these labels, page by page; from the first again when a page has expired."""
        for attempt in range(1, _LISTS + 1):
            try:
                return await self._pages(kind, namespace, labels or {})
            except Refused as error:
                if error.status != _EXPIRED or attempt == _LISTS:
                    raise
        raise AssertionError("the last attempt answers or raises")

    async def _pages(self, kind: Kind, namespace: str | None, labels: Mapping[str, str]) -> list[Object]:
        found: list[Object] = []
        query = {"limit": str(self._page), "labelSelector": _selector(labels)}
        while True:
            page = await self._request("GET", f"{kind.path(namespace)}?{urlencode(query)}") or {}
            found += page.get("items", [])
            if not (more := page.get("metadata", {}).get("continue")):
                return found
            query["continue"] = more

    def _whole(self, kind: Kind, wanted: Object) -> Object:
        """The object with its kind, and with its owner if it is labelled as ours."""
        metadata: Object = wanted["metadata"]
        if self.owner and MANAGED in metadata.get("labels", {}):
            metadata = {**metadata, "annotations": {**metadata.get("annotations", {}), OWNER: self.owner}}
        return {"apiVersion": kind.version, "kind": kind.name, **wanted, "metadata": metadata}

    async def apply(self, kind: Kind, wanted: Object, *, force: bool = True) -> Object:
        """Make an object be so (server-side apply; fields that others manage and we name become ours).

        Raises:
            Refused: with 409 if not ``force`` and somebody else manages a field that would change.
        """
        path = f"{kind.path(wanted['metadata'].get('namespace'))}/{quote(wanted['metadata']['name'])}"
        query = urlencode({"fieldManager": self._manager, "force": str(force).lower()})
        whole = self._whole(kind, wanted)
        return await self._request("PATCH", f"{path}?{query}", whole, APPLY, conflicts=not force) or {}

    async def create(self, kind: Kind, wanted: Object) -> Object:
        """Make an object that cannot be changed once it is there; one of that name is left as it is.

        One that is labelled as somebody else's is not taken for it; one of ours that lost labels gets them back.
        One that is being removed is waited for and made anew. A request whose answer got lost may have been followed
        all the same, so the object is looked for before it is asked for again. A quota that is used up refuses also
        what is there already.

        Raises:
            Away: it can neither be made nor found while patience lasts.
            Foreign: one of that name is there that is not ours.
        """
        namespace, name = wanted["metadata"].get("namespace"), wanted["metadata"]["name"]
        path = f"{kind.path(namespace)}?fieldManager={self._manager}"
        begin, pause = time.monotonic(), _FIRST_LOOK
        while True:
            trouble = "it is being removed"
            try:
                made = await self._request("POST", path, self._whole(kind, wanted), repeat=False)
            except Refused as error:
                made = None
                if error.reason != "AlreadyExists" and not await self._stands(kind, name, namespace, error):
                    raise
            except Away as error:
                made, trouble = None, str(error)
            made = made or await self.get(kind, name, namespace)
            if made is not None and "deletionTimestamp" not in made["metadata"]:
                return await self.claimed(kind, made, wanted["metadata"].get("labels") or {})
            if time.monotonic() - begin > self._patience:
                raise Away(f"{kind.name} {name}: {trouble}")
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)

    async def claimed(self, kind: Kind, found: Object, own: Mapping[str, str], *, proven: bool = False) -> Object:
        """An object that is there as one of ours, with the labels by which it is known, which it may have lost.

        Args:
            own: the labels that it was made with; without ``MANAGED`` among them anything will do.
            proven: something else says that it is ours.

        Raises:
            Foreign: neither its labels nor its owner say that it is ours.
        """
        lacking = strange(found, own)
        if not lacking:
            return found
        if not proven and not self.owns(found):
            raise Foreign(kind, found, lacking)
        metadata = found["metadata"]
        there = metadata.get("labels") or {}
        lost = {name: value for name, value in own.items() if name not in there or name in lacking}
        changes: Object = {"metadata": {"labels": lost}}
        return await self.merge(kind, metadata["name"], metadata.get("namespace"), changes) or found

    def owns(self, found: Object) -> bool:
        """Whether this installation made an object, as it says itself."""
        said = (found["metadata"].get("annotations") or {}).get(OWNER)
        return self.owner != "" and bool(said == self.owner)

    async def _stands(self, kind: Kind, name: str, namespace: str | None, error: Refused) -> bool:
        """Whether what admission forbids to make is there, to stay."""
        if error.status != _FORBIDDEN:
            return False
        try:
            found = await self.get(kind, name, namespace)
        except Refused:
            return False
        return found is not None and "deletionTimestamp" not in found["metadata"]

    async def merge(
        self, kind: Kind, name: str, namespace: str | None, changes: Object, part: str = ""
    ) -> Object | None:
        """Change some fields of an object, or of its ``part`` ``status``; None when it is gone.

        A ``resourceVersion`` in the changes' metadata must still be the object's, else Refused with 409.
        """
        path = f"{kind.path(namespace)}/{quote(name)}" + (f"/{part}" if part else "")
        path += f"?fieldManager={self._manager}"
        strict = "resourceVersion" in changes.get("metadata", {})
        return await self._request("PATCH", path, changes, MERGE, gone=True, repeat=not strict, conflicts=strict)

    async def condition(
        self, kind: Kind, name: str, namespace: str | None, condition: Object, uid: str = ""
    ) -> Object | None:
        """Set one condition of an object's status, the others stay; None when it is gone.

        ``uid``: of the object that is meant; another one of its name is left as it is, and None, too.
        """
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        changes: Object = {"status": {"conditions": [{"lastTransitionTime": now, **condition}]}}
        if uid:
            changes["metadata"] = {"uid": uid}
        path = f"{kind.path(namespace)}/{quote(name)}/status?fieldManager={self._manager}"
        try:
            return await self._request("PATCH", path, changes, STRATEGIC, gone=True, conflicts=bool(uid))
        except Refused as error:
            # a UID can't be changed, says the validation; what stores it may say that there is a conflict
            if uid and (error.status == 409 or (error.status == 422 and "metadata.uid" in str(error))):
                return None
            raise

    async def delete(
        self,
        kind: Kind,
        name: str,
        namespace: str | None = None,
        *,
        grace: int | None = None,
        uid: str = "",
        version: str = "",
    ) -> None:
        """Ask for an object's removal; it may take its time.

        Args:
            grace: seconds that a pod may take to end.
            uid: of the object that is meant; another one of its name stays.
            version: beside ``uid``: the object stays if it is not as it was then.
        """
        options: Object = {"propagationPolicy": "Foreground"}
        if grace is not None:
            options = {"propagationPolicy": "Background", "gracePeriodSeconds": grace}
        if uid:
            options["preconditions"] = {"uid": uid, **({"resourceVersion": version} if version else {})}
        try:
            path = f"{kind.path(namespace)}/{quote(name)}"
            await self._request("DELETE", path, options, gone=True, conflicts=bool(uid))
        except Refused as error:
            if not uid or error.status != 409:
                raise

    async def until(
        self,
        kind: Kind,
        name: str,
        namespace: str | None,
        good: Callable[[Object | None], bool],
        seconds: float,
        what: str,
    ) -> Object | None:
        """Watch an object until ``good`` holds for it (None: it is gone).

        A watch that ends, is cut or is too old is begun again with a look.

        Raises:
            Late: after ``seconds``; ``what`` names the wish.
        """
        deadline, own = time.monotonic() + seconds, {"metadata.name": name}
        while True:
            items, version = await self.listed(kind, namespace, fields=own)
            found = items[0] if items else None
            if good(found):
                return found
            begin = time.monotonic()
            if begin >= deadline:
                raise Late(what, seconds, found)
            watch = self.watch(kind, namespace, version, fields=own)
            try:
                async with asyncio.timeout(deadline - begin), contextlib.aclosing(watch) as events:
                    async for event, seen in events:
                        if event != "BOOKMARK" and good(found := None if event == "DELETED" else seen):
                            return found
            except Refused as error:
                if error.status != _EXPIRED:
                    raise
            except (Away, TimeoutError):
                pass
            await asyncio.sleep(max(0.0, _LAST_LOOK - (time.monotonic() - begin)))

    async def listed(
        self,
        kind: Kind,
        namespace: str | None,
        labels: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> tuple[list[Object], str]:
        """All objects of a kind in one answer, and the version from which they can be watched."""
        query = urlencode({"labelSelector": _selector(labels), "fieldSelector": _selector(fields)})
        page = await self._request("GET", f"{kind.path(namespace)}?{query}") or {}
        return page.get("items", []), str(page.get("metadata", {}).get("resourceVersion", ""))

    async def watch(
        self,
        kind: Kind,
        namespace: str | None,
        version: str,
        labels: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> AsyncGenerator[tuple[str, Object], None]:
        """Changes since a version: ``ADDED``, ``MODIFIED``, ``DELETED`` with the object, ``BOOKMARK`` with a version.

        It ends by itself after some minutes, to be begun again from the last version seen.

        Raises:
            Refused: the version is too old (410), or it is not allowed.
            Away: the API server went away.
        """
        query = {"watch": "true", "resourceVersion": version, "allowWatchBookmarks": "true"}
        query |= {"labelSelector": _selector(labels), "fieldSelector": _selector(fields)}
        path = f"{kind.path(namespace)}?{urlencode(query | {'timeoutSeconds': str(_WATCH_SECONDS)})}"
        limit = ClientTimeout(total=_WATCH_SECONDS + 30, connect=self._timeout, sock_connect=self._timeout)
        answer = await self._send("GET", path, None, "application/json", limit)
        try:
            if answer.status in _AGAIN:
                raise Away(f"watch {path}: {answer.status}")
            if answer.status >= 300:
                raise Refused(answer.status, "Watch", (await answer.read()).decode(errors="replace")[:300])
            while line := await answer.response.content.readline():
                event = json.loads(line)
                if event["type"] == "ERROR":
                    status = event["object"]
                    raise Refused(int(status.get("code", 500)), str(status.get("reason")), str(status.get("message")))
                yield event["type"], event["object"]
        except (ClientError, TimeoutError, OSError, ValueError) as error:
            raise Away(f"watch {path}: {error!r}") from error
        finally:
            answer.response.close()

    async def warnings(self, namespace: str, kind: str, name: str) -> list[str]:
        """What Kubernetes complained of about an object, the newest last."""
        field = f"involvedObject.kind={kind},involvedObject.name={name},type=Warning"
        page = await self._request("GET", f"{EVENT.path(namespace)}?{urlencode({'fieldSelector': field})}") or {}
        events = sorted(page.get("items", []), key=lambda one: str(one.get("lastTimestamp") or one.get("eventTime")))
        return [f"{one.get('reason')}: {one.get('message')}" for one in events]

    async def _request(
        self,
        method: str,
        path: str,
        body: Object | None = None,
        content: str = "application/json",
        *,
        gone: bool = False,
        repeat: bool = True,
        conflicts: bool = False,
    ) -> Object | None:
        """One request with its repeats; ``gone``: 404 is None; ``conflicts``: a conflict is an answer, not a delay."""
        patience = self._patience if repeat else 0.0
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(Away),
            stop=stop_after_delay(patience),
            wait=wait_random_exponential(multiplier=self.first_pause, max=_LONGEST_PAUSE),
            reraise=True,
        )
        answer = None
        async for attempt in retrying:
            with attempt:
                answer = await self._once(method, path, body, content)
                if answer[0] == 409 and answer[1].get("reason") == "Conflict" and not conflicts:
                    raise Away(f"{method} {path}: {answer[1].get('message', '')}")
        if answer is None:
            raise AssertionError("a request has an answer")
        status, document = answer
        if status < 300:
            return document
        if status == 404 and gone:
            return None
        raise Refused(status, str(document.get("reason", "")), str(document.get("message", "")))

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        try:
            answer = await self._send(method, path, body, content, self._timeout)
            text = await answer.read()
        except (ClientError, TimeoutError, OSError) as error:
            raise Away(f"{method} {path}: {error!r}") from error
        try:
            document = json.loads(text) if text else {}
        except ValueError:
            document = {"message": text.decode(errors="replace")[:500]}
        if answer.status in _AGAIN and not _final(answer.status, str(document.get("message", ""))):
            raise Away(f"{method} {path}: {answer.status} {document.get('message', '')}")
        return answer.status, document

    async def _send(self, method: str, path: str, body: Object | None, content: str, limit: object) -> Any:
        """A request whose answer is not read yet."""
        client = await self._open()
        headers = {"Accept": "application/json", "Content-Type": content}
        await client.update_params_for_auth(headers, [], ["BearerToken"], path, method, body)
        url = f"{client.configuration.host}{path}"
        try:
            return await client.rest_client.request(  # type: ignore[no-untyped-call]
                method, url, headers=headers, body=body, _request_timeout=limit
            )
        except (ClientError, TimeoutError, OSError) as error:
            raise Away(f"{method} {path}: {error!r}") from error


def strange(found: Object, own: Mapping[str, str]) -> dict[str, str]:
    """Of the labels that say which back end an object is of, and what for, those that an object doesn't have.

    Args:
        own: labels of one of ours; without ``MANAGED`` none is asked for.
    """
    there = found["metadata"].get("labels") or {}
    asked = IDENTITY if MANAGED in own else ()
    return {name: own[name] for name in asked if name in own and there.get(name) != own[name]}


def _selector(wanted: Mapping[str, str] | None) -> str:
    return ",".join(f"{key}={value}" for key, value in (wanted or {}).items())


def _final(status: int, message: str) -> bool:
    """Whether to ask again is of no use: a conflict, or a field that the cluster's definitions do not have.

    The API server calls the latter an internal error.
    """
    return status == 409 or (status == 500 and "field not declared in schema" in message)
