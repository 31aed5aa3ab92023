"""Objects of gateways and shares as Kubernetes is asked for them. Pure functions of names, sizes and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from drivers.ganesha.gateway.places import ALIVE, ANSWERS, CONTROL, DEVICES, READY, RUN, SHARES, STATE
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments import Attached, kube_ovn
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.options import minor_versions
from drivers.ganesha.ports import Server
from drivers.kubernetes import claims
from drivers.kubernetes.api import Object
from drivers.kubernetes.pods import parsed, secrets

CAPABILITIES: Final = ("CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "SETGID", "SETUID")
"""What Ganesha needs to act as its clients' users; nothing else, and no privilege."""
NOBODY: Final = 65534
ALIVE_LATELY: Final = f'test -n "$(find {RUN}/{ALIVE} -mmin -1)"'
"""Whether the agent has looked within the last minute."""
LIMITED: Final = {
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}


def state_name(server: Server) -> str:
    """Name of the claim with what must outlive a gateway's pod."""
    return f"state-{names.gateway_pod(server.id)}"


def state_claim(options: KubernetesOptions, server: Server) -> Object:
    """The volume with exports and recovery records, needed to move a gateway between nodes."""
    own = _labels(options, "state", server)
    return claims.claim(options, state_name(server), f"{options.kubernetes_state_size_mb}Mi", own)


def gateway(options: KubernetesOptions, server: Server, attached: Attached) -> Object:
    """The StatefulSet of one gateway: Ganesha with its bus, and the agent that tells it what to export."""
    own = _labels(options, "gateway", server)
    pod: Object = {
        "metadata": {"labels": own, "annotations": attached.annotations},
        "spec": {
            **_placement(options),
            **({"readinessGates": [{"conditionType": one} for one in attached.gates]} if attached.gates else {}),
            "affinity": _beside_holders(server.id),
            "automountServiceAccountToken": False,
            "enableServiceLinks": False,
            "dnsPolicy": "Default",
            "terminationGracePeriodSeconds": 5,
            "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
            "tolerations": [*parsed("kubernetes_tolerations", options.kubernetes_tolerations, list), *_leave(options)],
            "containers": [_ganesha(options, server, attached), _agent(options, server, attached)],
            "volumes": [
                {"name": "run", "emptyDir": {"medium": "Memory", "sizeLimit": "16Mi"}},
                {
                    "name": "state",
                    "persistentVolumeClaim": {"claimName": state_claim(options, server)["metadata"]["name"]},
                },
                _host_folder(options, server.id, "shares"),
                _host_folder(options, server.id, "control"),
                _host_folder(options, server.id, "devices"),
                # the node agent finds it by this name, below the kubelet's folder of the pod
                {"name": "answers", "emptyDir": {"medium": "Memory", "sizeLimit": "16Mi"}},
                {"name": "scratch", "emptyDir": {"medium": "Memory", "sizeLimit": "1Mi"}},
            ],
        },
    }
    spec = {
        "replicas": 1,
        "serviceName": names.gateway(server.id),
        "podManagementPolicy": "Parallel",
        # a new image or option must not restart gateways by itself: the operator chooses the moment of each
        "updateStrategy": {"type": "OnDelete"},
        "selector": {"matchLabels": selector(server.id)},
        "template": pod,
    }
    return {"metadata": names.metadata(names.gateway(server.id), options.kubernetes_namespace, own), "spec": spec}


def selector(server_id: str) -> dict[str, str]:
    """Labels by which a gateway's StatefulSet knows its pod."""
    return {names.SERVER: server_id, names.ROLE: "gateway"}


def _labels(options: KubernetesOptions, role: str, server: Server) -> dict[str, str]:
    """Labels of what a share server has: its id, its project, and the subnet of each port."""
    found = {names.SERVER: server.id, **({names.PROJECT: server.project} if server.project else {})}
    subnets = dict.fromkeys(one.subnet_id for one in server.addresses if one.subnet_id)
    found |= {names.SUBNET + (f"-{number}" if number > 1 else ""): one for number, one in enumerate(subnets, 1)}
    return names.labels(options.share_backend_name, role, **found)


def _beside_holders(server_id: str) -> Object:
    """A new pod of a gateway goes where its volumes are held, if it can: else each of them has to move, too."""
    held = {"matchLabels": {names.SERVER: server_id, names.ROLE: "holder"}}
    term = {"labelSelector": held, "topologyKey": "kubernetes.io/hostname"}
    near = {"weight": 100, "podAffinityTerm": term}
    return {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [near]}}


