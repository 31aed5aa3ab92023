"""The version document behind authentication."""

from handlers.call import Call, Reply
from services.versions import version_document


async def list(call: Call) -> Reply:
    """The one version there is."""
    return Reply(version_document(call.base_url))
