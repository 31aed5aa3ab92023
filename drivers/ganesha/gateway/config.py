"""Configuration texts of a gateway: Ganesha's main file, one file per export, the private bus. Pure functions."""

from __future__ import annotations

from pathlib import Path

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


def gateway(
    server: Server, folder: Path, grace: int, lease: int, release: int, *, own_addresses_only: bool = False
) -> str:
    """Ganesha's main file; ``release`` is its major version, ``grace`` and ``lease`` seconds.

    ``own_addresses_only``: listen at the server's address and nowhere else. Ganesha takes one address; with several
    it listens at all, and the packet filter closes the interfaces that are not the server's.

    Scope and owner are the server's id: with the defaults, taken from the host name, a client would take two gateways
    of one host for one server, and a gateway that moved for another one. Some clients ask for a layout at every open,
    and each asking would be a warning in the log.
    """
    wide = any(":" in address.ip for address in server.addresses)
    bound = "::" if wide else "0.0.0.0"
    if own_addresses_only and len(server.addresses) == 1:
        bound = server.addresses[0].ip
    # from 5 on Ganesha refuses to start without CAP_SYS_RESOURCE unless told; 4 does not know the option
    flusher = "\n  Allow_Set_Io_Flusher_Fail = true;" if release >= 5 else ""
    return f"""NFS_CORE_PARAM {{
  Protocols = 4;
  NFS_Port = 2049;
  Bind_addr = {bound};
  Enable_NLM = false;
  Enable_RQUOTA = false;
  Enable_UDP = false;
  fsid_device = false;{flusher}
}}
NFSV4 {{
  Graceless = false;
  Grace_Period = {grace};
  Lease_Lifetime = {lease};
  Minor_Versions = 1,2;
  RecoveryBackend = fs;
  RecoveryRoot = "{folder / "recovery"}";
  Only_Numeric_Owners = true;
  Server_Scope = "{server.id}";
  Server_Owner = "{server.id}";
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