def _leave(options: KubernetesOptions) -> list[Object]:
    """How long a gateway stays on a node that is not ready or does not answer."""
    seconds = options.kubernetes_failover_seconds
    return [
        {
            "key": f"node.kubernetes.io/{condition}",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": seconds,
        }
        for condition in ("not-ready", "unreachable")
    ]


def _placement(options: KubernetesOptions) -> Object:
    found: Object = {"nodeSelector": parsed("kubernetes_node_selector", options.kubernetes_node_selector, dict)}
    if options.kubernetes_priority_class:
        found["priorityClassName"] = options.kubernetes_priority_class
    if named := secrets(options.kubernetes_pull_secrets):
        found["imagePullSecrets"] = named
    return found


def _host_folder(options: KubernetesOptions, server_id: str, name: str) -> Object:
    path = f"{options.kubernetes_gateways_path}/{server_id}/{name}"
    return {"name": name, "hostPath": {"path": path, "type": "DirectoryOrCreate"}}


def _mounts(*more: Object) -> list[Object]:
    return [{"name": "run", "mountPath": RUN}, {"name": "state", "mountPath": STATE}, *more]


def _shares() -> Object:
    """The folder that volumes are bound into can't be changed; that does not concern the volumes."""
    return {"name": "shares", "mountPath": SHARES, "mountPropagation": "HostToContainer", "readOnly": True}


def _ganesha(options: KubernetesOptions, server: Server, attached: Attached) -> Object:
    return {
        "name": "ganesha",
        "image": options.kubernetes_gateway_image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["manila-gateway"],
        "env": _settings(options, server, attached),
        "resources": parsed("kubernetes_gateway_resources", options.kubernetes_gateway_resources, dict),
        "securityContext": {**LIMITED, "capabilities": {"drop": ["ALL"], "add": list(CAPABILITIES)}},
        "volumeMounts": _mounts(
            _shares(),
            {"name": "devices", "mountPath": DEVICES, "readOnly": True},
            # Ganesha tries there whether the kernel has locks that belong to open files, and does without if it can't
            {"name": "scratch", "mountPath": "/tmp"},
        ),
    }


def _agent(options: KubernetesOptions, server: Server, attached: Attached) -> Object:
    """The agent also filters packets in the pod's network namespace, which the pod's containers share.

    The probes look for files: a program of its own for each look would cost more than the gateway does. An agent that
    does not look any more is started again, which Ganesha and its clients do not notice. Whether Ganesha hangs is its
    supervisor's to find out: a restart of the container would end it less gently.
    """
    admin = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "NET_ADMIN"]
    look = {"exec": {"command": ["test", "-e", f"{RUN}/{READY}"]}}
    return {
        "name": "agent",
        "image": options.kubernetes_gateway_image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["manila-ganesha-agent"],
        "env": _settings(options, server, attached),
        "resources": parsed("kubernetes_agent_resources", options.kubernetes_agent_resources, dict),
        "securityContext": {**LIMITED, "capabilities": {"drop": ["ALL"], "add": admin}},
        "startupProbe": {**look, "periodSeconds": 1, "failureThreshold": 600},
        "readinessProbe": {**look, "periodSeconds": 10, "failureThreshold": 1},
        "livenessProbe": {"exec": {"command": ["sh", "-c", ALIVE_LATELY]}, "periodSeconds": 20, "timeoutSeconds": 10},
        "volumeMounts": _mounts(
            _shares(),
            {"name": "control", "mountPath": CONTROL, "readOnly": True},
            {"name": "answers", "mountPath": ANSWERS},
        ),
    }


def _settings(options: KubernetesOptions, server: Server, attached: Attached) -> list[Object]:
    """What a gateway is told. Its packet filter closes all interfaces but those that the attachment names."""
    said = {
        "GATEWAY_SERVER": server.id,
        "GATEWAY_ADDRESSES": ",".join(one.ip for one in server.addresses),
        "GATEWAY_INTERFACES": ",".join(attached.interfaces),
        "GATEWAY_GRACE": str(options.ganesha_grace_period),
        "GATEWAY_LEASE": str(options.ganesha_lease_lifetime),
        "GATEWAY_HANG": str(options.ganesha_hang_timeout),
        "GATEWAY_VOLUMES": str(options.kubernetes_volumes_timeout),
        "GATEWAY_MINORS": ",".join(map(str, minor_versions(options))),
        "GATEWAY_METRICS": str(options.ganesha_metrics_port),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    own = {"name": "GATEWAY_POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.uid"}}}
    return [own, *({"name": name, "value": value} for name, value in said.items())]


