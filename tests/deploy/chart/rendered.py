"""The chart rendered with each of its sample values, as it stands in ``tests/goldens/chart``.

The goldens are what reviews read. ``python -m tests.deploy.chart.rendered`` writes them anew; a test compares.
"""

from __future__ import annotations

import subprocess
from typing import Any

import yaml

from deploy.helm import build
from deploy.images.place import ROOT

CHART = ROOT / "deploy" / "chart"
GOLDENS = ROOT / "tests" / "goldens" / "chart"
NAMES = sorted(file.name.removesuffix("-values.yaml") for file in (CHART / "ci").glob("*-values.yaml"))
NAMESPACE = "openstack"
Document = dict[str, Any]


def helm(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run helm, which must be built."""
    done = subprocess.run([str(build.build()), *words], capture_output=True, text=True, check=False, timeout=120)
    assert not check or done.returncode == 0, done.stderr
    return done


def values(name: str) -> str:
    """The file with sample values."""
    return str(CHART / "ci" / f"{name}-values.yaml")


def render(name: str) -> str:
    """What helm makes of the chart."""
    words = ("template", "demo", str(CHART), "--namespace", NAMESPACE, "--values", values(name))
    return helm(*words, "--kube-version", "1.33.0").stdout


def golden(name: str) -> str:
    """What it made when somebody last looked."""
    return (GOLDENS / f"{name}.yaml").read_text()


def documents(name: str) -> list[Document]:
    """The golden's objects."""
    return [one for one in yaml.safe_load_all(golden(name)) if one]


def pods(name: str) -> list[tuple[str, Document]]:
    """Every pod that the golden's objects make, with the name of who makes it."""
    found = []
    for one in documents(name):
        template = one.get("spec", {}).get("template")
        if isinstance(template, dict) and "containers" in template.get("spec", {}):
            found.append((one["metadata"]["name"], template))
    return found


if __name__ == "__main__":
    GOLDENS.mkdir(parents=True, exist_ok=True)
    for each in NAMES:
        (GOLDENS / f"{each}.yaml").write_text(render(each))
