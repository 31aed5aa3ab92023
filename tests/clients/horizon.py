"""Horizon with Manila's panels in a headless browser."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator

from tests.conformance.launch import free_ports
from tests.peers import environments, processes

SETTINGS = """
import os

OPENSTACK_KEYSTONE_URL = os.environ["HORIZON_KEYSTONE_URL"]
OPENSTACK_API_VERSIONS = {"identity": 3}
OPENSTACK_KEYSTONE_MULTIDOMAIN_SUPPORT = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
STATIC_ROOT = os.environ["HORIZON_STATIC"]
SECRET_KEY = "loopback-only-key-of-a-test-0123456789"
WEBROOT = "/"
COMPRESS_OFFLINE = False
OPENSTACK_NEUTRON_NETWORK = {"enable_router": False, "enable_quotas": False, "enable_ipv6": True}
OPENSTACK_MANILA_FEATURES = {
    "enable_share_groups": True,
    "enable_replication": True,
    "enable_migration": True,
    "enable_public_share_type_creation": True,
    "enable_public_share_group_type_creation": True,
    "enable_public_shares": True,
    "enabled_share_protocols": ["NFS", "CIFS"],
}
"""


def _environment(folder: pathlib.Path, identity: str) -> dict[str, str]:
    return {
        **os.environ,
        "HORIZON_KEYSTONE_URL": identity,
        "HORIZON_STATIC": str(folder / "static"),
        "DJANGO_SETTINGS_MODULE": "openstack_dashboard.settings",
        "PYTHONWARNINGS": "ignore",
    }


def _prepare(folder: pathlib.Path, settings: str) -> None:
    """Switch Manila's panels on, write the settings and gather the static files."""
    site = next(folder.glob("lib/python*/site-packages"))
    local = site / "openstack_dashboard" / "local"
    for name in ("enabled", "local_settings.d"):
        (local / name).mkdir(exist_ok=True)
        for file in (site / "manila_ui" / "local" / name).glob("_*.py"):
            shutil.copy(file, local / name)
    (local / "local_settings.py").write_text((local / "local_settings.py.example").read_text() + settings)
    collect = [str(folder / "bin" / "python"), "-m", "django", "collectstatic", "--noinput", "-v0"]
    subprocess.run(collect, check=True, env=_environment(folder, "http://127.0.0.1/v3"), stdout=subprocess.DEVNULL)


def programs() -> pathlib.Path:
    """The ``bin`` folder of an environment with Horizon and what drives a browser; the browser is installed too."""
    environments.debian(chromium="chromium", chromedriver="chromium-driver")
    return environments.programs("horizon", SETTINGS, _prepare)


@contextlib.contextmanager
def _served(identity: str, out: pathlib.Path) -> Iterator[str]:
    python = programs() / "python"
    (port,) = free_ports(1)
    serve: list[str | pathlib.Path] = [python, "-m", "django", "runserver", "--noreload", f"127.0.0.1:{port}"]
    env = _environment(python.parent.parent, identity)
    with processes.running(serve, out / "horizon-server.log", env=env) as child:
        processes.answers(f"http://127.0.0.1:{port}/auth/login/", child)
        yield f"http://127.0.0.1:{port}"


def check(identity: str, checks: pathlib.Path, out: pathlib.Path) -> str:
    """Run the vendored checks and return what they printed. ``out`` gets log and pictures."""
    with _served(identity, out) as url:
        command = [str(programs() / "python"), str(checks), "--horizon", url, "--shots", str(out / "horizon")]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