def holder(options: KubernetesOptions, name: str, held: str, node: str, own: Mapping[str, str]) -> Object:
    """The pod that has the claim ``held`` of a share mounted on a node. It does nothing and may do nothing."""
    spec: Object = {
        **_resting(options),
        "nodeName": node,
        "containers": [_idle(options, "holder", [{"name": "share", "mountPath": "/share"}])],
        "volumes": [{"name": "share", "persistentVolumeClaim": {"claimName": held}}],
    }
    return {"metadata": names.metadata(names.holder(name), options.kubernetes_namespace, dict(own)), "spec": spec}


SAME: Final = (
    'share=$(stat -c %w /share) before=$(stat -c %w /before); test "$share" != - -a "$share" = "$before"'
    ' || { echo "its root folder was born at $share, that of the share at $before"; exit 1; }'
)


def proof(
    options: KubernetesOptions, name: str, held: Sequence[str], node: str | None, own: Mapping[str, str]
) -> Object:
    """The pod that mounts the copy ``held[0]``, and runs if that is of the file system of ``held[1]``, if named.

    Args:
        node: where the share's volume is mounted; None: nowhere.
    """
    program = _idle(options, "proof", [{"name": "share", "mountPath": "/share"}])
    volumes = [{"name": "share", "persistentVolumeClaim": {"claimName": held[0]}}]
    spec: Object = {**_resting(options), "restartPolicy": "Never", "containers": [program]}
    if len(held) > 1:
        volumes.append({"name": "before", "persistentVolumeClaim": {"claimName": held[1]}})
        mounts = [*program["volumeMounts"], {"name": "before", "mountPath": "/before", "readOnly": True}]
        compare: Object = {**program, "name": "compare", "command": ["sh", "-c", SAME], "volumeMounts": mounts}
        spec["initContainers"] = [{**compare, "terminationMessagePolicy": "FallbackToLogsOnError"}]
    spec["volumes"] = volumes
    if node is None:
        spec["tolerations"] = parsed("kubernetes_tolerations", options.kubernetes_tolerations, list)
    else:
        spec["nodeName"] = node
    return {"metadata": names.metadata(name, options.kubernetes_namespace, dict(own)), "spec": spec}


def _idle(options: KubernetesOptions, name: str, mounts: list[Object]) -> Object:
    """A container that has volumes mounted. It does nothing and may do nothing."""
    return {
        "name": name,
        "image": options.kubernetes_gateway_image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["sleep", "infinity"],
        "securityContext": {**LIMITED, "runAsNonRoot": True, "runAsUser": NOBODY},
        "resources": parsed("kubernetes_holder_resources", options.kubernetes_holder_resources, dict),
        "volumeMounts": mounts,
    }


def _resting(options: KubernetesOptions) -> Object:
    """What the pods of such containers have in common."""
    return {
        **_placement(options),
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 0,
        "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
        "tolerations": [{"operator": "Exists"}],
    }


POLICY_FOR: Final = "ovn.kubernetes.io/network_policy_for"
"""Annotation of a NetworkPolicy: the interfaces that it is about. Without it Kube-OVN takes all of a pod that are its
own, those in tenants' networks among them; ``ovn`` is the pod network's."""


def closed(options: KubernetesOptions) -> Object:
    """Nobody may talk to this back end's gateways over the pod network, nor they to anybody.

    A gateway whose primary interface is in the tenant's network is not in the pod network at all: a policy would close
    it to its clients. Empty lists are said, so that an apply takes away what somebody else has put there.
    """
    own = names.labels(options.share_backend_name, "policy")
    roles = ["holder", "proof"] if kube_ovn.is_primary(options) else ["gateway", "holder", "proof"]
    selector = {
        "matchLabels": {names.BACKEND: options.share_backend_name},
        "matchExpressions": [{"key": names.ROLE, "operator": "In", "values": roles}],
    }
    spec = {"podSelector": selector, "policyTypes": ["Ingress", "Egress"], "ingress": [], "egress": []}
    name = names.of_backend("gateways-closed", options.share_backend_name)
    return {"metadata": names.metadata(name, options.kubernetes_namespace, own, {POLICY_FOR: "ovn"}), "spec": spec}
