"""Command line of the Makefiles: build a package for Lambda, build the host layers, or print sizes."""

import sys
from pathlib import Path

from packing import build, host
from packing.names import BuildError
from packing.sizes import MB, bytes_in, measure, table


def one(name: str, target: Path) -> int:
    build.for_lambda(name, target)
    print(f"{name}: {bytes_in(target) / 1000:,.0f} kB")
    return 0


def sizes(built: Path) -> int:
    # The only third-party package, installed with SAM: parses the built template for the layers of each function.
    from samtranslator.yaml_helper import yaml_parse  # noqa: PLC0415

    measured = measure(yaml_parse((built / "template.yaml").read_text(encoding="utf-8")), built)
    print(table(measured))
    over = [size for size in measured if size.over]
    for size in over:
        print(
            f"{size.name} is {(size.total - size.limit) / MB:.1f} MB over its {size.limit // MB} MB. Leave something "
            "out (local/packing/excluded_files.py), or split what it needs into a layer of its own."
        )
    if not over:
        print(f"All {len(measured)} functions are within their limits. They lie in {built}.")
    return 1 if over else 0


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case ["build", name, target]:
                return one(name, Path(target))
            case ["host", folder]:
                return host.layers(Path(folder))
            case ["sizes", built]:
                return sizes(Path(built))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print("Ask for one of: build NAME FOLDER, host FOLDER, sizes FOLDER.", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
