"""Neutron's port bindings for the stand-in: a port bound to several hosts, active on one."""

from __future__ import annotations

import importlib.util
import pathlib
from typing import Any

VENDORED = pathlib.Path(__file__).parents[1] / "conformance" / "vendored" / "fake_neutron.py"


def stand_in() -> Any:
    """The vendored module."""
    spec = importlib.util.spec_from_file_location("fake_neutron", VENDORED)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def start() -> Any:
    """A stand-in that serves bindings too, started."""
    module = stand_in()
    server = module.FakeNeutron()
    server.state = _state(module)
    return server.start()


def _state(module: Any) -> Any:
    class State(module.State):  # type: ignore[misc]
        """A port that is made for a host is active there at once."""

        def create_port(self, body: Any) -> Any:
            port = super().create_port(body)
            host = port["binding:host_id"]
            port["bindings"] = {host: "ACTIVE"} if host else {}
            port["status"] = "ACTIVE" if host else "DOWN"
            return port

        def handle(self, method: str, path: str, query: Any, body: Any) -> Any:
            parts = [part for part in path.split("/") if part][1:]
            if parts[:1] != ["ports"] or parts[2:3] != ["bindings"]:
                return super().handle(method, path, query, body)
            fault = self.fault_for(method, path)
            if fault:
                raise module.NeutronError(fault["status"], "HTTPInternalServerError", "Injected fault.")
            port = self.find("ports", "Port", parts[1])
            if method == "POST":
                return 201, {"binding": _add(port, body["binding"])}
            return _change(port, method, parts[3])

    def _add(port: Any, binding: Any) -> Any:
        if binding["host"] in port["bindings"]:
            raise module.NeutronError(409, "PortBindingAlreadyExists", "Binding already exists.")
        port["bindings"][binding["host"]] = "INACTIVE"
        return {**binding, "status": "INACTIVE"}

    def _change(port: Any, method: str, host: str) -> Any:
        if host not in port["bindings"]:
            raise module.NeutronError(404, "PortBindingNotFound", f"No binding for {host}.")
        if method == "DELETE":
            del port["bindings"][host]
            return 204, None
        if port["bindings"][host] == "ACTIVE":
            raise module.NeutronError(409, "PortBindingAlreadyActive", "Binding is active.")
        port["bindings"] = dict.fromkeys(port["bindings"], "INACTIVE") | {host: "ACTIVE"}
        port["binding:host_id"] = host
        return 200, {"binding": {"host": host, "status": "ACTIVE"}}

    return State()
