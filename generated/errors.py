"""The contract's exceptions.

Generated from spec/constants (exceptions); do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import ManilaError


class AdminIPNotFound(ManilaError):
    code = 500
    safe = False
    template = "Admin port IP for service instance not found: %(reason)s"


class NotAuthorized(ManilaError):
    code = 403
    safe = False
    template = "Not authorized."


class AdminRequired(NotAuthorized):
    code = 403
    safe = False
    template = "User does not have admin privileges."


class NotFound(ManilaError):
    code = 404
    safe = True
    template = "Resource could not be found."


class AllocationsNotFoundForShareServer(NotFound):
    code = 404
    safe = True
    template = "No allocations found for the share server %(share_server_id)s on the subnet."


class AvailabilityZoneNotFound(NotFound):
    code = 404
    safe = True
    template = "Availability zone %(id)s could not be found."


class BackupException(ManilaError):
    code = 500
    safe = False
    template = "Unable to perform a backup action: %(reason)s."


class QuotaError(ManilaError):
    code = 413
    safe = True
    template = "Quota exceeded: code=%(code)s."


class BackupLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of backups allowed (%(allowed)d) exceeded."


class BadConfigurationException(ManilaError):
    code = 500
    safe = False
    template = "Bad configuration: %(reason)s."


class BridgeDoesNotExist(ManilaError):
    code = 500
    safe = False
    template = "Bridge %(bridge)s does not exist."


class ConfigNotFound(NotFound):
    code = 404
    safe = True
    template = "Could not find config at %(path)s."


class Conflict(ManilaError):
    code = 409
    safe = False
    template = "%(err)s"


class DefaultShareTypeNotConfigured(NotFound):
    code = 404
    safe = True
    template = (
        "No default share type is configured. Either configure a default share type or explicitly specify a share "
        "type."
    )


class DriverCannotTransferShareWithRules(ManilaError):
    code = 500
    safe = False
    template = "Driver failed to transfer share with rules."


class DriverNotInitialized(ManilaError):
    code = 500
    safe = False
    template = "Share driver '%(driver)s' not initialized."


class EncryptionKeysLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of allowed encryption keys is exceeded."


class EvaluatorParseException(ManilaError):
    code = 500
    safe = False
    template = "Error during evaluator parsing: %(reason)s"


class ExportLocationNotFound(NotFound):
    code = 404
    safe = True
    template = "Export location %(uuid)s could not be found."


class FileNotFound(NotFound):
    code = 404
    safe = True
    template = "File %(file_path)s could not be found."


class Found(ManilaError):
    code = 302
    safe = True
    template = "Resource was found."


class HostBinaryNotFound(NotFound):
    code = 404
    safe = True
    template = "Could not find binary %(binary)s on host %(host)s."


class HostNotFound(NotFound):
    code = 404
    safe = True
    template = "Host %(host)s could not be found."


class InUse(ManilaError):
    code = 500
    safe = False
    template = "Resource is in use."


class IPAddressInUse(InUse):
    code = 500
    safe = False
    template = "IP address %(ip)s is already used."


class InstanceNotFound(NotFound):
    code = 404
    safe = True
    template = "Instance %(instance_id)s could not be found."


class Invalid(ManilaError):
    code = 400
    safe = False
    template = "Unacceptable parameters."


class InvalidAPIVersionString(Invalid):
    code = 400
    safe = False
    template = "API Version String %(version)s is of invalid format. Must be of format MajorNum.MinorNum."


class InvalidAuthKey(Invalid):
    code = 400
    safe = False
    template = "Invalid auth key: %(reason)s"


class InvalidBackup(Invalid):
    code = 400
    safe = False
    template = "Invalid backup: %(reason)s."


class InvalidCapacity(Invalid):
    code = 400
    safe = False
    template = "Invalid capacity: %(name)s = %(value)s."


class InvalidContentType(Invalid):
    code = 400
    safe = False
    template = "Invalid content type %(content_type)s."


class InvalidDriverMode(Invalid):
    code = 400
    safe = False
    template = "Invalid driver mode: %(driver_mode)s."


class InvalidExtraSpec(Invalid):
    code = 400
    safe = False
    template = "Invalid extra_spec: %(reason)s."


class InvalidGlobalAPIVersion(Invalid):
    code = 400
    safe = False
    template = "Version %(req_ver)s is not supported by the API. Minimum is %(min_ver)s and maximum is %(max_ver)s."


class InvalidHost(Invalid):
    code = 400
    safe = False
    template = "Invalid host: %(reason)s"


class InvalidInput(Invalid):
    code = 400
    safe = False
    template = "Invalid input received: %(reason)s."


class InvalidMetadata(Invalid):
    code = 400
    safe = False
    template = "Invalid metadata."


class InvalidMetadataSize(Invalid):
    code = 400
    safe = False
    template = "Invalid metadata size."


class InvalidParameterValue(Invalid):
    code = 400
    safe = False
    template = "%(err)s"


class InvalidQosTypeSpec(Invalid):
    code = 400
    safe = False
    template = "Invalid qos_type spec: %(reason)s."


class InvalidQuotaValue(Invalid):
    code = 400
    safe = False
    template = "Change would make usage less than 0 for the following resources: %(unders)s."


class InvalidRequest(Invalid):
    code = 400
    safe = False
    template = "The request is invalid."


class InvalidReservationExpiration(Invalid):
    code = 400
    safe = False
    template = "Invalid reservation expiration %(expire)s."


class InvalidResults(Invalid):
    code = 400
    safe = False
    template = "The results are invalid."


class InvalidSecurityService(Invalid):
    code = 400
    safe = False
    template = "Invalid security service: %(reason)s"


class InvalidShare(Invalid):
    code = 400
    safe = False
    template = "Invalid share: %(reason)s."


class InvalidShareAccess(Invalid):
    code = 400
    safe = False
    template = "Invalid access rule: %(reason)s"


class InvalidShareAccessLevel(Invalid):
    code = 400
    safe = False
    template = "Invalid or unsupported share access level: %(level)s."


class InvalidShareAccessType(Invalid):
    code = 400
    safe = False
    template = "Invalid or unsupported share access type: %(type)s."


class InvalidShareGroup(Invalid):
    code = 400
    safe = False
    template = "Invalid share group: %(reason)s"


class InvalidShareGroupSnapshot(Invalid):
    code = 400
    safe = False
    template = "Invalid share group snapshot: %(reason)s"


class InvalidShareGroupType(Invalid):
    code = 400
    safe = False
    template = "Invalid share group type: %(reason)s."


class InvalidShareInstance(Invalid):
    code = 400
    safe = False
    template = "Invalid share instance: %(reason)s."


class InvalidShareNetwork(Invalid):
    code = 400
    safe = False
    template = "Invalid share network: %(reason)s"


class InvalidShareServer(Invalid):
    code = 400
    safe = False
    template = "Invalid share server: %(reason)s"


class InvalidShareSnapshot(Invalid):
    code = 400
    safe = False
    template = "Invalid share snapshot: %(reason)s."


class InvalidShareSnapshotInstance(Invalid):
    code = 400
    safe = False
    template = "Invalid share snapshot instance: %(reason)s."


class InvalidShareType(Invalid):
    code = 400
    safe = False
    template = "Invalid share type: %(reason)s."


class InvalidSnapshot(Invalid):
    code = 400
    safe = False
    template = "Invalid snapshot: %(reason)s"


class InvalidSnapshotAccess(Invalid):
    code = 400
    safe = False
    template = "Invalid access rule: %(reason)s"


class InvalidSqliteDB(Invalid):
    code = 400
    safe = False
    template = "Invalid Sqlite database."


class InvalidUUID(Invalid):
    code = 400
    safe = False
    template = "%(uuid)s is not a valid uuid."


class InvalidVolume(Invalid):
    code = 400
    safe = False
    template = "Invalid volume."


class IpAddressGenerationFailureClient(ManilaError):
    code = 500
    safe = False
    template = "No free IP addresses available in neutron subnet."


class LockCreationFailed(ManilaError):
    code = 500
    safe = False
    template = "Unable to create lock. Coordination backend not started."


class LockingFailed(ManilaError):
    code = 500
    safe = False
    template = "Lock acquisition failed."


class MalformedRequestBody(ManilaError):
    code = 500
    safe = False
    template = "Malformed message body: %(reason)s."


class ManageExistingShareTypeMismatch(ManilaError):
    code = 500
    safe = False
    template = "Manage existing share failed due to share type mismatch: %(reason)s"


class ManageInvalidShare(InvalidShare):
    code = 400
    safe = False
    template = "Manage existing share failed due to invalid share: %(reason)s"


class ManageInvalidShareSnapshot(InvalidShareSnapshot):
    code = 400
    safe = False
    template = "Manage existing share snapshot failed due to invalid share snapshot: %(reason)s."


class ManageShareServerError(ManilaError):
    code = 500
    safe = False
    template = "Manage existing share server failed due to: %(reason)s"


class ManilaBarbicanACLError(ManilaError):
    code = 500
    safe = False
    template = "Failed while communicating to Barbican. Please check the provided credentials ."


class ManilaBarbicanAppCredsError(ManilaError):
    code = 500
    safe = False
    template = "Error occurred while dealing with barbican for App Creds."


class MessageNotFound(NotFound):
    code = 404
    safe = True
    template = "Message %(message_id)s could not be found."


class MetadataItemNotFound(NotFound):
    code = 404
    safe = True
    template = "Metadata item is not found."


class MigrationError(ManilaError):
    code = 500
    safe = False
    template = "Migration error: %(reason)s."


class MigrationNotFound(NotFound):
    code = 404
    safe = True
    template = "Migration %(migration_id)s could not be found."


class MigrationNotFoundByStatus(MigrationNotFound):
    code = 404
    safe = True
    template = "Migration not found for instance %(instance_id)s with status %(status)s."


class NetworkException(ManilaError):
    code = 500
    safe = False
    template = "Exception due to network failure."


class NetworkBadConfigurationException(NetworkException):
    code = 500
    safe = False
    template = "Bad network configuration: %(reason)s."


class NetworkBindException(ManilaError):
    code = 500
    safe = False
    template = "Exception due to failed port status in binding."


class NoValidHost(ManilaError):
    code = 500
    safe = False
    template = "No valid host was found. %(reason)s."


class OperationNotSupportedByDriverMode(ManilaError):
    code = 500
    safe = False
    template = "The share driver mode does not support this operation."


class OverQuota(ManilaError):
    code = 500
    safe = False
    template = "Quota exceeded for resources: %(overs)s."


class PasteAppNotFound(NotFound):
    code = 404
    safe = True
    template = "Could not load paste app '%(name)s' from %(path)s."


class PolicyNotAuthorized(NotAuthorized):
    code = 403
    safe = False
    template = "Policy doesn't allow %(action)s to be performed."


class PortLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of ports exceeded."


class QuotaNotFound(NotFound):
    code = 404
    safe = True
    template = "Quota could not be found."


class ProjectQuotaNotFound(QuotaNotFound):
    code = 404
    safe = True
    template = "Quota for project %(project_id)s could not be found."


class ProjectShareTypeQuotaNotFound(QuotaNotFound):
    code = 404
    safe = True
    template = "Quota for share_type %(share_type)s in project %(project_id)s could not be found."


class ProjectUserQuotaNotFound(QuotaNotFound):
    code = 404
    safe = True
    template = "Quota for user %(user_id)s in project %(project_id)s could not be found."


class QosTypeExists(ManilaError):
    code = 500
    safe = False
    template = "Qos Type %(id)s already exists."


class QosTypeInUse(ManilaError):
    code = 500
    safe = False
    template = "Qos Type %(qos_type_id)s deletion is not allowed while shares are associated with the qos type."


class QosTypeNotFound(NotFound):
    code = 404
    safe = True
    template = "QoS Type %(qos_type_id)s could not be found."


class QosTypeNotFoundByName(QosTypeNotFound):
    code = 404
    safe = True
    template = "Qos type with name %(qos_type_name)s could not be found."


class QosTypeSpecsNotFound(NotFound):
    code = 404
    safe = True
    template = "Qos Type %(qos_type_id)s has no specs with key %(key)s."


class QuotaClassNotFound(QuotaNotFound):
    code = 404
    safe = True
    template = "Quota class %(class_name)s could not be found."


class QuotaExists(ManilaError):
    code = 500
    safe = False
    template = "Quota exists for project %(project_id)s, resource %(resource)s."


class QuotaResourceUnknown(QuotaNotFound):
    code = 404
    safe = True
    template = "Unknown quota resources %(unknown)s."


class QuotaUsageNotFound(QuotaNotFound):
    code = 404
    safe = True
    template = "Quota usage for project %(project_id)s could not be found."


class ReplicationException(ManilaError):
    code = 500
    safe = False
    template = "Unable to perform a replication action: %(reason)s."


class RequirementMissing(ManilaError):
    code = 500
    safe = False
    template = "Requirement %(req)s is not installed."


class ReservationNotFound(QuotaNotFound):
    code = 404
    safe = True
    template = "Quota reservation %(uuid)s could not be found."


class ResourceLockNotFound(NotFound):
    code = 404
    safe = True
    template = "Resource lock %(lock_id)s could not be found."


class ResourceVisibilityLockExists(ManilaError):
    code = 500
    safe = False
    template = "Resource %(resource_id)s is already locked."


class SchedulerHostFilterNotFound(NotFound):
    code = 404
    safe = True
    template = "Scheduler host filter %(filter_name)s could not be found."


class SchedulerHostWeigherNotFound(NotFound):
    code = 404
    safe = True
    template = "Scheduler host weigher %(weigher_name)s could not be found."


class SecurityServiceFailedAuth(ManilaError):
    code = 500
    safe = False
    template = "Failed to authenticate user against security service."


class SecurityServiceNotFound(NotFound):
    code = 404
    safe = True
    template = "Security service %(security_service_id)s could not be found."


class ServiceIsDown(Invalid):
    code = 400
    safe = False
    template = "Service %(service)s is down."


class ServiceNotFound(NotFound):
    code = 404
    safe = True
    template = "Service %(service_id)s could not be found."


class ShareAccessExists(ManilaError):
    code = 500
    safe = False
    template = "Share access %(access_type)s:%(access)s exists."


class ShareAccessMetadataNotFound(NotFound):
    code = 404
    safe = True
    template = "Share access rule metadata does not exist."


class ShareBackendException(ManilaError):
    code = 500
    safe = False
    template = "Share backend error: %(msg)s."


class ShareBackupNotFound(NotFound):
    code = 404
    safe = True
    template = "Backup %(backup_id)s could not be found."


class ShareBackupSizeExceedsAvailableQuota(QuotaError):
    code = 413
    safe = True
    template = (
        "Requested backup exceeds allowed Backup gigabytes quota. Requested %(requested)sG, quota is %(quota)sG and "
        "%(consumed)sG has been consumed."
    )


class ShareBusyException(Invalid):
    code = 400
    safe = False
    template = "Share is busy with an active task: %(reason)s."


class ShareCopyDataException(ManilaError):
    code = 500
    safe = False
    template = "Failed to copy data: %(reason)s"


class ShareDataCopyCancelled(ManilaError):
    code = 500
    safe = False
    template = "Copy of contents from source to destination was cancelled."


class ShareDataCopyFailed(ManilaError):
    code = 500
    safe = False
    template = "Share Data copy failed: %(reason)s"


class ShareExtendingError(ManilaError):
    code = 500
    safe = False
    template = "Share %(share_id)s could not be extended due to error in the driver: %(reason)s"


class ShareGroupNotFound(NotFound):
    code = 404
    safe = True
    template = "Share group %(share_group_id)s could not be found."


class ShareGroupSnapshotMemberNotFound(NotFound):
    code = 404
    safe = True
    template = "Share group snapshot member %(member_id)s could not be found."


class ShareGroupSnapshotNotFound(NotFound):
    code = 404
    safe = True
    template = "Share group snapshot %(share_group_snapshot_id)s could not be found."


class ShareGroupSnapshotNotSupported(ManilaError):
    code = 500
    safe = False
    template = "Share group %(share_group)s does not support snapshots."


class ShareGroupSnapshotsLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of allowed share-group-snapshots is exceeded."


class ShareGroupTypeAccessExists(ManilaError):
    code = 500
    safe = False
    template = "Share group type access for %(type_id)s / %(project_id)s combination already exists."


class ShareGroupTypeAccessNotFound(NotFound):
    code = 404
    safe = True
    template = "Share group type access not found for %(type_id)s / %(project_id)s combination."


class ShareGroupTypeCreateFailed(ManilaError):
    code = 500
    safe = False
    template = "Cannot create share group type with name %(name)s and specs %(group_specs)s."


class ShareGroupTypeExists(ManilaError):
    code = 500
    safe = False
    template = "Share group type %(type_id)s already exists."


class ShareGroupTypeInUse(ManilaError):
    code = 500
    safe = False
    template = "Share group Type %(type_id)s deletion is not allowed with groups present with the type."


class ShareGroupTypeNotFound(NotFound):
    code = 404
    safe = True
    template = "Share group type %(type_id)s could not be found."


class ShareTypeNotFound(NotFound):
    code = 404
    safe = True
    template = "Share type %(share_type_id)s could not be found."


class ShareGroupTypeNotFoundByName(ShareTypeNotFound):
    code = 404
    safe = True
    template = "Share group type with name %(type_name)s could not be found."


class ShareGroupTypeSpecsNotFound(NotFound):
    code = 404
    safe = True
    template = "Share group type %(type_id)s has no group specs with key %(specs_key)s."


class ShareGroupsLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of allowed share-groups is exceeded."


class ShareInstanceNotFound(NotFound):
    code = 404
    safe = True
    template = "Share instance %(share_instance_id)s could not be found."


class ShareLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of shares allowed (%(allowed)d) either per project/user or share type quota is exceeded."


class ShareMigrationError(ManilaError):
    code = 500
    safe = False
    template = "Error in share migration: %(reason)s"


class ShareMigrationFailed(ManilaError):
    code = 500
    safe = False
    template = "Share migration failed: %(reason)s"


class ShareMountException(ManilaError):
    code = 500
    safe = False
    template = "Failed to mount share: %(reason)s"


class ShareNetworkNotFound(NotFound):
    code = 404
    safe = True
    template = "Share network %(share_network_id)s could not be found."


class ShareNetworkSecurityServiceAssociationError(ManilaError):
    code = 500
    safe = False
    template = (
        "Failed to associate share network %(share_network_id)s and security service %(security_service_id)s: "
        "%(reason)s."
    )


class ShareNetworkSecurityServiceDissociationError(ManilaError):
    code = 500
    safe = False
    template = (
        "Failed to dissociate share network %(share_network_id)s and security service %(security_service_id)s: "
        "%(reason)s."
    )


class ShareNetworkSubnetNotFound(NotFound):
    code = 404
    safe = True
    template = "Share network subnet %(share_network_subnet_id)s could not be found."


class ShareNetworkSubnetNotFoundByShareServer(NotFound):
    code = 404
    safe = True
    template = "Share network subnet could not be found by %(share_server_id)s."


class ShareNetworksLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of share-networks allowed (%(allowed)d) exceeded."


class ShareNotFound(NotFound):
    code = 404
    safe = True
    template = "Share %(share_id)s could not be found."


class ShareReplicaNotFound(NotFound):
    code = 404
    safe = True
    template = "Share Replica %(replica_id)s could not be found."


class ShareReplicaSizeExceedsAvailableQuota(QuotaError):
    code = 413
    safe = True
    template = "Requested share replica exceeds allowed project/user or share type gigabytes quota."


class ShareReplicasLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = "Maximum number of allowed share-replicas is exceeded."


class StorageResourceException(ManilaError):
    code = 500
    safe = False
    template = "Storage resource exception."


class StorageResourceNotFound(StorageResourceException):
    code = 404
    safe = False
    template = "Storage resource %(name)s not found."


class ShareResourceNotFound(StorageResourceNotFound):
    code = 404
    safe = False
    template = "Share id %(share_id)s could not be found in storage backend."


class ShareServerBackendDetailsNotFound(NotFound):
    code = 404
    safe = True
    template = "Share server backend details does not exist."


class ShareServerInUse(InUse):
    code = 500
    safe = False
    template = "Share server %(share_server_id)s is in use."


class ShareServerMigrationError(ManilaError):
    code = 500
    safe = False
    template = "Error in share server migration: %(reason)s"


class ShareServerMigrationFailed(ManilaError):
    code = 500
    safe = False
    template = "Share server migration failed: %(reason)s"


class ShareServerNotCreated(ManilaError):
    code = 500
    safe = False
    template = "Share server %(share_server_id)s failed on creation."


class ShareServerNotFound(NotFound):
    code = 404
    safe = True
    template = "Share server %(share_server_id)s could not be found."


class ShareServerNotFoundByFilters(ShareServerNotFound):
    code = 404
    safe = True
    template = "Share server could not be found by filters: %(filters_description)s."


class ShareServerNotReady(ManilaError):
    code = 500
    safe = False
    template = "Share server %(share_server_id)s failed to reach '%(state)s' within %(time)s seconds."


class ShareShrinkingError(ManilaError):
    code = 500
    safe = False
    template = "Share %(share_id)s could not be shrunk due to error in the driver: %(reason)s"


class ShareShrinkingPossibleDataLoss(ManilaError):
    code = 500
    safe = False
    template = "Share %(share_id)s could not be shrunk due to possible data loss"


class ShareSizeExceedsAvailableQuota(QuotaError):
    code = 413
    safe = True
    template = "Requested share exceeds allowed project/user or share type gigabytes quota."


class ShareSizeExceedsLimit(QuotaError):
    code = 413
    safe = True
    template = "Requested share size %(size)d is larger than maximum allowed limit %(limit)d."


class ShareSnapshotAccessExists(InvalidInput):
    code = 400
    safe = False
    template = "Share snapshot access %(access_type)s:%(access)s exists."


class ShareSnapshotInstanceNotFound(NotFound):
    code = 404
    safe = True
    template = "Snapshot instance %(instance_id)s could not be found."


class ShareSnapshotIsBusy(ManilaError):
    code = 500
    safe = False
    template = "Deleting snapshot %(snapshot_name)s that has dependent shares."


class ShareSnapshotNotFound(NotFound):
    code = 404
    safe = True
    template = "Snapshot %(snapshot_id)s could not be found."


class ShareSnapshotNotSupported(ManilaError):
    code = 500
    safe = False
    template = "Share %(share_name)s does not support snapshots."


class ShareTypeAccessExists(ManilaError):
    code = 500
    safe = False
    template = "Share type access for %(share_type_id)s / %(project_id)s combination already exists."


class ShareTypeAccessNotFound(NotFound):
    code = 404
    safe = True
    template = "Share type access not found for %(share_type_id)s / %(project_id)s combination."


class ShareTypeCreateFailed(ManilaError):
    code = 500
    safe = False
    template = "Cannot create share_type with name %(name)s and specs %(extra_specs)s."


class ShareTypeDoesNotExist(NotFound):
    code = 404
    safe = True
    template = "Share Type %(share_type)s does not exist."


class ShareTypeExists(ManilaError):
    code = 500
    safe = False
    template = "Share Type %(id)s already exists."


class ShareTypeExtraSpecsNotFound(NotFound):
    code = 404
    safe = True
    template = "Share Type %(share_type_id)s has no extra specs with key %(extra_specs_key)s."


class ShareTypeInUse(ManilaError):
    code = 500
    safe = False
    template = (
        "Share Type %(share_type_id)s deletion is not allowed while shares or share group types are associated with "
        "the type."
    )


class ShareTypeNotFoundByName(ShareTypeNotFound):
    code = 404
    safe = True
    template = "Share type with name %(share_type_name)s could not be found."


class ShareTypeUpdateFailed(ManilaError):
    code = 500
    safe = False
    template = "Cannot update share_type %(id)s."


class SnapshotLimitExceeded(QuotaError):
    code = 413
    safe = True
    template = (
        "Maximum number of snapshots allowed (%(allowed)d) either per project/user or share type quota is exceeded."
    )


class SnapshotResourceNotFound(StorageResourceNotFound):
    code = 404
    safe = False
    template = "Snapshot %(name)s not found."


class SnapshotSizeExceedsAvailableQuota(QuotaError):
    code = 413
    safe = True
    template = "Requested snapshot exceeds allowed project/user or share type gigabytes quota."


class SnapshotUnavailable(StorageResourceException):
    code = 500
    safe = False
    template = "Snapshot %(name)s info not available."


class TransferNotFound(NotFound):
    code = 404
    safe = True
    template = "Transfer %(transfer_id)s could not be found."


class UnmanageInvalidShare(InvalidShare):
    code = 400
    safe = False
    template = "Unmanage existing share failed due to invalid share: %(reason)s"


class UnmanageInvalidShareSnapshot(InvalidShareSnapshot):
    code = 400
    safe = False
    template = "Unmanage existing share snapshot failed due to invalid share snapshot: %(reason)s."


class ValidationError(Invalid):
    code = 400
    safe = False
    template = "%(detail)s"


class VersionNotFoundForAPIMethod(Invalid):
    code = 400
    safe = False
    template = "API version %(version)s is not supported on this method."
    uncaught_status = 404


class VolumeNotFound(NotFound):
    code = 404
    safe = True
    template = "Volume %(volume_id)s could not be found."


class VolumeSnapshotNotFound(NotFound):
    code = 404
    safe = True
    template = "Snapshot %(snapshot_id)s could not be found."


class WillNotSchedule(ManilaError):
    code = 500
    safe = False
    template = "Host %(host)s is not up or doesn't exist."
