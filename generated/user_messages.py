"""User messages: actions, details and resource types.

Generated from spec/constants (user_messages); do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """An action or a detail: the id that is stored and the text that is shown."""

    id: str
    text: str


class Action:
    """The actions, by name."""

    ALLOCATE_HOST = Word("001", "allocate host")
    CREATE = Word("002", "create")
    DELETE_ACCESS_RULES = Word("003", "delete access rules")
    PROMOTE = Word("004", "promote")
    UPDATE = Word("005", "update")
    REVERT_TO_SNAPSHOT = Word("006", "revert to snapshot")
    DELETE = Word("007", "delete")
    EXTEND = Word("008", "extend")
    SHRINK = Word("009", "shrink")
    UPDATE_ACCESS_RULES = Word("010", "update access rules")
    ADD_UPDATE_SECURITY_SERVICE = Word("011", "add or update security service")
    TRANSFER_ACCEPT = Word("026", "transfer accept")
    UPDATE_METADATA = Word("027", "update_metadata")
    RESTORE_BACKUP = Word("028", "restore share backup")


class Detail:
    """The details, by name."""

    UNKNOWN_ERROR = Word("001", "An unknown error occurred.")
    NO_VALID_HOST = Word("002", (
        "No storage could be allocated for this share request. Trying again with a different size or share type may "
        "succeed."
    ))
    UNEXPECTED_NETWORK = Word("003", (
        "Driver does not expect share-network to be provided with current configuration."
    ))
    NO_SHARE_SERVER = Word("004", (
        "Could not find an existing share server or allocate one on the share network provided. You may use a "
        "different share network, or verify the network details in the share network and retry your request. If "
        "this doesn't work, contact your administrator to troubleshoot issues with your network."
    ))
    NO_ACTIVE_AVAILABLE_REPLICA = Word("005", (
        "An 'active' replica must exist in 'available' state to create a new replica for share."
    ))
    NO_ACTIVE_REPLICA = Word("006", "Share has no replica with 'replica_state' set to 'active'.")
    FILTER_AVAILABILITY = Word("007", (
        "No storage could be allocated for this share request, AvailabilityZone filter didn't succeed."
    ))
    FILTER_CAPABILITIES = Word("008", (
        "No storage could be allocated for this share request, Capabilities filter didn't succeed."
    ))
    FILTER_CAPACITY = Word("009", (
        "No storage could be allocated for this share request, Capacity filter didn't succeed."
    ))
    FILTER_DRIVER = Word("010", "No storage could be allocated for this share request, Driver filter didn't succeed.")
    FILTER_IGNORE = Word("011", (
        "No storage could be allocated for this share request, IgnoreAttemptedHosts filter didn't succeed."
    ))
    FILTER_JSON = Word("012", "No storage could be allocated for this share request, Json filter didn't succeed.")
    FILTER_RETRY = Word("013", "No storage could be allocated for this share request, Retry filter didn't succeed.")
    FILTER_REPLICATION = Word("014", (
        "No storage could be allocated for this share request, ShareReplication filter didn't succeed."
    ))
    DRIVER_FAILED_EXTEND = Word("015", (
        "Share Driver failed to extend share, The share status has been set to extending_error. This action cannot "
        "be re-attempted until the status has been rectified. Contact your administrator to determine the cause of "
        "this failure."
    ))
    FILTER_CREATE_FROM_SNAPSHOT = Word("016", (
        "No storage could be allocated for this share request, CreateFromSnapshot filter didn't succeed."
    ))
    DRIVER_FAILED_CREATING_FROM_SNAP = Word("017", (
        "Share Driver has failed to create the share from snapshot. This operation can be re-attempted by creating "
        "a new share. Contact your administrator to determine the cause of this failure."
    ))
    DRIVER_REFUSED_SHRINK = Word("018", (
        "Share Driver refused to shrink the share. The size to be shrunk is smaller than the current used space. "
        "The share status has been set to available. Please select a size greater than the current used space."
    ))
    DRIVER_FAILED_SHRINK = Word("019", (
        "Share Driver does not support shrinking shares. Shrinking share operation failed."
    ))
    FORBIDDEN_CLIENT_ACCESS = Word("020", (
        "Failed to grant access to client. The client ID used may be forbidden. You may try again with a different "
        "client identifier."
    ))
    UNSUPPORTED_CLIENT_ACCESS = Word("021", (
        "Failed to grant access to client. The access level or type may be unsupported. You may try again with a "
        "different access level or access type."
    ))
    UNSUPPORTED_ADD_UDPATE_SECURITY_SERVICE = Word("022", (
        "Share driver has failed to setup one or more security services that are associated with the used share "
        "network. The security service may be unsupported or the provided parameters are invalid. You may try again "
        "with a different set of configurations."
    ))
    SECURITY_SERVICE_FAILED_AUTH = Word("023", (
        "Share Driver failed to create share due to a security service authentication issue. The security service "
        "user has either insufficient privileges or wrong credentials. Please check your user, password, ou and "
        "domain."
    ))
    NO_DEFAULT_SHARE_TYPE = Word("024", (
        "No default share type has been made available. You must specify a share type for creating shares."
    ))
    MISSING_SECURITY_SERVICE = Word("025", (
        "Share Driver failed to create share because a security service has not been added to the share network "
        "used. Please add a security service to the share network."
    ))
    DRIVER_FAILED_TRANSFER_ACCEPT = Word("026", "Share transfer cannot be accepted without clearing access rules.")
    SHARE_NETWORK_PORT_QUOTA_LIMIT_EXCEEDED = Word("027", (
        "Failed to create a new network port on the share network subnet. The limit of the number of ports has been "
        "exceeded. You may increase the network port quotas or free up some ports and retry. If this doesn't work, "
        "contact your administrator to troubleshoot issues with your network."
    ))
    SHARE_BACKEND_NOT_READY_YET = Word("028", (
        "No storage could be allocated for this share request. Share back end services are not ready yet. Contact "
        "your administrator in case retrying does not help."
    ))
    UPDATE_METADATA_SUCCESS = Word("029", (
        "Metadata passed to share driver successfully performed required operation."
    ))
    UPDATE_METADATA_FAILURE = Word("030", "Metadata passed to share driver failed to perform required operation.")
    UPDATE_METADATA_NOT_DELETED = Word("031", (
        "Metadata delete operation includes driver updatable metadata, and it is not passed to share driver to "
        "perform required operation."
    ))
    TARGETED_RESTORE_UNSUPPORTED = Word("032", (
        "Cannot restore a given backup to a target share, not supported by share driver."
    ))
    NEUTRON_SUBNET_FULL = Word("033", (
        "Share Driver failed to create share server on share network due no more free IP addresses in the neutron "
        "subnet.You may free some IP addresses in the subnet or create a new subnet/share network. If this doesn't "
        "work, contact your administrator to troubleshoot issues with your network."
    ))
    UNSUPPORTED_REPLICA_CREATE_CONFIG = Word("034", (
        "Share driver has failed to create share replica because of unsupported configuration options. Please try "
        "again with a different configuration."
    ))
    DRIVER_FAILED_REVERTING_TO_SNAPSHOT = Word("035", (
        "Share driver failed to revert the share to the specified snapshot. Contact your administrator if the "
        "problem persists."
    ))


UNKNOWN_ACTION = "unknown action"
RESOURCE_TYPES: tuple[str, ...] = (
    "SECURITY_SERVICE", "SHARE", "SHARE_GROUP", "SHARE_NETWORK_SUBNET", "SHARE_REPLICA", "SHARE_SNAPSHOT",
)
