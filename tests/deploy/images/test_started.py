"""The images as an operator starts them: read-only, without capabilities, asked over HTTP."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from deploy.images import bill, build, recipes
from drivers.ganesha.program import pins

pytestmark = pytest.mark.images
PORT, DATABASE, METRICS = 27401, 27402, 27403
NAME = f"api-{os.getpid()}"
HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
# podman asks for more than a container's root may have here, unless told
ULIMITS = ("--ulimit", f"nofile=1024:{HARD}", "--ulimit", "nproc=4096:4096")
LIMITED = (*ULIMITS, "--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp")
TOKENS = pathlib.Path(__file__).parent.parent.parent / "conformance" / "vendored" / "tokens.json"
CONF = f"""\
[DEFAULT]
osapi_share_listen = 127.0.0.1
osapi_share_listen_port = {PORT}
[database]
connection = postgresql://manila:trial@127.0.0.1:{DATABASE}/manila
[keystone_authtoken]
auth_type = none
[openkeel]
static_tokens = /etc/manila/tokens.json
metrics_port = {METRICS}
"""


class Podman:
    """podman on the store in which the images were built, in the network of this machine."""

    def __init__(self, archives: dict[str, pathlib.Path], folder: pathlib.Path) -> None:
        (store,) = {archive.parent for archive in archives.values()}
        self._images = {name: build.tagged(archive) for name, archive in archives.items()}
        self._words = ["podman", *build.store_words(store), "--cgroup-manager", "cgroupfs"]
        self._words += ["--events-backend", "file", "--tmpdir", str(folder), "--runtime", "runc"]
        self.started: list[str] = []

    def image(self, name: str) -> str:
        """The name of an image in the store."""
        return self._images[name]

    def __call__(self, *words: str, check: bool = True, text: str | None = None) -> str:
        whole = [*self._words, *words]
        done = subprocess.run(whole, input=text, capture_output=True, text=True, check=False, timeout=300)
        assert not check or done.returncode == 0, f"{words}: {done.stderr[-2000:]}"
        return done.stdout + (done.stderr if words[0] == "logs" else "")

    def start(self, name: str, image: str, *words: str, options: tuple[str, ...] = ()) -> None:
        """Start a container in the background."""
        limits = ("--network", "host", *LIMITED)
        self("run", "--detach", "--name", name, *limits, *options, self.image(image), *words)
        self.started.append(name)


@pytest.fixture(scope="module")
def archives() -> dict[str, pathlib.Path]:
    lacking = [name for name in ("mmdebstrap", "buildah", "podman", "runc") if not shutil.which(name)]
    if os.geteuid() != 0:
        pytest.skip("needs root: images are built and containers started without a daemon")
    if lacking:
        pytest.skip(f"needs {', '.join(lacking)}, which `python3 noxfile.py images` installs")
    return build.build()


@pytest.fixture(scope="module")
def podman(archives: dict[str, pathlib.Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Podman]:
    made = Podman(archives, tmp_path_factory.mktemp("podman"))
    yield made
    for container in made.started:
        made("rm", "--force", "--time", "20", container, check=False)


@pytest.fixture(scope="module")
def conf(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = tmp_path_factory.mktemp("conf")
    (folder / "manila.conf").write_text(CONF)
    shutil.copyfile(TOKENS, folder / "tokens.json")
    folder.chmod(0o755)
    return ("--volume", f"{folder}:/etc/manila:ro")


@pytest.fixture(scope="module")
def database(podman: Podman, conf: tuple[str, ...]) -> None:
    """A trial's database with the schema of the image."""
    options = ("--tmpfs", "/var/lib/trial:mode=1777", "--env", "POSTGRES_PASSWORD=trial")
    podman.start(
        f"database-{os.getpid()}", "manila-postgresql-trial", "trial-postgresql", "-p", str(DATABASE), options=options
    )
    sync = ("run", "--rm", "--network", "host", *LIMITED, *conf)
    end = time.monotonic() + 60
    while True:
        try:
            podman(*sync, podman.image("manila-worker"), "manila-manage", "db", "sync")
            return
        except AssertionError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def fetch(port: int, path: str, token: str | None = None, seconds: float = 60) -> tuple[int, str]:
    """Status and body, as soon as somebody listens."""
    end = time.monotonic() + seconds
    while True:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
        if token:
            request.add_header("X-Auth-Token", token)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def test_the_api_answers(podman: Podman, conf: tuple[str, ...], database: None) -> None:
    begin = time.monotonic()
    podman.start(NAME, "manila-api", options=conf)
    status, body = fetch(PORT, "/v2/", "member-a-token")
    print(f"the API's image answers after {time.monotonic() - begin:.1f} s")
    assert status == 200, f"{body}\n{podman('logs', NAME)}"
    assert json.loads(body)["versions"][0]["version"] == "2.99"
    assert fetch(PORT, "/v2/shares")[0] == 401
    status, body = fetch(PORT, "/v2/shares", "member-a-token")
    assert (status, json.loads(body)) == (200, {"shares": []})
    assert fetch(METRICS, "/readyz") == (200, '{"status":"ok"}')
    podman("exec", "--env", f"MANILA_HEALTH=http://127.0.0.1:{METRICS}/healthz", NAME, recipes.HEALTH)
    who = podman("exec", NAME, "id", "--user").strip()
    assert who == str(recipes.USER)
    assert podman("exec", NAME, "cat", "/proc/1/status").split("CapEff:")[1].split()[0].strip("0") == ""
    podman("stop", "--time", "20", NAME)
    assert json.loads(podman("inspect", NAME))[0]["State"]["ExitCode"] == 0


