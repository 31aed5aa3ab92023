"""Skyline in a headless browser: its API server, its console, and a small front instead of a web server."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.clients import horizon
from tests.clients.stage import VENDORED, Stage
from tests.conformance.launch import free_ports
from tests.peers import environments, processes

_CONF = """\
default:
  database_url: sqlite:///{folder}/skyline.db
  log_dir: {folder}
  secret_key: loopbackkey
  session_name: session
  ssl_enabled: false
openstack:
  keystone_url: {identity}/
  system_project: service
  system_user_name: nova
  system_user_password: secret
  default_region: RegionOne
  interface_type: public
  enforce_new_defaults: true
"""


@contextlib.contextmanager
def _served(on: Stage, folder: pathlib.Path, out: pathlib.Path) -> Iterator[str]:
    programs = environments.programs("skyline")
    site = next(programs.parent.glob("lib/python*/site-packages"))
    (folder / "skyline.yaml").write_text(_CONF.format(folder=folder, identity=on.identity))
    env = {**os.environ, "OS_CONFIG_DIR": str(folder), "PYTHONWARNINGS": "ignore"}
    migrate = [str(programs / "alembic"), "-c", "alembic/alembic.ini", "upgrade", "head"]
    subprocess.run(migrate, check=True, cwd=site / "skyline_apiserver" / "db", env=env, capture_output=True)
    api_port, port = free_ports(2)
    api: list[str | pathlib.Path] = [
        programs / "python",
        "-m",
        "uvicorn",
        "--host",
        "127.0.0.1",
        "--port",
        str(api_port),
    ]
    front: list[str | pathlib.Path] = [sys.executable, VENDORED / "skyline_front.py", "--port", str(port)]
    front += ["--static", site / "skyline_console" / "static", "--skyline", f"http://127.0.0.1:{api_port}"]
    services = {"keystone": on.identity.removesuffix("/v3"), "manilav2": on.at.url, "neutron": on.at.neutron}
    front += [word for name, url in services.items() for word in ("--service", f"{name}={url}")]
    with (
        processes.running([*api, "skyline_apiserver.main:app"], out / "skyline-api.log", env=env) as child,
        processes.running(front, out / "skyline-front.log", env=env) as web,
    ):
        processes.answers(f"http://127.0.0.1:{api_port}/", child)
        processes.answers(f"http://127.0.0.1:{port}/", web)
        yield f"http://127.0.0.1:{port}"


def check(on: Stage, out: pathlib.Path) -> str:
    """Run the vendored checks, the administrator's pages too, and return what they printed."""
    with tempfile.TemporaryDirectory(prefix="manila-skyline-") as name, _served(on, pathlib.Path(name), out) as url:
        command = [str(horizon.programs() / "python"), str(VENDORED / "skyline_check.py"), "--admin-pages"]
        command += ["--front", url, "--shots", str(out / "skyline")]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
