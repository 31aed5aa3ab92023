"""Somebody who asks a release's API without rest, of whichever pod is ready, as a service passes requests on."""

from __future__ import annotations

import contextlib
import http
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

from drivers.ganesha.kubernetes.gateways import ready
from tests.kube.node.release import API
from tests.lab.cluster import Cluster

PAUSE = 0.05


class Asking:
    """``good``: answers; ``bad``: what else came; ``gap``: the longest time between two answers, seconds."""

    def __init__(self, lab: Cluster, namespace: str) -> None:
        self._lab, self._namespace = lab, namespace
        self.good, self.gap = 0, 0.0
        self.bad: list[str] = []

    def run(self, stop: threading.Event) -> None:
        """Ask until ``stop`` is set."""
        last = time.monotonic()
        while not stop.wait(PAUSE):
            try:
                self._ask()
            except OSError as error:
                self.bad.append(repr(error))
                continue
            now = time.monotonic()
            self.good, self.gap, last = self.good + 1, max(self.gap, now - last), now

    def _ask(self) -> None:
        found = self._lab.api.get(f"/api/v1/namespaces/{self._namespace}/pods?labelSelector={API}")["items"]
        pods = [one["status"]["podIP"] for one in found if ready(one)]
        if not pods:
            raise OSError("no pod is ready")
        try:
            urllib.request.urlopen(f"http://{pods[self.good % len(pods)]}:8786/", timeout=5).close()
        except urllib.error.HTTPError as error:
            with error:
                if error.code != http.HTTPStatus.MULTIPLE_CHOICES:  # the list of its versions, as the original has it
                    raise

    def __str__(self) -> str:
        return f"{self.good} answers of the API, longest pause {self.gap:.1f} s, else {self.bad[:3]}"


@contextlib.contextmanager
def asking(lab: Cluster, namespace: str) -> Iterator[Asking]:
    """Ask meanwhile."""
    made, stop = Asking(lab, namespace), threading.Event()
    job = threading.Thread(target=made.run, args=(stop,), daemon=True)
    job.start()
    try:
        yield made
    finally:
        stop.set()
        job.join()
