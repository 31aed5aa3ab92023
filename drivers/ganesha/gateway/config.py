"""Configuration texts of a gateway: Ganesha's main file, one file per export, the private bus. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drivers.ganesha.ports import Export, Server


def bus(folder: Path) -> str:
    """A bus of its own: its socket is a file, so that control needs no address in the tenant's network.

    Everybody who reaches the socket may call; the folder's mode keeps others out.
    """
    return f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={folder / "bus"}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


LATE: Final = (9, 0)
"""From here on Ganesha answers a blocking lock that meets a held one with uninitialised memory, unless told."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How a Ganesha serves.

    Attributes:
        version: of Ganesha, major and minor.
        plugins: folder of its modules; empty: where it looks without being told.
        minors: minor versions of NFS 4 that it offers.
        grace: seconds after a start in which clients claim their locks.
        lease: seconds that a client may be away before it loses its locks.
        metrics: port of its own figures, on the loopback address; 0: none.
        own_addresses_only: listen at the server's address and nowhere else. Ganesha takes one address; with several it
            listens at all, and the packet filter closes the interfaces that are not the server's.
    """

    version: tuple[int, int]
    plugins: str = ""
    minors: tuple[int, ...] = (1, 2)
    grace: int = 20
    lease: int = 20
    metrics: int = 0
    own_addresses_only: bool = False

    def core(self) -> str:
        """What differs between releases in the block NFS_CORE_PARAM."""
        lines = [f'Plugins_Dir = "{self.plugins}";'] if self.plugins else []
        if self.version >= (5, 0):
            # Ganesha refuses to start without CAP_SYS_RESOURCE unless told; 4 does not know the option
            lines.append("Allow_Set_Io_Flusher_Fail = true;")
        if self.version >= LATE:
            # left to itself it would listen at every address, the tenant's among them
            shown = f"true; Monitoring_Addr = 127.0.0.1; Monitoring_Port = {self.metrics};"
            lines.append(f"Enable_Metrics = {shown if self.metrics else 'false;'}")
        return "".join(f"\n  {line}" for line in lines)

    def nfs4(self) -> str:
        """What differs between releases in the block NFSV4.

        With Blocking_Locks a client that waits for a lock gets the server's memory for the lock's owner, which Linux
        from 6.12 on calls EIO; without, it asks again until it has the lock. Clients whose lease has ended are not
        kept: with blocking locks of theirs Ganesha may stand still.
        """
        lines = ["Blocking_Locks = false;", "Expired_Client_Threshold = 0;"] if self.version >= LATE else []
        return "".join(f"\n  {line}" for line in lines)


def gateway(server: Server, folder: Path, serving: Serving) -> str:
    """Ganesha's main file.

    Scope and owner are the server's id: with the defaults, taken from the host name, a client would take two gateways
    of one host for one server, and a gateway that moved for another one. Some clients ask for a layout at every open,
    and each asking would be a warning in the log.
    """
    wide = any(":" in address.ip for address in server.addresses)
    bound = "::" if wide else "0.0.0.0"
    if serving.own_addresses_only and len(server.addresses) == 1:
        bound = server.addresses[0].ip
    return f"""NFS_CORE_PARAM {{
  Protocols = 4;
  NFS_Port = 2049;
  Bind_addr = {bound};
  Enable_NLM = false;
  Enable_RQUOTA = false;
  Enable_UDP = false;
  fsid_device = false;{serving.core()}
}}
NFSV4 {{
  Graceless = false;
  Grace_Period = {serving.grace};
  Lease_Lifetime = {serving.lease};
  Minor_Versions = {",".join(map(str, serving.minors))};
  Delegations = false;
  RecoveryBackend = fs;
  RecoveryRoot = "{folder / "recovery"}";
  Only_Numeric_Owners = true;
  Server_Scope = "{server.id}";
  Server_Owner = "{server.id}";{serving.nfs4()}
}}
NFS_KRB5 {{ Active_krb5 = false; CCacheDir = "{folder / "ccache"}"; }}
EXPORT_DEFAULTS {{ Access_Type = NONE; Protocols = 4; Transports = TCP; SecType = sys; Squash = No_Root_Squash; }}
LOG {{ Default_Log_Level = EVENT; COMPONENTS {{ PNFS = CRIT; }} }}
%dir "{folder / "exports.d"}"
"""


def export(shown: Export, export_id: int) -> str:
    """One EXPORT block: nobody but the named clients, in the order given."""
    # a CLIENT block without Protocols draws a warning for every client at every reload
    clients = "".join(
        f"  CLIENT {{ Clients = {match}; Access_Type = {client.access}; Squash = {shown.squash}; Protocols = 4; }}\n"
        for client in shown.clients
        for match in client.matches()
    )
    return f"""EXPORT {{
  Export_Id = {export_id};
  Path = "{shown.path}";
  Pseudo = "{shown.pseudo}";
  Protocols = 4;
  Transports = TCP;
  SecType = sys;
  Access_Type = NONE;
  Squash = {shown.squash};
{clients}  FSAL {{ Name = VFS; }}
}}
"""
