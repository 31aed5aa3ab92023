"""One entry point for every task of the project: ``python3 noxfile.py SESSION... [-- ARGUMENTS]``.

It needs Python 3.11 and pip only: the first run makes ``.venv`` from the hash-locked ``requirements/dev.txt``, and all
sessions share it. ``python3 noxfile.py`` lists them; ``test`` stands for those that continuous integration runs.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from deploy import bootstrap, lanes, made, report  # noqa: E402

FIRST = ["generate"]
"""What may change files that others read."""
LANES = (
    ["lint", "types", "conformance", "cluster", "schemathesis", "tempest_part", "tests"],
    ["datapath", "ovn", "kube_api", "kube_node_part"],
    ["programs", "hostile"],
)
"""The sessions of ``python3 noxfile.py test``: those that compute, beside them those that wait, and what is built for
both, after which this lane has time for one that waits. ``tests``, ``kube_api`` and ``kube_node_part`` wait for the
programs that they need, so they come last."""
TEST = [name for lane in (FIRST, *LANES) for name in lane]
PARTS = ("tempest_part", "kube_node_part", "schemathesis", "hostile")
"""Of these, what runs by night is whole or longer."""
NIGHTLY: dict[str, list[str]] = {name: [] for name in TEST if name not in PARTS}
NIGHTLY |= {name: [] for name in ("docs", "planted", "bench", "bench_nfs", "images", "chart", "clients", "go_clients")}
NIGHTLY |= {"schemathesis": ["--long"], "hostile": ["--long"], "fuzz": ["--seed", "1-20", "--steps", "300"]}
NIGHTLY |= {"sweep": [], "adopt": [], "lab": ["fresh"], "nfs_clients": []}
NIGHTLY |= {"tempest": ["--processes", "2"], "kube_node": [], "kube_node_late": [], "cluster": ["--whole"]}
"""The sessions of ``python3 noxfile.py nightly`` with their arguments: what ``test`` runs, long, whole and doubled."""
BESIDE = ROOT.parent / "shared" / "oracle" / "oracle"
ORIGINAL = {
    "OPENKEEL_ORACLE": os.environ.get("OPENKEEL_ORACLE") or (str(BESIDE) if BESIDE.exists() else ""),
    "OPENKEEL_ORACLE_MANAGE": os.environ.get("OPENKEEL_ORACLE_MANAGE", ""),
}
"""Programs of the original, if they are here: what starts it, and its ``manila-manage``."""

if __name__ == "__main__":
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    names = [part for word in words[:at] for part in (TEST if word == "test" else [word])]
    chosen = ["--session", *names] if names else ["--list"]
    again = ["-m", "nox", "--noxfile", str(ROOT / "noxfile.py")]
    if words == ["test"]:
        interpreter = str(bootstrap.environment())
        os.environ["PYTHONPATH"] = str(ROOT)
        begin, reports, status = time.monotonic(), list[report.Report](), 0
        for wave in ((FIRST,), LANES):
            if status < lanes.INTERRUPTED:
                commands = [[interpreter, *again, "--session", *lane] for lane in wave]
                status = max(status, lanes.run(commands, reports))
            else:
                reports += [report.Report(lane) for lane in wave]
        print(*report.table(reports, time.monotonic() - begin), sep="\n", flush=True)
        raise SystemExit(status)
    bootstrap.reenter([*again, *chosen, *words[at:]])

import nox  # noqa: E402  (found only in the environment that bootstrap makes)

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "none"
nox.options.sessions = TEST

PYTHON = str(bootstrap.environment())
PACKAGES = ["api", "cli", "codegen", "db", "deploy", "drivers", "generated", "handlers", "network"]
PACKAGES += ["scheduler", "services", "worker", "tests", "noxfile.py"]
CI = bool(os.environ.get("CI"))
APART = "datapath or kernel or nfs_clients or demo or schemathesis or planted or ovn or kube_api or kube_node"
APART += " or lab or images"
"""Marks of tests that have a session of their own."""
PATIENCE = 300.0
"""Seconds that a program has after Ctrl-C: the demonstration's clean-up takes some 20, and more on a busy machine."""


