"""User messages: the actions, details and resource types, with the texts users see.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """What the service tried; the value is the id stored in a message."""

    ALLOCATE_HOST = "001"
    CREATE = "002"
    DELETE_ACCESS_RULES = "003"
    PROMOTE = "004"
    UPDATE = "005"
    REVERT_TO_SNAPSHOT = "006"
    DELETE = "007"
    EXTEND = "008"
    SHRINK = "009"
    UPDATE_ACCESS_RULES = "010"
    ADD_UPDATE_SECURITY_SERVICE = "011"
    TRANSFER_ACCEPT = "026"
    UPDATE_METADATA = "027"
    RESTORE_BACKUP = "028"


class Detail(StrEnum):
    """Why it failed; the value is the id stored in a message."""

    UNKNOWN_ERROR = "001"
    NO_VALID_HOST = "002"
    UNEXPECTED_NETWORK = "003"
    NO_SHARE_SERVER = "004"
    NO_ACTIVE_AVAILABLE_REPLICA = "005"
    NO_ACTIVE_REPLICA = "006"
    FILTER_AVAILABILITY = "007"
    FILTER_CAPABILITIES = "008"
    FILTER_CAPACITY = "009"
    FILTER_DRIVER = "010"
    FILTER_IGNORE = "011"
    FILTER_JSON = "012"
    FILTER_RETRY = "013"
    FILTER_REPLICATION = "014"
    DRIVER_FAILED_EXTEND = "015"
    FILTER_CREATE_FROM_SNAPSHOT = "016"
    DRIVER_FAILED_CREATING_FROM_SNAP = "017"
    DRIVER_REFUSED_SHRINK = "018"
    DRIVER_FAILED_SHRINK = "019"
    FORBIDDEN_CLIENT_ACCESS = "020"
    UNSUPPORTED_CLIENT_ACCESS = "021"
    UNSUPPORTED_ADD_UDPATE_SECURITY_SERVICE = "022"
    SECURITY_SERVICE_FAILED_AUTH = "023"
    NO_DEFAULT_SHARE_TYPE = "024"
    MISSING_SECURITY_SERVICE = "025"
    DRIVER_FAILED_TRANSFER_ACCEPT = "026"
    SHARE_NETWORK_PORT_QUOTA_LIMIT_EXCEEDED = "027"
    SHARE_BACKEND_NOT_READY_YET = "028"
    UPDATE_METADATA_SUCCESS = "029"
    UPDATE_METADATA_FAILURE = "030"
    UPDATE_METADATA_NOT_DELETED = "031"
    TARGETED_RESTORE_UNSUPPORTED = "032"
    NEUTRON_SUBNET_FULL = "033"
    UNSUPPORTED_REPLICA_CREATE_CONFIG = "034"
    DRIVER_FAILED_REVERTING_TO_SNAPSHOT = "035"


class Resource(StrEnum):
    """What a message is about; the value is the stored type."""

    SECURITY_SERVICE = "SECURITY_SERVICE"
    SHARE = "SHARE"
    SHARE_GROUP = "SHARE_GROUP"
    SHARE_NETWORK_SUBNET = "SHARE_NETWORK_SUBNET"
    SHARE_REPLICA = "SHARE_REPLICA"
    SHARE_SNAPSHOT = "SHARE_SNAPSHOT"


ACTION_TEXTS: dict[str, str] = {
    "001": "allocate host",
    "002": "create",
    "003": "delete access rules",
    "004": "promote",
    "005": "update",
    "006": "revert to snapshot",
    "007": "delete",
    "008": "extend",
    "009": "shrink",
    "010": "update access rules",
    "011": "add or update security service",
    "026": "transfer accept",
    "027": "update_metadata",
    "028": "restore share backup",
}

DETAIL_TEXTS: dict[str, str] = {
    "001": "An unknown error occurred.",
    "002": (
        "No storage could be allocated for this share request. Trying again with a different size or "
        "share type may succeed."
    ),
    "003": "Driver does not expect share-network to be provided with current configuration.",
    "004": (
        "Could not find an existing share server or allocate one on the share network provided. You may "
        "use a different share network, or verify the network details in the share network and retry "
        "your request. If this doesn't work, contact your administrator to troubleshoot issues with your "
        "network."
    ),
    "005": "An 'active' replica must exist in 'available' state to create a new replica for share.",
    "006": "Share has no replica with 'replica_state' set to 'active'.",
    "007": "No storage could be allocated for this share request, AvailabilityZone filter didn't succeed.",
    "008": "No storage could be allocated for this share request, Capabilities filter didn't succeed.",
    "009": "No storage could be allocated for this share request, Capacity filter didn't succeed.",
    "010": "No storage could be allocated for this share request, Driver filter didn't succeed.",
    "011": ("No storage could be allocated for this share request, IgnoreAttemptedHosts filter didn't succeed."),
    "012": "No storage could be allocated for this share request, Json filter didn't succeed.",
    "013": "No storage could be allocated for this share request, Retry filter didn't succeed.",
    "014": "No storage could be allocated for this share request, ShareReplication filter didn't succeed.",
    "015": (
        "Share Driver failed to extend share, The share status has been set to extending_error. This "
        "action cannot be re-attempted until the status has been rectified. Contact your administrator "
        "to determine the cause of this failure."
    ),
    "016": "No storage could be allocated for this share request, CreateFromSnapshot filter didn't succeed.",
    "017": (
        "Share Driver has failed to create the share from snapshot. This operation can be re-attempted "
        "by creating a new share. Contact your administrator to determine the cause of this failure."
    ),
    "018": (
        "Share Driver refused to shrink the share. The size to be shrunk is smaller than the current "
        "used space. The share status has been set to available. Please select a size greater than the "
        "current used space."
    ),
    "019": "Share Driver does not support shrinking shares. Shrinking share operation failed.",
    "020": (
        "Failed to grant access to client. The client ID used may be forbidden. You may try again with a "
        "different client identifier."
    ),
    "021": (
        "Failed to grant access to client. The access level or type may be unsupported. You may try "
        "again with a different access level or access type."
    ),
    "022": (
        "Share driver has failed to setup one or more security services that are associated with the "
        "used share network. The security service may be unsupported or the provided parameters are "
        "invalid. You may try again with a different set of configurations."
    ),
    "023": (
        "Share Driver failed to create share due to a security service authentication issue. The "
        "security service user has either insufficient privileges or wrong credentials. Please check "
        "your user, password, ou and domain."
    ),
    "024": ("No default share type has been made available. You must specify a share type for creating shares."),
    "025": (
        "Share Driver failed to create share because a security service has not been added to the share "
        "network used. Please add a security service to the share network."
    ),
    "026": "Share transfer cannot be accepted without clearing access rules.",
    "027": (
        "Failed to create a new network port on the share network subnet. The limit of the number of "
        "ports has been exceeded. You may increase the network port quotas or free up some ports and "
        "retry. If this doesn't work, contact your administrator to troubleshoot issues with your "
        "network."
    ),
    "028": (
        "No storage could be allocated for this share request. Share back end services are not ready "
        "yet. Contact your administrator in case retrying does not help."
    ),
    "029": "Metadata passed to share driver successfully performed required operation.",
    "030": "Metadata passed to share driver failed to perform required operation.",
    "031": (
        "Metadata delete operation includes driver updatable metadata, and it is not passed to share "
        "driver to perform required operation."
    ),
    "032": "Cannot restore a given backup to a target share, not supported by share driver.",
    "033": (
        "Share Driver failed to create share server on share network due no more free IP addresses in "
        "the neutron subnet.You may free some IP addresses in the subnet or create a new subnet/share "
        "network. If this doesn't work, contact your administrator to troubleshoot issues with your "
        "network."
    ),
    "034": (
        "Share driver has failed to create share replica because of unsupported configuration options. "
        "Please try again with a different configuration."
    ),
    "035": (
        "Share driver failed to revert the share to the specified snapshot. Contact your administrator "
        "if the problem persists."
    ),
}

UNKNOWN_ACTION_TEXT = "unknown action"

FILTER_DETAILS: dict[str, str] = {
    "AvailabilityZoneFilter": "007",
    "CapabilitiesFilter": "008",
    "CapacityFilter": "009",
    "DriverFilter": "010",
    "IgnoreAttemptedHostsFilter": "011",
    "JsonFilter": "012",
    "RetryFilter": "013",
    "ShareReplicationFilter": "014",
    "CreateFromSnapshotFilter": "016",
}
"""Scheduler filter -> the detail that says it left no host."""
