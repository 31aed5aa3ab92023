"""The contract's exceptions: what each one says, and what a client sees of it when nothing catches it.

``code`` is the status, ``template`` the text (filled with the keyword arguments), ``safe`` whether the text
may leave the service. ``uncaught_status`` and ``uncaught_shown`` say what the shell answers: ``named`` is
'ClassName: message', ``message`` the message alone, ``default`` the default text of the status.
"""

from __future__ import annotations

from generated.runtime import ManilaError


class ManilaException(ManilaError):
    """500 computeFault when uncaught, text hidden."""

    code = 500
    safe = False
    template = "An unknown exception occurred."
    uncaught_status = 500
    uncaught_shown = "default"


class AdminIPNotFound(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Admin port IP for service instance not found: %(reason)s"


class BackupException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Unable to perform a backup action: %(reason)s."


class BadConfigurationException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Bad configuration: %(reason)s."


class BridgeDoesNotExist(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Bridge %(bridge)s does not exist."


class Conflict(ManilaException):
    """409 conflictingRequest when uncaught, text hidden."""

    code = 409
    template = "%(err)s"
    uncaught_status = 409


class DriverCannotTransferShareWithRules(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Driver failed to transfer share with rules."


class DriverNotInitialized(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share driver '%(driver)s' not initialized."


class EvaluatorParseException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Error during evaluator parsing: %(reason)s"


class Found(ManilaException):
    """302 computeFault when uncaught, text shown with the class name."""

    code = 302
    safe = True
    template = "Resource was found."
    uncaught_status = 302
    uncaught_shown = "named"


class InUse(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Resource is in use."


class Invalid(ManilaException):
    """400 badRequest when uncaught, text shown."""

    code = 400
    template = "Unacceptable parameters."
    uncaught_status = 400
    uncaught_shown = "message"


class IpAddressGenerationFailureClient(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "No free IP addresses available in neutron subnet."


class LockCreationFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Unable to create lock. Coordination backend not started."


class LockingFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Lock acquisition failed."


class MalformedRequestBody(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Malformed message body: %(reason)s."


class ManageExistingShareTypeMismatch(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Manage existing share failed due to share type mismatch: %(reason)s"


class ManageShareServerError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Manage existing share server failed due to: %(reason)s"


class ManilaBarbicanACLError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Failed while communicating to Barbican. Please check the provided credentials ."


class ManilaBarbicanAppCredsError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Error occurred while dealing with barbican for App Creds."


class MigrationError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Migration error: %(reason)s."


class NetworkBindException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Exception due to failed port status in binding."


class NetworkException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Exception due to network failure."


class NoValidHost(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "No valid host was found. %(reason)s."


class NotAuthorized(ManilaException):
    """403 forbidden when uncaught, text shown."""

    code = 403
    template = "Not authorized."
    uncaught_status = 403
    uncaught_shown = "message"


class NotFound(ManilaException):
    """404 itemNotFound when uncaught, text shown with the class name."""

    code = 404
    safe = True
    template = "Resource could not be found."
    uncaught_status = 404
    uncaught_shown = "named"


class OperationNotSupportedByDriverMode(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "The share driver mode does not support this operation."


class OverQuota(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Quota exceeded for resources: %(overs)s."


class QosTypeExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Qos Type %(id)s already exists."


class QosTypeInUse(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Qos Type %(qos_type_id)s deletion is not allowed while shares are associated with the qos type."


class QuotaError(ManilaException):
    """413 overLimit when uncaught, text shown with the class name."""

    code = 413
    safe = True
    template = "Quota exceeded: code=%(code)s."
    uncaught_status = 413
    uncaught_shown = "named"


class QuotaExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Quota exists for project %(project_id)s, resource %(resource)s."


class ReplicationException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Unable to perform a replication action: %(reason)s."


class RequirementMissing(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Requirement %(req)s is not installed."


class ResourceVisibilityLockExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Resource %(resource_id)s is already locked."


class SecurityServiceFailedAuth(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Failed to authenticate user against security service."


class ShareAccessExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share access %(access_type)s:%(access)s exists."


class ShareBackendException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share backend error: %(msg)s."


class ShareCopyDataException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Failed to copy data: %(reason)s"


class ShareDataCopyCancelled(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Copy of contents from source to destination was cancelled."


class ShareDataCopyFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share Data copy failed: %(reason)s"


class ShareExtendingError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share %(share_id)s could not be extended due to error in the driver: %(reason)s"


class ShareGroupSnapshotNotSupported(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share group %(share_group)s does not support snapshots."


class ShareGroupTypeAccessExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share group type access for %(type_id)s / %(project_id)s combination already exists."


class ShareGroupTypeCreateFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Cannot create share group type with name %(name)s and specs %(group_specs)s."


class ShareGroupTypeExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share group type %(type_id)s already exists."


class ShareGroupTypeInUse(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share group Type %(type_id)s deletion is not allowed with groups present with the type."


class ShareMigrationError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Error in share migration: %(reason)s"


class ShareMigrationFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share migration failed: %(reason)s"


class ShareMountException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Failed to mount share: %(reason)s"


class ShareNetworkSecurityServiceAssociationError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = (
        "Failed to associate share network %(share_network_id)s and security service "
        "%(security_service_id)s: %(reason)s."
    )


class ShareNetworkSecurityServiceDissociationError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = (
        "Failed to dissociate share network %(share_network_id)s and security service "
        "%(security_service_id)s: %(reason)s."
    )


class ShareServerMigrationError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Error in share server migration: %(reason)s"


class ShareServerMigrationFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share server migration failed: %(reason)s"


class ShareServerNotCreated(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share server %(share_server_id)s failed on creation."


class ShareServerNotReady(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share server %(share_server_id)s failed to reach '%(state)s' within %(time)s seconds."


class ShareShrinkingError(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share %(share_id)s could not be shrunk due to error in the driver: %(reason)s"


class ShareShrinkingPossibleDataLoss(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share %(share_id)s could not be shrunk due to possible data loss"


class ShareSnapshotIsBusy(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Deleting snapshot %(snapshot_name)s that has dependent shares."


class ShareSnapshotNotSupported(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share %(share_name)s does not support snapshots."


class ShareTypeAccessExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share type access for %(share_type_id)s / %(project_id)s combination already exists."


class ShareTypeCreateFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Cannot create share_type with name %(name)s and specs %(extra_specs)s."


class ShareTypeExists(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Share Type %(id)s already exists."


class ShareTypeInUse(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = (
        "Share Type %(share_type_id)s deletion is not allowed while shares or share group types are "
        "associated with the type."
    )


class ShareTypeUpdateFailed(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Cannot update share_type %(id)s."


class StorageResourceException(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Storage resource exception."


class WillNotSchedule(ManilaException):
    """500 computeFault when uncaught, text hidden."""

    template = "Host %(host)s is not up or doesn't exist."


class AdminRequired(NotAuthorized):
    """403 forbidden when uncaught, text shown."""

    template = "User does not have admin privileges."


class AllocationsNotFoundForShareServer(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "No allocations found for the share server %(share_server_id)s on the subnet."


class AvailabilityZoneNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Availability zone %(id)s could not be found."


class BackupLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of backups allowed (%(allowed)d) exceeded."


class ConfigNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Could not find config at %(path)s."


class DefaultShareTypeNotConfigured(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = (
        "No default share type is configured. Either configure a default share type or explicitly specify a share type."
    )


class EncryptionKeysLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of allowed encryption keys is exceeded."


class ExportLocationNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Export location %(uuid)s could not be found."


class FileNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "File %(file_path)s could not be found."


class HostBinaryNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Could not find binary %(binary)s on host %(host)s."


class HostNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Host %(host)s could not be found."


class IPAddressInUse(InUse):
    """500 computeFault when uncaught, text hidden."""

    template = "IP address %(ip)s is already used."


class InstanceNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Instance %(instance_id)s could not be found."


class InvalidAPIVersionString(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "API Version String %(version)s is of invalid format. Must be of format MajorNum.MinorNum."


class InvalidAuthKey(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid auth key: %(reason)s"


class InvalidBackup(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid backup: %(reason)s."


class InvalidCapacity(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid capacity: %(name)s = %(value)s."


class InvalidContentType(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid content type %(content_type)s."


class InvalidDriverMode(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid driver mode: %(driver_mode)s."


class InvalidExtraSpec(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid extra_spec: %(reason)s."


class InvalidGlobalAPIVersion(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Version %(req_ver)s is not supported by the API. Minimum is %(min_ver)s and maximum is %(max_ver)s."


class InvalidHost(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid host: %(reason)s"


class InvalidInput(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid input received: %(reason)s."


class InvalidMetadata(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid metadata."


class InvalidMetadataSize(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid metadata size."


class InvalidParameterValue(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "%(err)s"


class InvalidQosTypeSpec(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid qos_type spec: %(reason)s."


class InvalidQuotaValue(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Change would make usage less than 0 for the following resources: %(unders)s."


class InvalidRequest(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "The request is invalid."


class InvalidReservationExpiration(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid reservation expiration %(expire)s."


class InvalidResults(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "The results are invalid."


class InvalidSecurityService(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid security service: %(reason)s"


class InvalidShare(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share: %(reason)s."


class InvalidShareAccess(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid access rule: %(reason)s"


class InvalidShareAccessLevel(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid or unsupported share access level: %(level)s."


class InvalidShareAccessType(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid or unsupported share access type: %(type)s."


class InvalidShareGroup(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share group: %(reason)s"


class InvalidShareGroupSnapshot(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share group snapshot: %(reason)s"


class InvalidShareGroupType(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share group type: %(reason)s."


class InvalidShareInstance(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share instance: %(reason)s."


class InvalidShareNetwork(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share network: %(reason)s"


class InvalidShareServer(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share server: %(reason)s"


class InvalidShareSnapshot(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share snapshot: %(reason)s."


class InvalidShareSnapshotInstance(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share snapshot instance: %(reason)s."


class InvalidShareType(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid share type: %(reason)s."


class InvalidSnapshot(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid snapshot: %(reason)s"


class InvalidSnapshotAccess(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid access rule: %(reason)s"


class InvalidSqliteDB(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid Sqlite database."


class InvalidUUID(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "%(uuid)s is not a valid uuid."


class InvalidVolume(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Invalid volume."


class MessageNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Message %(message_id)s could not be found."


class MetadataItemNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Metadata item is not found."


class MigrationNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Migration %(migration_id)s could not be found."


class NetworkBadConfigurationException(NetworkException):
    """500 computeFault when uncaught, text hidden."""

    template = "Bad network configuration: %(reason)s."


class PasteAppNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Could not load paste app '%(name)s' from %(path)s."


class PolicyNotAuthorized(NotAuthorized):
    """403 forbidden when uncaught, text shown."""

    template = "Policy doesn't allow %(action)s to be performed."


class PortLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of ports exceeded."


class QosTypeNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "QoS Type %(qos_type_id)s could not be found."


class QosTypeSpecsNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Qos Type %(qos_type_id)s has no specs with key %(key)s."


class QuotaNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota could not be found."


class ResourceLockNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Resource lock %(lock_id)s could not be found."


class SchedulerHostFilterNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Scheduler host filter %(filter_name)s could not be found."


class SchedulerHostWeigherNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Scheduler host weigher %(weigher_name)s could not be found."


class SecurityServiceNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Security service %(security_service_id)s could not be found."


class ServiceIsDown(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Service %(service)s is down."


class ServiceNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Service %(service_id)s could not be found."


class ShareAccessMetadataNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share access rule metadata does not exist."


class ShareBackupNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Backup %(backup_id)s could not be found."


class ShareBackupSizeExceedsAvailableQuota(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = (
        "Requested backup exceeds allowed Backup gigabytes quota. Requested %(requested)sG, quota is "
        "%(quota)sG and %(consumed)sG has been consumed."
    )


class ShareBusyException(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "Share is busy with an active task: %(reason)s."


class ShareGroupNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group %(share_group_id)s could not be found."


class ShareGroupSnapshotMemberNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group snapshot member %(member_id)s could not be found."


class ShareGroupSnapshotNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group snapshot %(share_group_snapshot_id)s could not be found."


class ShareGroupSnapshotsLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of allowed share-group-snapshots is exceeded."


class ShareGroupTypeAccessNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group type access not found for %(type_id)s / %(project_id)s combination."


class ShareGroupTypeNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group type %(type_id)s could not be found."


class ShareGroupTypeSpecsNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group type %(type_id)s has no group specs with key %(specs_key)s."


class ShareGroupsLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of allowed share-groups is exceeded."


class ShareInstanceNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share instance %(share_instance_id)s could not be found."


class ShareLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of shares allowed (%(allowed)d) either per project/user or share type quota is exceeded."


class ShareNetworkNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share network %(share_network_id)s could not be found."


class ShareNetworkSubnetNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share network subnet %(share_network_subnet_id)s could not be found."


class ShareNetworkSubnetNotFoundByShareServer(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share network subnet could not be found by %(share_server_id)s."


class ShareNetworksLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of share-networks allowed (%(allowed)d) exceeded."


class ShareNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share %(share_id)s could not be found."


class ShareReplicaNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share Replica %(replica_id)s could not be found."


class ShareReplicaSizeExceedsAvailableQuota(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Requested share replica exceeds allowed project/user or share type gigabytes quota."


class ShareReplicasLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Maximum number of allowed share-replicas is exceeded."


class ShareServerBackendDetailsNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share server backend details does not exist."


class ShareServerInUse(InUse):
    """500 computeFault when uncaught, text hidden."""

    template = "Share server %(share_server_id)s is in use."


class ShareServerNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share server %(share_server_id)s could not be found."


class ShareSizeExceedsAvailableQuota(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Requested share exceeds allowed project/user or share type gigabytes quota."


class ShareSizeExceedsLimit(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Requested share size %(size)d is larger than maximum allowed limit %(limit)d."


class ShareSnapshotInstanceNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Snapshot instance %(instance_id)s could not be found."


class ShareSnapshotNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Snapshot %(snapshot_id)s could not be found."


class ShareTypeAccessNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share type access not found for %(share_type_id)s / %(project_id)s combination."


class ShareTypeDoesNotExist(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share Type %(share_type)s does not exist."


class ShareTypeExtraSpecsNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share Type %(share_type_id)s has no extra specs with key %(extra_specs_key)s."


class ShareTypeNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share type %(share_type_id)s could not be found."


class SnapshotLimitExceeded(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = (
        "Maximum number of snapshots allowed (%(allowed)d) either per project/user or share type quota is exceeded."
    )


class SnapshotSizeExceedsAvailableQuota(QuotaError):
    """413 overLimit when uncaught, text shown with the class name."""

    template = "Requested snapshot exceeds allowed project/user or share type gigabytes quota."


class SnapshotUnavailable(StorageResourceException):
    """500 computeFault when uncaught, text hidden."""

    template = "Snapshot %(name)s info not available."


class StorageResourceNotFound(StorageResourceException):
    """404 itemNotFound when uncaught, text hidden."""

    code = 404
    template = "Storage resource %(name)s not found."
    uncaught_status = 404


class TransferNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Transfer %(transfer_id)s could not be found."


class ValidationError(Invalid):
    """400 badRequest when uncaught, text shown."""

    template = "%(detail)s"


class VersionNotFoundForAPIMethod(Invalid):
    """404 itemNotFound when uncaught, text hidden."""

    template = "API version %(version)s is not supported on this method."
    uncaught_status = 404
    uncaught_shown = "default"


class VolumeNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Volume %(volume_id)s could not be found."


class VolumeSnapshotNotFound(NotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Snapshot %(snapshot_id)s could not be found."


class ManageInvalidShare(InvalidShare):
    """400 badRequest when uncaught, text shown."""

    template = "Manage existing share failed due to invalid share: %(reason)s"


class ManageInvalidShareSnapshot(InvalidShareSnapshot):
    """400 badRequest when uncaught, text shown."""

    template = "Manage existing share snapshot failed due to invalid share snapshot: %(reason)s."


class MigrationNotFoundByStatus(MigrationNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Migration not found for instance %(instance_id)s with status %(status)s."


class ProjectQuotaNotFound(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota for project %(project_id)s could not be found."


class ProjectShareTypeQuotaNotFound(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota for share_type %(share_type)s in project %(project_id)s could not be found."


class ProjectUserQuotaNotFound(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota for user %(user_id)s in project %(project_id)s could not be found."


class QosTypeNotFoundByName(QosTypeNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Qos type with name %(qos_type_name)s could not be found."


class QuotaClassNotFound(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota class %(class_name)s could not be found."


class QuotaResourceUnknown(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Unknown quota resources %(unknown)s."


class QuotaUsageNotFound(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota usage for project %(project_id)s could not be found."


class ReservationNotFound(QuotaNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Quota reservation %(uuid)s could not be found."


class ShareGroupTypeNotFoundByName(ShareTypeNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share group type with name %(type_name)s could not be found."


class ShareResourceNotFound(StorageResourceNotFound):
    """404 itemNotFound when uncaught, text hidden."""

    template = "Share id %(share_id)s could not be found in storage backend."


class ShareServerNotFoundByFilters(ShareServerNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share server could not be found by filters: %(filters_description)s."


class ShareSnapshotAccessExists(InvalidInput):
    """400 badRequest when uncaught, text shown."""

    template = "Share snapshot access %(access_type)s:%(access)s exists."


class ShareTypeNotFoundByName(ShareTypeNotFound):
    """404 itemNotFound when uncaught, text shown with the class name."""

    template = "Share type with name %(share_type_name)s could not be found."


class SnapshotResourceNotFound(StorageResourceNotFound):
    """404 itemNotFound when uncaught, text hidden."""

    template = "Snapshot %(name)s not found."


class UnmanageInvalidShare(InvalidShare):
    """400 badRequest when uncaught, text shown."""

    template = "Unmanage existing share failed due to invalid share: %(reason)s"


class UnmanageInvalidShareSnapshot(InvalidShareSnapshot):
    """400 badRequest when uncaught, text shown."""

    template = "Unmanage existing share snapshot failed due to invalid share snapshot: %(reason)s."
