"""Tell a driver of changed metadata; a user message says how it went, as in the original either way."""

from __future__ import annotations

from db import driver_rows, share_networks, subnets
from db.connection import Conn
from generated.messages import Action, Detail, Resource
from services.work import ShareMetadataUpdate, SubnetMetadataUpdate
from worker.operation import Finished, Operation, Step, Work


async def tell_of_share(work: Work) -> None:
    """The driver acts upon a share's metadata."""
    job = work.job(ShareMetadataUpdate)
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, job.instance_id)
        if share is None:
            raise Finished
        server = await driver_rows.server(conn, share["share_server_id"])
    await work.driver.update_share_from_metadata(share, job.metadata, share_server=server)


async def say_of_share(work: Work) -> None:
    """The driver has done it."""
    async with work.write() as conn:
        await _say_of_share(work, conn, Detail.UPDATE_METADATA_SUCCESS)


async def of_share_failed(work: Work, error: Exception) -> None:
    """The driver has not done it, or cannot."""
    async with work.write() as conn:
        await _say_of_share(work, conn, Detail.UPDATE_METADATA_FAILURE)


async def _say_of_share(work: Work, conn: Conn, detail: Detail) -> None:
    job = work.job(ShareMetadataUpdate)
    share = await driver_rows.share(conn, job.instance_id)
    if share is not None:
        await work.tell(conn, Action.UPDATE_METADATA, share["project_id"], job.share_id, detail=detail)


async def tell_of_subnet(work: Work) -> None:
    """The driver acts upon the metadata of a subnet."""
    job = work.job(SubnetMetadataUpdate)
    async with work.core.db.read() as conn:
        network = await share_networks.owner_of(conn, job.network_id)
        subnet = await subnets.get(conn, job.network_id, job.subnet_id)
        server = await driver_rows.server(conn, job.server_id)
    if network is None or subnet is None or server is None:
        raise Finished
    await work.driver.update_share_network_subnet_from_metadata(network, subnet, server, job.metadata)


async def say_of_subnet(work: Work) -> None:
    """The driver has done it."""
    async with work.write() as conn:
        await _say_of_subnet(work, conn, Detail.UPDATE_METADATA_SUCCESS)


async def of_subnet_failed(work: Work, error: Exception) -> None:
    """The driver has not done it, or cannot."""
    async with work.write() as conn:
        await _say_of_subnet(work, conn, Detail.UPDATE_METADATA_FAILURE)


async def _say_of_subnet(work: Work, conn: Conn, detail: Detail) -> None:
    job = work.job(SubnetMetadataUpdate)
    network = await share_networks.owner_of(conn, job.network_id)
    if network is not None:
        kind = Resource.SHARE_NETWORK_SUBNET
        await work.tell(
            conn, Action.UPDATE_METADATA, network["project_id"], job.subnet_id, resource_type=kind, detail=detail
        )


OPERATIONS = (
    Operation(
        ShareMetadataUpdate, (Step("tell_driver", tell_of_share), Step("say", say_of_share)), of_share_failed
    ),
    Operation(
        SubnetMetadataUpdate, (Step("tell_driver", tell_of_subnet), Step("say", say_of_subnet)), of_subnet_failed
    ),
)  # fmt: skip