@pytest.mark.parametrize("program", ["manila-scheduler", "manila-data", "manila-share"])
def test_the_worker_is_every_other_program(podman: Podman, conf: tuple[str, ...], database: None, program: str) -> None:
    name = f"{program}-{os.getpid()}"
    podman.start(name, "manila-worker", program, options=conf)
    assert fetch(METRICS, "/readyz") == (200, '{"status":"ok"}'), podman("logs", name)
    podman("rm", "--force", "--time", "20", name, check=False)


def test_the_trial_s_database_is_dumped_and_restored_in_its_container(podman: Podman, database: None) -> None:
    """The image's programs find the database by its environment alone, with the password."""
    name, port = f"database-{os.getpid()}", ("--env", f"PGPORT={DATABASE}", "--env", "PGPASSWORD=trial")
    podman("exec", *port, name, *recipes.RECIPES[-1].health)
    dump = podman("exec", *port, name, "pg_dump", "--clean", "--if-exists")
    assert "CREATE TABLE public.shares " in dump
    quiet = ("psql", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1")
    podman("exec", "--interactive", *port, name, *quiet, text=dump)


def test_the_gateway_has_what_it_runs(podman: Podman) -> None:
    words = ("run", "--rm", "--network", "none", *LIMITED, podman.image("manila-gateway"))
    show = f"manila-manage ganesha show --root {recipes.GANESHA}"
    text = podman(*words, "sh", "-ec", f"{show}; dbus-daemon --version; nft --version; readlink /etc/mtab")
    version = pins.PACKAGES["nfs-ganesha"]
    assert f"NFS-Ganesha {version.partition('-')[0]}: {recipes.GANESHA}/bin/ganesha.nfsd" in text
    assert f"\nnfs-ganesha {version}\n" in text
    assert "/proc/self/mounts" in text
    assert "Message Bus Daemon" in text


def test_the_node_agent_can_mount(podman: Podman) -> None:
    words = ("run", "--rm", "--network", "none", *ULIMITS, "--read-only", "--privileged")
    script = "mkdir /tmp/a /tmp/b && mount --bind /tmp/a /tmp/b && grep -c /tmp/b /proc/self/mountinfo && umount /tmp/b"
    assert podman(*words, "--tmpfs", "/tmp", podman.image("manila-node-agent"), "sh", "-c", script).strip() == "1"


def test_labels_health_and_bill(podman: Podman, archives: dict[str, pathlib.Path]) -> None:
    for recipe in recipes.RECIPES:
        image = podman.image(recipe.name)
        found = json.loads(podman("image", "inspect", image))[0]
        wanted = build.labels(recipe)
        assert {name: found["Labels"].get(name) for name in wanted} == wanted
        assert found["User"] == f"{recipe.user}:{recipe.user}"
        health = found.get("HealthCheck") or found.get("Healthcheck")
        assert health["Test"] == ["CMD", *recipe.health] and recipe.health, recipe.name
        inside = podman("run", "--rm", "--network", "none", *ULIMITS, image, "cat", f"/{bill.PLACE}")
        document = json.loads(inside)
        purls = {str(one["purl"]).split("@")[0] for one in document["components"]}
        print(f"{recipe.name}: {len(purls)} components, {found['Size'] / 1e6:.0f} MB")
        assert "pkg:deb/debian/libc6" in purls
        assert ("pkg:deb/debian/nfs-ganesha" in purls) == recipe.ganesha
        assert ("pkg:pypi/fastapi" in purls) == recipe.product
        assert document == json.loads(archives[recipe.name].with_suffix(".cdx.json").read_text())


def test_images_share_their_layers(podman: Podman) -> None:
    layers: Callable[[str], list[str]] = lambda name: json.loads(  # noqa: E731
        podman("image", "inspect", podman.image(name))
    )[0]["RootFS"]["Layers"]
    api = layers("manila-api")
    for other in ("manila-worker", "manila-gateway", "manila-node-agent"):
        assert layers(other)[:3] == api[:3], other
