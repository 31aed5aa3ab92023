"""``manila-all``: API, scheduler, share manager and data service in one process, for embedded use."""

from __future__ import annotations

import sys

from cli.main import start


def main() -> int:
    """Serve until SIGTERM."""
    return start(__doc__ or "", "api", "scheduler", "share", "data")


if __name__ == "__main__":
    sys.exit(main())
