"""What the chart's objects say, read from the goldens."""

from __future__ import annotations

import pathlib
import tomllib
from collections.abc import Iterator

import pytest
import yaml

from cli import config
from deploy.helm import write
from deploy.images import recipes
from deploy.images.place import ROOT
from drivers.ganesha.kubernetes import names
from network.neutron import NeutronPlugin
from services.policy import Policy
from tests.deploy.chart import rendered
from worker import backends

WRITTEN = {"volumeattachments", "volumesnapshotcontents", "security-groups", "persistentvolumes"}
"""What has no namespace and is written all the same: for lost nodes, snapshots that come back, Kube-OVN's groups, and
volumes that outlive their claims."""
SPREAD = ("projects",)
"""Samples with a namespace for each project."""
WITHOUT = ("rwx",)
"""Samples without gateways."""
COPIED = ["registry"]
"""Secrets that the sample with projects has copied."""
GATEWAYS = {names.ROLE: "gateway"}
"""Who selects these means pods that the driver makes."""
SAMPLES = pytest.mark.parametrize("name", rendered.NAMES)
WITH_GATEWAYS = [name for name in rendered.NAMES if name not in WITHOUT]
SERVING = pytest.mark.parametrize("name", WITH_GATEWAYS)


@pytest.mark.parametrize("file", [file for file, _ in write.files()], ids=lambda file: file.name)
def test_files_that_follow_from_the_program_are_current(file: pathlib.Path) -> None:
    assert file.read_text() == dict(write.files())[file], "run `python -m deploy.helm.write`"


