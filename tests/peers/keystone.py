"""A real Keystone on a database of the given server: fernet tokens, one process, its cache in memory."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.peers import environments, processes

PASSWORD = "only-for-tests"
REGION = "RegionOne"
_CONF = """\
[DEFAULT]
log_file = {folder}/keystone.log

[database]
connection = {database}

[token]
provider = fernet
expiration = 86400

[fernet_tokens]
key_repository = {folder}/fernet

[credential]
key_repository = {folder}/credential

[cache]
enabled = true
backend = dogpile.cache.memory

[identity]
# the cheapest: a functional suite makes hundreds of users
password_hash_algorithm = bcrypt
password_hash_rounds = 4
"""
_SERVER = """\
# a file, since Keystone reads the command line as its own; one process: what one caches, another would not see revoked
wsgi_app = "keystone.wsgi.api:application"
bind = "127.0.0.1:{port}"
worker_class = "gthread"
threads = 8
keepalive = 30
control_socket_disable = True
"""


@dataclass(frozen=True, slots=True)
class Keystone:
    """A running Keystone; ``url`` ends in ``/v3``. The administrator is ``admin`` of project ``admin``."""

    url: str

    def login(self, user: str = "admin", project: str = "admin") -> dict[str, str]:
        """Options of ``auth_type = password`` for an account of the domain Default."""
        return {
            "auth_type": "password",
            "auth_url": self.url,
            "username": user,
            "password": PASSWORD,
            "project_name": project,
            "user_domain_name": "Default",
            "project_domain_name": "Default",
        }


def _prepare(folder: pathlib.Path, conf: pathlib.Path, url: str) -> None:
    """Tables, keys and the administrator."""
    for name in ("fernet", "credential"):
        (folder / name).mkdir(mode=0o700)
    manage = [str(environments.programs("keystone") / "keystone-manage"), "--config-file", str(conf)]
    urls = [word for side in ("public", "internal", "admin") for word in (f"--bootstrap-{side}-url", url)]
    owner = ["--keystone-user", str(os.geteuid()), "--keystone-group", str(os.getegid())]
    for command in (
        ["db_sync"],
        ["fernet_setup", *owner],
        ["credential_setup", *owner],
        ["bootstrap", "--bootstrap-password", PASSWORD, "--bootstrap-region-id", REGION, *urls],
    ):
        done = subprocess.run([*manage, *command], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"keystone-manage {command[0]}: {done.stderr[-2000:]}")


@contextlib.contextmanager
def keystone(folder: pathlib.Path, database: str, port: int) -> Iterator[Keystone]:
    """Keystone on an empty database for the time of the block.

    Args:
        folder: where its files go; it is made.
        database: ``postgresql://`` URL.
        port: of the loopback address.
    """
    folder.mkdir(parents=True)
    conf = folder / "keystone.conf"
    conf.write_text(_CONF.format(folder=folder, database=database.replace("postgresql://", "postgresql+psycopg2://")))
    root = f"http://127.0.0.1:{port}"
    _prepare(folder, conf, f"{root}/v3")
    (folder / "gunicorn.conf.py").write_text(_SERVER.format(port=port))
    env = {**os.environ, "OS_KEYSTONE_CONFIG_FILES": str(conf), "PYTHONWARNINGS": "ignore"}
    serve = [environments.programs("keystone") / "gunicorn"]
    with processes.running(serve, folder / "keystone.out", env=env, cwd=folder) as child:
        processes.answers(f"{root}/v3", child)
        yield Keystone(f"{root}/v3")


@contextlib.contextmanager
def administrator(at: Keystone) -> Iterator[Any]:
    """The identity part of openstacksdk, logged in as the administrator."""
    import openstack

    login = {key: value for key, value in at.login().items() if key != "auth_type"}
    cloud: Any = openstack.connect(
        auth=login, region_name=REGION, identity_api_version="3", load_yaml_config=False, load_envvars=False
    )
    try:
        yield cloud.identity
    finally:
        cloud.close()


def register(at: Keystone, share_url: str) -> None:
    """The service's user ``manila`` and its endpoint under the catalogue types that clients look for."""
    with administrator(at) as identity:
        add_user(identity, "manila", "service", ("admin", "service"))
        for kind in ("sharev2", "shared-file-system"):
            add_endpoint(identity, kind, f"manila-{kind}", share_url)


def add_user(identity: Any, name: str, project: str, roles: Iterable[str]) -> None:
    """A user of the domain Default with roles in a new project; ``PASSWORD`` is the password."""
    where = identity.create_project(name=project, domain_id="default")
    user = identity.create_user(name=name, password=PASSWORD, domain_id="default")
    for role in roles:
        found = identity.find_role(role) or identity.create_role(name=role)
        identity.assign_project_role_to_user(where, user, found)


def add_endpoint(identity: Any, kind: str, name: str, url: str) -> None:
    """A service of the catalogue, under one URL for all its interfaces."""
    service = identity.create_service(type=kind, name=name)
    for side in ("public", "internal", "admin"):
        identity.create_endpoint(service_id=service.id, interface=side, url=url, region_id=REGION)
