"""``manila-node-agent``: binds volumes into the gateways of its node, and carries orders and answers.

Environment: ``NODE_NAME``, ``NAMESPACE`` of the gateways, ``NAMESPACE_FORM`` (``project``: of projects, too),
``PODS_FOLDER`` of the kubelet, ``GATEWAYS_FOLDER``,
``KUBECONFIG`` outside of a pod, ``METRICS_PORT`` (0: none), ``METRICS_TOP`` (how many shares and clients have figures),
``MARKS_FOLDER`` of files for probes (see the agent's).
On a node with Neutron's OVN: ``OVN_DATABASE``, the socket of Open vSwitch's database, and ``OVN_NODE_SPACE``, the file
of its network namespace; for that the agent needs the node's processes in sight (``hostPID``).
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import prometheus_client

from cli import agents, log
from drivers.ganesha.kubernetes import node_figures
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.ovn import plug
from drivers.ganesha.kubernetes.spaces.naming import PROJECT
from drivers.kubernetes.api import NODE_MANAGER, Cluster
from generated.settings import OpenkeelSection

DEFAULT = KubernetesOptions(name="")


def main() -> int:
    """Follow what is wanted of the gateways on this node until SIGTERM."""
    said = os.environ

    async def work(stop: asyncio.Event) -> None:
        node_figures.CLIENTS.top = int(said.get("METRICS_TOP", node_figures.CLIENTS.top))
        if port := int(said.get("METRICS_PORT", "0")):
            prometheus_client.start_http_server(port)
        gateways = said.get("GATEWAYS_FOLDER", DEFAULT.kubernetes_gateways_path)
        marks = Path(said["MARKS_FOLDER"]) if "MARKS_FOLDER" in said else None
        places = Places(Path(said.get("PODS_FOLDER", "/var/lib/kubelet/pods")), Path(gateways), marks)
        # it looks again anyway: waiting for an API that is away would keep the gateways waiting, too
        cluster = Cluster(said.get("KUBECONFIG"), timeout=5.0, patience=0.0, manager=NODE_MANAGER)
        try:
            plugger = plug.from_environment(cluster, said["NAMESPACE"])
            projects = said.get("NAMESPACE_FORM") == PROJECT
            agent = NodeAgent(cluster, said["NAMESPACE"], said["NODE_NAME"], places, plugger, projects=projects)
            node_figures.CLIENTS.source = agent.seen
            await agent.run(stop)
        finally:
            await cluster.close()

    return agents.run(work, _logs)


def _logs(form: str, level: str) -> None:
    log.set_up(OpenkeelSection(log_format=form, log_level=level))


if __name__ == "__main__":
    sys.exit(main())
