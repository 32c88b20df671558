"""Entry point of the launcher, isolated from the caller's environment and import path."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Last on the path, so that a module in `local/` never shadows an installed package of the same name.
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from terminal.main import readdo

    readdo(prog_name="readdo")
