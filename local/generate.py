"""Everything in the repository that is made from something else. `--check` names each file that does not agree."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The routes' own words are examples in the description.
sys.path[:0] = [str(ROOT / "layers" / "domain"), str(ROOT / "functions" / "http_api")]

from description import lifecycles, openapi, overview, page  # noqa: E402 - the path must be set first

_API_PAGE = "docs/api.md"


def files() -> dict[str, str]:
    """Path → what it must hold."""
    document = openapi.document()
    kept = (ROOT / _API_PAGE).read_text(encoding="utf-8")
    return {
        "docs/lifecycles.md": lifecycles.page(),
        "schemas/api/openapi.json": openapi.as_text(document),
        "schemas/api/docs.html": page.page(document),
        **({_API_PAGE: overview.put_into(kept)} if overview.has_place(kept) else {}),
    }


def drifted() -> dict[str, str]:
    return {name: made for name, made in files().items() if _kept(name) != made}


def _kept(name: str) -> str:
    path = ROOT / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> int:
    wrong = drifted()
    if "--check" in sys.argv:
        for name in wrong:
            print(f"{name} does not agree with what it is made from. Run: make generate")
        return 1 if wrong else 0
    for name, made in wrong.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8")
        print(f"written: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
