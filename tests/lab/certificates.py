"""Certificates of the lab: one authority, a serving certificate, one for each client. No tokens, nobody anonymous."""

from __future__ import annotations

import base64
import json
import pathlib

from tests.lab.processes import sh

EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
DAYS = "365"


class Authority:
    """Signs what the parts of a cluster show each other. Everything stays in one folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def path(self, name: str) -> str:
        """A file of the folder, such as ``ca.crt`` or ``admin.key``."""
        return str(self.folder / name)

    def make(self, *addresses: str) -> None:
        """The authority, the key of service accounts, a server certificate for ``addresses``, the usual clients."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (self.folder / "ca.crt").exists():
            return
        usage = ("-addext", "keyUsage=critical,keyCertSign,digitalSignature")
        files = ("-keyout", self.path("ca.key"), "-out", self.path("ca.crt"))
        sh("openssl", "req", "-x509", *EC, "-days", DAYS, *files, "-subj", "/CN=lab-ca", *usage)
        sh("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.path("sa.key"))
        sh("openssl", "ec", "-in", self.path("sa.key"), "-pubout", "-out", self.path("sa.pub"))
        names = ",".join(f"IP:{address}" for address in addresses)
        own = f"subjectAltName=DNS:kubernetes.default.svc,DNS:localhost,{names}\nextendedKeyUsage=serverAuth,clientAuth"
        self.certificate("serving", "/CN=apiserver", own)
        self.certificate("admin", "/O=system:masters/CN=admin")
        self.certificate("controller-manager", "/CN=system:kube-controller-manager")
        self.certificate("scheduler", "/CN=system:kube-scheduler")

    def certificate(self, name: str, subject: str, extensions: str = "extendedKeyUsage=clientAuth") -> None:
        """A key and a certificate ``name``, unless they are there."""
        if (self.folder / f"{name}.crt").exists():
            return
        wanted = self.folder / f"{name}.ext"
        wanted.write_text(f"{extensions}\n")
        request = self.path(f"{name}.csr")
        sh("openssl", "req", *EC, "-keyout", self.path(f"{name}.key"), "-out", request, "-subj", subject)
        signer = ("-CA", self.path("ca.crt"), "-CAkey", self.path("ca.key"), "-CAcreateserial", "-days", DAYS)
        sh(
            "openssl",
            "x509",
            "-req",
            "-in",
            request,
            *signer,
            "-out",
            self.path(f"{name}.crt"),
            "-extfile",
            str(wanted),
        )

    def kubeconfig(self, name: str, url: str) -> pathlib.Path:
        """The configuration file of a client with the certificate ``name``."""
        user = {"client-certificate-data": self.text(f"{name}.crt"), "client-key-data": self.text(f"{name}.key")}
        cluster = {"server": url, "certificate-authority-data": self.text("ca.crt")}
        context = {"cluster": "lab", "user": name, "namespace": "default"}
        file = self.folder / f"{name}.kubeconfig"
        file.write_text(
            json.dumps(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "lab",
                    "clusters": [{"name": "lab", "cluster": cluster}],
                    "users": [{"name": name, "user": user}],
                    "contexts": [{"name": "lab", "context": context}],
                }
            )
        )
        file.chmod(0o600)
        return file

    def text(self, name: str) -> str:
        """A file of the folder, in base 64."""
        return base64.b64encode((self.folder / name).read_bytes()).decode()
