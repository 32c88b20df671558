"""Entry point of the Makefile, isolated from the caller's Python settings."""

import sys
from pathlib import Path

if __name__ == "__main__":
    local = Path(__file__).resolve().parents[1]
    sys.path += [str(local), str(local.parent / "layers/domain")]
    from cloud.main import main

    sys.exit(main(sys.argv[1:]))
