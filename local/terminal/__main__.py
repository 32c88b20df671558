"""What the launcher runs, isolated from the caller's environment: the path holds this package and nothing beside it."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Last, so that the names in `local/` never stand before a package of the same name.
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from terminal.main import readdo

    readdo(prog_name="readdo")
