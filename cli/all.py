"""``manila-all``: API, scheduler and share manager in one process, for embedded use."""

from __future__ import annotations

import sys

from cli.main import start


def main() -> int:
    """Serve until SIGTERM."""
    return start(__doc__ or "", "api", "scheduler", "share")


if __name__ == "__main__":
    sys.exit(main())