def python(session: nox.Session, *arguments: str, **env: str) -> None:
    # after Ctrl-C a session may clean up; nox would kill it at once
    where = {"PYTHONPATH": str(ROOT), **env}
    session.run(PYTHON, *arguments, env=where, external=True, interrupt_timeout=PATIENCE, terminate_timeout=10)


def tool(session: nox.Session, name: str, *arguments: str) -> None:
    session.run(str(bootstrap.VENV / "bin" / name), *arguments, external=True)


def fingerprint(folder: pathlib.Path) -> dict[str, str]:
    """File -> hash of its content, for every file below ``folder`` that isn't a cache."""
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@nox.session
def generate(session: nox.Session) -> None:
    """Write generated/ from spec/; with CI set, or ``-- --check``, fail if that changes a file."""
    before = fingerprint(ROOT / "generated")
    python(session, "-m", "codegen")
    after = fingerprint(ROOT / "generated")
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    session.log(f"{len(after)} generated files, {len(changed)} changed")
    if changed and (CI or "--check" in session.posargs):
        session.error("not what the generator writes: " + ", ".join(changed))


@nox.session
def lint(session: nox.Session) -> None:
    """Style (ruff) and who may import whom (import-linter)."""
    paths = session.posargs or PACKAGES
    tool(session, "ruff", "check", *paths)
    tool(session, "ruff", "format", "--check", *paths)
    tool(session, "lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Type check everything hand-written and generated (mypy --strict)."""
    tool(session, "mypy", "--strict", *(session.posargs or PACKAGES))


@nox.session
def tests(session: nox.Session) -> None:
    """Unit, property, contract and fault tests; ``-- ARGUMENTS`` go to pytest."""
    if not session.posargs:
        wanted = [PYTHON, "-m", "tests.lab.programs", "helm", "promtool", "prometheus"]
        # one that does not build fails the session `programs`, not this one
        session.run(*wanted, env={"PYTHONPATH": str(ROOT)}, external=True, success_codes=[0, 1])
    python(session, "-m", "pytest", "-n", "2", "-m", f"not ({APART})", *(session.posargs or ["tests"]))


@nox.session
def conformance(session: nox.Session) -> None:
    """Replay the recordings of the original on the running service; ``-- NAME...`` chooses scenarios."""
    python(session, "-m", "tests.conformance.replay", *session.posargs)


@nox.session
def cluster(session: nox.Session) -> None:
    """Two API processes, schedulers and workers of each back end: recordings (``-- --whole``: all), many clients."""
    names = ["share-lifecycle", "access-rules", "snapshots", "quotas", "dhss-share-server-lifecycle"]
    whole = "--whole" in session.posargs
    chosen = [] if whole else session.posargs or names
    python(session, "-m", "tests.conformance.replay", "--processes", "2", *chosen)
    if whole or not session.posargs:
        python(session, "-m", "tests.conformance.crowd", "--processes", "2")


@nox.session
def adopt(session: nox.Session) -> None:
    """A database of the original is taken over and given back: ``-- --oracle PROGRAM --manage PROGRAM``."""
    python(session, "-m", "tests.conformance.adopt", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Random sequences on the service and the original: ``-- --oracle PROGRAM --seed 1-10``."""
    python(session, "-m", "tests.conformance.fuzz_live", *session.posargs)


@nox.session
def sweep(session: nox.Session) -> None:
    """Every operation at every microversion on the service and the original: ``-- --oracle PROGRAM reads``."""
    python(session, "-m", "tests.conformance.sweep_live", *session.posargs)


@nox.session
def tempest(session: nox.Session) -> None:
    """The original's functional suite with a real Keystone; ``-- --profile dhss --part 1/4 REGEX`` for less."""
    python(session, "-m", "tests.tempest.run", *session.posargs)


@nox.session
def tempest_part(session: nox.Session) -> None:
    """A part of the functional suite, for continuous integration: some minutes."""
    python(session, "-m", "tests.tempest.run", "--part", "1/6")


@nox.session
def clients(session: nox.Session) -> None:
    """Command line, Python SDK, Horizon and Skyline on the running service; ``-- cli sdk horizon skyline`` chooses."""
    python(session, "-m", "tests.clients.run", *session.posargs)


@nox.session
def go_clients(session: nox.Session) -> None:
    """Suites of gophercloud, the CSI driver and Terraform's provider; ``-- gophercloud csi terraform`` chooses."""
    python(session, "-m", "tests.clients.run_go", *session.posargs)


@nox.session
def schemathesis(session: nox.Session) -> None:
    """Generated requests at five microversions as three personas; ``-- --long`` for 100 an operation."""
    rest = [word for word in session.posargs if word != "--long"]
    long = {"LONG": "1"} if len(rest) < len(session.posargs) else {}
    python(session, "-m", "pytest", "-m", "schemathesis", "-s", "tests/schemathesis", *rest, **long)


@nox.session
def hostile(session: nox.Session) -> None:
    """Bytes that are nearly requests for 5 minutes; ``-- --long``: for 30, and memory and fairness under attacks."""
    if "--long" not in session.posargs:
        python(session, "-m", "tests.hostile.fuzz", "--seconds", "300", "--pause", "0.1", *session.posargs)
        return
    python(session, "-m", "tests.hostile.fuzz", "--seconds", "1800", "--seed", str(time.time_ns()))
    python(session, "-m", "tests.hostile.memory")
    for arguments in (["--shares", "1000"], ["--shares", "100000"], ["--shares", "100000", "--whole"]):
        python(session, "-m", "tests.hostile.fairness", *arguments)


@nox.session
def nightly(session: nox.Session) -> None:
    """Everything in ``NIGHTLY``, one after the other whatever fails; ``-- NAME...`` for some of it."""
    original = {name: ["OPENKEEL_ORACLE"] for name in ("fuzz", "sweep")}
    original |= {"adopt": ["OPENKEEL_ORACLE", "OPENKEEL_ORACLE_MANAGE"]}
    if unknown := sorted(set(session.posargs) - NIGHTLY.keys()):
        session.error(f"not in it: {', '.join(unknown)}")
    for name, arguments in NIGHTLY.items():
        if session.posargs and name not in session.posargs:
            continue
        lacking = [variable for variable in original.get(name, ()) if not ORIGINAL.get(variable)]
        if lacking:
            session.warn(f"{name} is left out: it needs the original, and {' and '.join(lacking)} name no program")
            continue
        programs = [ORIGINAL[variable] for variable in original.get(name, ())]
        options = [word for pair in zip(("--oracle", "--manage"), programs, strict=False) for word in pair]
        session.notify(name, [*options, *arguments])


@nox.session
def datapath(session: nox.Session) -> None:
    """Real Ganesha, real NFS clients, two tenants with one CIDR, and the demo (root)."""
    lacking = bootstrap.debian_packages(kernel=True)
    if lacking:
        session.warn(f"all but the demonstration on the dummy driver is LEFT OUT: {lacking}")
        python(session, "-m", "pytest", "-m", "demo", "tests/datapath/test_demo.py")
        return
    python(session, "-m", "pytest", "-m", "datapath or kernel or demo", *(session.posargs or ["tests"]))


@nox.session
def programs(session: nox.Session) -> None:
    """Build what tests run and Go compiles, once per content: helm, Prometheus, Kubernetes; or say why not."""
    python(session, "-m", "tests.lab.programs", *session.posargs)


@nox.session
def nfs_clients(session: nox.Session) -> None:
    """Linux 5.10 to 7, others' suites, an hour of contention (root); -- --kernels 6.12 --minutes 5 --short."""
    python(session, "-m", "tests.datapath.clients.session", *session.posargs)


@nox.session
def lab(session: nox.Session) -> None:
    """Build the Kubernetes of the tests into the user's cache, once per content; ``-- api`` for its API server only.

    ``-- fresh`` builds it and the other programs from nothing, with empty caches that are removed afterwards.
    """
    python(session, "-m", "tests.lab.build", *session.posargs)


@nox.session
def kube_api(session: nox.Session) -> None:
    """The Kubernetes client, roles and resources on a real API server (no root); left out unless it can be built."""
    python(session, "-m", "tests.lab.sessions", "api", *session.posargs)


@nox.session
def kube_node(session: nox.Session) -> None:
    """Gateways and shares on a real Kubernetes with two nodes (root); left out, saying why, if it can't run."""
    python(session, "-m", "tests.lab.sessions", "node", *session.posargs)


@nox.session
def kube_node_late(session: nox.Session) -> None:
    """kube_node on storage that binds copies at once, makes them later, and keeps snapshots inside of their volume."""
    python(session, "-m", "tests.lab.sessions", "node", "--late", *session.posargs)


@nox.session
def kube_node_part(session: nox.Session) -> None:
    """Of kube_node what a tenant does: a share, rules, growth, snapshots, and a whole session on the chart."""
    files = [f"tests/kube/node/test_{name}.py" for name in ("whole", "gateway")]
    python(session, "-m", "tests.lab.sessions", "node", "-s", *files)


@nox.session
def images(session: nox.Session) -> None:
    """Build the container images into the cache folder and start them (root); ``-- --refresh`` for Debian of today."""
    lacking = bootstrap.image_packages()
    if lacking:
        session.skip(lacking)
    python(session, "-m", "deploy.images.build", *session.posargs)
    python(session, "-m", "pytest", "-m", "images", "-s", "tests/deploy")


@nox.session
def chart(session: nox.Session) -> None:
    """Build helm and Prometheus, check chart, goldens and alerts, install in the lab (root; -- --quick: not that)."""
    python(session, "-m", "deploy.helm.build")
    python(session, "-m", "tests.deploy.chart.prometheus.build")
    python(session, "-m", "pytest", "-s", "tests/deploy/chart")
    python(session, "-m", "tests.lab.sessions", "api", "-s", "tests/kube/api/test_chart.py")
    if "--quick" not in session.posargs:
        python(session, "-m", "tests.lab.sessions", "node", "-s", "tests/kube/node/test_chart.py")


@nox.session
def ovn(session: nox.Session) -> None:
    """Gateways' ports on a real OVN of two chassis, with a Neutron (root); left out, saying why, if it can't run."""
    python(session, "-m", "tests.lab.ovn", *session.posargs)


@nox.session
def demo(session: nox.Session) -> None:
    """Bring everything up on embedded parts: a tenant writes to a share; ``-- shell tenant-a`` beside ``--keep``."""
    needs_nothing = {"--dummy", "shell"} & set(session.posargs)
    lacking = None if needs_nothing else bootstrap.debian_packages()
    if lacking:
        session.warn(lacking + "; going on with the dummy driver, without the NFS part")
    python(session, "-m", "deploy.embedded.demo", *(["--dummy"] if lacking else []), *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Load on two API processes and dummy back ends; ``-- --peer targets.json`` compares with the original."""
    python(session, "-m", "tests.perf.run", *session.posargs)


@nox.session
def bench_nfs(session: nox.Session) -> None:
    """NFS through a gateway beside a plain Ganesha and the share's file system (root); ``-- --quick`` for a minute."""
    lacking = bootstrap.debian_packages()
    if lacking:
        session.skip(lacking)
    python(session, "-m", "tests.perf.nfs.run", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the pages of docs/ into dist/docs; a broken reference fails."""
    tool(session, "sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "docs", "dist/docs")
    pages = [f"{file.relative_to(ROOT / 'docs').with_suffix('.html')}" for file in (ROOT / "docs").rglob("*.md")]
    if missing := made.lacking(ROOT / "dist" / "docs", pages):
        session.error(made.sentence("the pages in dist/docs", missing, "look at docs/conf.py"))


@nox.session
def planted(session: nox.Session) -> None:
    """Plant an error for each checking session and see that session fail."""
    python(session, "-m", "pytest", "-m", "planted", "tests/repository", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Resolve the dependencies into the hash-locked files of requirements/; ``-- --upgrade`` for newer versions."""
    common = ["pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-annotate"]
    common += ["--no-emit-index-url", "--no-emit-find-links", "--python-version", "3.11"]
    common += ["--custom-compile-command", "python3 noxfile.py lock", *session.posargs]
    everything = ["--extra", "embedded", "pyproject.toml", "requirements/dev.in"]
    tool(session, "uv", *common, *everything, "--output-file", "requirements/dev.txt")
    product = ["--constraints", "requirements/dev.txt", "pyproject.toml"]
    tool(session, "uv", *common, *product, "--output-file", "requirements/product.txt")
    for name in ("horizon", "keystone", "skyline", "tempest"):  # programs that tests run, each in its own environment
        tool(session, "uv", *common, f"requirements/{name}.in", "--output-file", f"requirements/{name}.txt")
