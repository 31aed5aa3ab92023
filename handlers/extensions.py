"""Extensions: microversions took their place, so there are none."""

from generated.runtime import Fault
from handlers.call import Call, Reply


async def list(call: Call) -> Reply:
    """No extensions."""
    return Reply({"extensions": []})


async def show(call: Call) -> Reply:
    """No extension has that name."""
    raise Fault(404)