def test_the_chart_is_of_this_version() -> None:
    chart = yaml.safe_load((rendered.CHART / "Chart.yaml").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert chart["appVersion"] == project["version"]


def configuration(name: str, folder: pathlib.Path) -> list[pathlib.Path]:
    """The files of a golden's release, in the order in which its programs read them."""
    maps = [one for one in rendered.documents(name) if one["kind"] in ("ConfigMap", "Secret")]
    found = []
    for file in ("manila-secrets.conf", "manila.conf", "policy.yaml"):
        for one in maps:
            text = {**one.get("data", {}), **one.get("stringData", {})}.get(file)
            if text is not None:
                (folder / file).write_text(text)
        if (folder / file).exists() and file.endswith(".conf"):
            found.append(folder / file)
    return found


@SAMPLES
def test_the_service_understands_its_configuration(name: str, tmp_path: pathlib.Path) -> None:
    settings = config.load(configuration(name, tmp_path))
    Policy(settings)
    assert settings.openkeel.metrics_listen == "::"
    assert settings.default.host
    made = backends.build(settings)
    assert {one.name for one in made} == set(settings.default.enabled_share_backends)
    for one in made:
        section = settings.backends[one.name]
        assert section.kubernetes_gateway_image.endswith("manila-gateway:" + image_tag(name))
        spaces = [one["metadata"]["name"] for one in rendered.documents(name) if one["kind"] == "Namespace"]
        assert [section.kubernetes_namespace] == spaces
        classes = [one["metadata"]["name"] for one in rendered.documents(name) if one["kind"] == "PriorityClass"]
        secrets = {one["name"] for _, pod in rendered.pods(name) for one in pod["spec"].get("imagePullSecrets", [])}
        assert set(filter(None, section.kubernetes_pull_secrets.split(","))) == secrets
        if section.share_driver == "ganesha-kubernetes":
            assert [section.kubernetes_priority_class] == classes


def image_tag(name: str) -> str:
    images = {container["image"] for _, pod in rendered.pods(name) for container in pod["spec"]["containers"]}
    (tag,) = {image.rsplit(":", 1)[1] for image in images}
    return str(tag)


@SAMPLES
def test_every_image_is_one_that_is_built(name: str) -> None:
    known = {one.name for one in recipes.RECIPES}
    for who, pod in rendered.pods(name):
        for container in pod["spec"]["containers"]:
            assert container["image"].rsplit("/", 1)[1].split(":")[0] in known, who


@SAMPLES
def test_only_the_node_agent_is_privileged(name: str) -> None:
    for who, pod in rendered.pods(name):
        spec = pod["spec"]
        for container in spec["containers"]:
            own = container["securityContext"]
            assert own["readOnlyRootFilesystem"] is True, who
            if who.endswith("-node-agent"):
                assert own["privileged"] is True
                continue
            assert own["allowPrivilegeEscalation"] is False, who
            assert own["capabilities"] == {"drop": ["ALL"]}, who
            assert spec["securityContext"]["runAsNonRoot"] is True, who
            assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, who
            assert not any("hostPath" in volume for volume in spec["volumes"]), who


@SERVING
def test_a_node_s_agent_is_probed_by_files_and_reports_for_its_node_only(name: str) -> None:
    found = rendered.documents(name)
    (agent,) = [one for one in found if one["kind"] == "DaemonSet"]
    (container,) = agent["spec"]["template"]["spec"]["containers"]
    (folder,) = [one["value"] for one in container["env"] if one["name"] == "MARKS_FOLDER"]
    for probe, mark in (("startup", "alive"), ("liveness", "alive"), ("readiness", "ready")):
        assert f"{folder}/{mark}" in " ".join(container[f"{probe}Probe"]["exec"]["command"])
    policies = {one["metadata"]["name"]: one for one in found if one["kind"] == "ValidatingAdmissionPolicy"}
    bindings = (one["spec"] for one in found if one["kind"] == "ValidatingAdmissionPolicyBinding")
    bound = sorted(bindings, key=lambda one: str(one["policyName"]))
    assert [(one["policyName"], one["validationActions"]) for one in bound] == [
        (one, ["Deny"]) for one in sorted(policies)
    ]
    assert len(policies) == (3 if name in SPREAD else 2)
    account = f"{agent['metadata']['namespace']}:{agent['spec']['template']['spec']['serviceAccountName']}'"
    about = [one for who, one in policies.items() if who.endswith(("-node-agent", "-node-agent-shares"))]
    assert len(about) == 2
    for policy in about:
        assert policy["spec"]["matchConditions"][0]["expression"].endswith(f"system:serviceaccount:{account}")


@SAMPLES
def test_tokens_are_where_the_cluster_is_asked_and_nowhere_else(name: str) -> None:
    holders = {who for who, pod in rendered.pods(name) if pod["spec"].get("automountServiceAccountToken") is not False}
    assert all(who.endswith(("-share", "-node-agent")) for who in holders)
    assert len(holders) == (1 if name in WITHOUT else 2)


def rules(name: str) -> Iterator[tuple[str, list[str], list[str]]]:
    for one in rendered.documents(name):
        if one["kind"] in ("Role", "ClusterRole"):
            for rule in one["rules"]:
                if rule.get("resourceNames") != COPIED or rule["resources"] != ["secrets"]:
                    yield one["kind"], rule["resources"], rule["verbs"]


@SAMPLES
def test_roles_are_small(name: str) -> None:
    for kind, resources, verbs in rules(name):
        assert "*" not in resources + verbs
        assert "secrets" not in resources
        assert not {"pods/exec", "pods/attach", "serviceaccounts/token"} & set(resources)
        if name not in SPREAD and kind == "ClusterRole" and not set(resources) <= WRITTEN:
            assert set(verbs) <= {"get", "list", "watch"}, resources


@SAMPLES
def test_secrets_are_read_and_written_only_by_the_names_of_those_that_are_copied(name: str) -> None:
    found = {
        (one["kind"], verb)
        for one in rendered.documents(name)
        if one["kind"] in ("Role", "ClusterRole")
        for rule in one["rules"]
        if "secrets" in rule["resources"]
        for verb in rule["verbs"]
    }
    assert found == (
        {("Role", "get"), ("ClusterRole", "create"), ("ClusterRole", "patch")} if name in SPREAD else set()
    )


@pytest.mark.parametrize("name", SPREAD)
def test_with_projects_no_more_is_written_everywhere_than_in_one_namespace(name: str) -> None:
    found = rendered.documents(name)

    def granted(kind: str, who: str) -> set[tuple[str, str]]:
        (role,) = [one for one in found if one["kind"] == kind and one["metadata"]["name"].endswith(who)]
        rules = [rule for rule in role["rules"] if "resourceNames" not in rule]
        return {(resource, verb) for rule in rules for resource in rule["resources"] for verb in rule["verbs"]}

    for who in ("-share", "-node-agent"):
        more = {one for one in granted("ClusterRole", who) - granted("Role", who) if one[0] not in WRITTEN}
        made = {("namespaces", verb) for verb in ("create", "patch", "delete")} if who == "-share" else set()
        assert {one for one in more if one[1] not in ("get", "list", "watch")} == made
        assert granted("Role", who) <= granted("ClusterRole", who)


@SAMPLES
def test_selectors_find_their_pods(name: str) -> None:
    labels = [pod["metadata"]["labels"] for _, pod in rendered.pods(name)]
    for one in rendered.documents(name):
        spec = one.get("spec", {})
        selector = spec.get("selector") or spec.get("podSelector") or {}
        wanted = selector.get("matchLabels", selector if one["kind"] == "Service" else {})
        if wanted and one["kind"] != "ServiceMonitor" and wanted != GATEWAYS:
            assert any(wanted.items() <= found.items() for found in labels), (one["kind"], one["metadata"]["name"])


@SAMPLES
def test_every_program_is_probed_spread_and_disrupted_one_at_a_time(name: str) -> None:
    found = rendered.documents(name)
    budgets = {one["metadata"]["name"] for one in found if one["kind"] == "PodDisruptionBudget"}
    of_gateways = {one for one in budgets if one.endswith("-gateways")}
    assert len(of_gateways) == (name not in WITHOUT)
    budgets -= of_gateways
    programs = [one for one in found if one["kind"] == "Deployment"]
    assert {one["metadata"]["name"] for one in programs} == budgets
    for one in programs:
        pod = one["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        ready = container["readinessProbe"]
        assert ready["httpGet"]["path"] == "/readyz"
        # the API's clients are told that the database is away, not that nobody is there
        minute = ready["periodSeconds"] * ready.get("failureThreshold", 3) >= 60
        assert minute == one["metadata"]["name"].endswith("-api")
        assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
        assert pod["topologySpreadConstraints"]
        assert "limits" in container["resources"]


@SAMPLES
def test_what_holds_tenants_data_stays(name: str) -> None:
    (space,) = [one for one in rendered.documents(name) if one["kind"] == "Namespace"]
    assert space["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"
    assert not [one for one in rendered.documents(name) if one["kind"] == "CustomResourceDefinition"]


def test_the_schema_comes_before_the_programs() -> None:
    for name in rendered.NAMES:
        (job,) = [one for one in rendered.documents(name) if one["kind"] == "Job"]
        hook = job["metadata"].get("annotations", {}).get("helm.sh/hook")
        assert hook == (None if name == "trial" else "pre-install,pre-upgrade")
        pod = job["spec"]["template"]["spec"]
        # helm waits five minutes unless told; who looks afterwards finds each attempt's log
        assert pod["restartPolicy"] == "Never"
        if hook:
            assert pod["activeDeadlineSeconds"] < job["spec"]["activeDeadlineSeconds"] < 300
            assert "hook-failed" not in job["metadata"]["annotations"]["helm.sh/hook-delete-policy"]
        assert job["spec"]["template"]["spec"]["containers"][0]["args"][-2:] == ["db", "sync"]


def test_what_pods_have_besides_is_in_every_one_of_the_service() -> None:
    """Of the sample with all of it; the migration's too, the agents' of nodes not."""
    for who, pod in rendered.pods("full"):
        (container,) = pod["spec"]["containers"]
        own = not who.endswith("-node-agent")
        paths = {one["mountPath"] for one in container["volumeMounts"]}
        assert ({"/etc/manila-secrets", "/etc/trusted-cas"} <= paths) == own, who
        assert {one["name"] for one in container["volumeMounts"]} == {one["name"] for one in pod["spec"]["volumes"]}
        assert ("affinity" in pod["spec"], pod["metadata"]["labels"].get("team") == "storage") == (own, own)
        assert ([one["name"] for one in container["env"]] == ["PGSSLROOTCERT"]) == own


@SERVING
def test_no_back_end_waits_for_somebody_else_to_bind_its_ports(name: str, tmp_path: pathlib.Path) -> None:
    """Nobody in Neutron plugs a gateway's port: with the chart's plugin a share server would end in error."""
    settings = config.load(configuration(name, tmp_path))
    kinds = {one.name: type(one.network) for one in backends.build(settings) if one.network is not None}
    assert set(kinds.values()) == {NeutronPlugin}, kinds


def test_gateways_are_disrupted_as_told() -> None:
    found = {name: rendered.documents(name) for name in WITH_GATEWAYS}
    budgets = {
        name: [one for one in every if one["metadata"]["name"].endswith("-gateways")] for name, every in found.items()
    }
    specs = {
        name: [one["spec"] for one in every if "maxUnavailable" in one.get("spec", {})]
        for name, every in budgets.items()
    }
    assert [one["maxUnavailable"] for one in specs["minimal"]] == [1]
    assert [one["maxUnavailable"] for one in specs["full"]] == ["10%"]
    for (one,) in specs.values():
        assert one["selector"]["matchLabels"] == GATEWAYS


def test_agents_of_nodes_are_probed_and_closed() -> None:
    for name in WITH_GATEWAYS:
        (pod,) = [pod for who, pod in rendered.pods(name) if who.endswith("-node-agent")]
        (container,) = pod["spec"]["containers"]
        assert container["readinessProbe"] and container["livenessProbe"]
        closed = [one for one in rendered.documents(name) if one["kind"] == "NetworkPolicy"]
        labels = pod["metadata"]["labels"].items()
        (own,) = [one for one in closed if one["metadata"]["name"].endswith("-node-agent")]
        assert own["spec"]["podSelector"]["matchLabels"].items() <= labels
        assert [one["ports"] for one in own["spec"]["ingress"]] == [[{"port": "metrics"}]]


@pytest.mark.parametrize("name", WITHOUT)
def test_without_gateways_nothing_of_theirs_is_made(name: str) -> None:
    found = rendered.documents(name)
    kinds = {one["kind"] for one in found}
    assert not kinds & {"DaemonSet", "PriorityClass", "ValidatingAdmissionPolicy", "PodMonitor"}
    assert "ServiceMonitor" in kinds
    assert not [one["metadata"]["name"] for one in found if "node-agent" in one["metadata"]["name"]]
    assert not any(
        security(container).get("privileged")
        for _, pod in rendered.pods(name)
        for container in pod["spec"]["containers"]
    )
    (space,) = [one for one in found if one["kind"] == "Namespace"]
    assert space["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def security(container: rendered.Document) -> rendered.Document:
    return dict(container.get("securityContext") or {})


@SERVING
def test_the_namespace_of_gateways_admits_them(name: str) -> None:
    (space,) = [one for one in rendered.documents(name) if one["kind"] == "Namespace"]
    assert space["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "privileged"
