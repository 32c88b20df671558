"""Generate files from tables and models; `--check` lists the files that are out of date."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The description uses error messages of the routes as examples.
sys.path[:0] = [str(ROOT / "layers" / "domain"), str(ROOT / "functions" / "http_api")]

from description import lifecycles, openapi, overview  # noqa: E402 - the path must be set first
from readdo.collect.requests import FILE_SCHEMAS  # noqa: E402 - as above

_API_PAGE = "docs/api.md"


def files() -> dict[str, str]:
    """Return the expected content of each generated file."""
    api_page = (ROOT / _API_PAGE).read_text(encoding="utf-8")
    return {
        "docs/lifecycles.md": lifecycles.page(),
        "schemas/api/openapi.json": openapi.as_text(openapi.document()),
        **{f"schemas/collect/{name}": openapi.as_text(schema) for name, schema in FILE_SCHEMAS.items()},
        **({_API_PAGE: overview.put_into(api_page)} if overview.has_place(api_page) else {}),
    }


def drifted() -> dict[str, str]:
    return {name: content for name, content in files().items() if _read(name) != content}


def _read(name: str) -> str:
    path = ROOT / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> int:
    outdated = drifted()
    if "--check" in sys.argv:
        for name in outdated:
            print(f"{name} does not agree with what it is made from. Run: make generate")
        return 1 if outdated else 0
    for name, content in outdated.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        print(f"written: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
