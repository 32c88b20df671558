"""Score text extraction from saved pages: `extract_bench.py DIR`.

DIR holds NAME.html, the saved page in any encoding; NAME.txt, the expected text; and optionally NAME.json with
`url` and `content_type`. The score is the F1 of shingles (four words, or four characters of scripts without
spaces), averaged over all pages: of the extracted text (F1), of the same without Markdown marks (plain), and of
trafilatura's output with its default settings (floor).
"""

import argparse
import json
import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "layers/domain")]

import trafilatura  # noqa: E402 - after the path, like the rest

from readdo.errors import StepFailed  # noqa: E402
from readdo.extraction.article import read_article  # noqa: E402
from readdo.extraction.decode import decode  # noqa: E402
from readdo.extraction.page_blocks import tokens  # noqa: E402

SHINGLE = 4
MARKS = re.compile(r"^(?:> ?)*(?:#{1,6} |[-*] |\d+\. |`{3,4}.*$|\|[-| ]+\|$)", re.M)
WORST = 10


def f1(extracted: str, expected: str) -> float:
    actual, target = _shingles(extracted), _shingles(expected)
    shared = sum((actual & target).values())
    if not shared:
        return float(not actual and not target)
    precision, recall = shared / sum(actual.values()), shared / sum(target.values())
    return 2 * precision * recall / (precision + recall)


def measure(folder: Path) -> list[dict[str, Any]]:
    """Return a row of scores for each page, with the error if extraction failed."""
    return [_page(path) for path in sorted(folder.glob("*.html")) if path.with_suffix(".txt").exists()]


def means(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the number of pages and the mean f1, plain and floor of each language and of all pages."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["language"]].append(row)
        groups["all"].append(row)
    return {
        name: {"pages": len(of), **{key: sum(row[key] for row in of) / len(of) for key in ("f1", "plain", "floor")}}
        for name, of in sorted(groups.items())
    }


def _page(path: Path) -> dict[str, Any]:
    body, expected = path.read_bytes(), path.with_suffix(".txt").read_text("utf-8")
    beside = path.with_suffix(".json")
    facts = json.loads(beside.read_text("utf-8")) if beside.exists() else {}
    started, error = time.perf_counter(), ""
    try:
        extracted = read_article(body, facts.get("url"), facts.get("content_type", "text/html"))["normalized_text"]
    except StepFailed as failed:
        extracted, error = "", str(failed)
    seconds = time.perf_counter() - started
    default = trafilatura.extract(decode(body, facts.get("content_type"))) or ""
    row = {"name": path.stem, "language": language_of(expected), "f1": f1(extracted, expected)}
    others = {"plain": f1(MARKS.sub("", extracted), expected), "floor": f1(default, expected)}
    return {**row, **others, "seconds": seconds, "error": error}


def language_of(text: str) -> str:
    """Guess the language from the script: ja, zh, or en for everything else."""
    letters = [letter for letter in text[:5_000] if letter.isalpha()]
    if any("\u3040" <= letter <= "\u30ff" for letter in letters):
        return "ja"
    return "zh" if sum("\u3400" <= letter <= "\u9fff" for letter in letters) * 5 > len(letters) else "en"


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = tokens(text)
    if len(words) < SHINGLE:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[i:] for i in range(SHINGLE)), strict=False))


def _report(rows: list[dict[str, Any]]) -> str:
    lines = [f"{'':8}{'pages':>6}{'F1':>8}{'plain':>8}{'floor':>8}"]
    lines += [
        f"{name:8}{of['pages']:6.0f}{of['f1']:8.4f}{of['plain']:8.4f}{of['floor']:8.4f}"
        for name, of in means(rows).items()
    ]
    seconds = sum(row["seconds"] for row in rows)
    lines.append(f"{len(rows) / seconds:.1f} pages per second. Lowest scores:")
    for row in sorted(rows, key=lambda row: (row["f1"], row["name"]))[:WORST]:
        lines.append(f"  {row['f1']:.3f} (floor {row['floor']:.3f}) {row['name']} {row['error']}".rstrip())
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Score text extraction from saved pages.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, help="also write the scores of every page to this file")
    options = parser.parse_args()
    rows = measure(options.folder)
    if not rows:
        print(f"{options.folder} holds no pages. A page is NAME.html with NAME.txt beside it.", file=sys.stderr)
        return 2
    print(_report(rows))
    if options.json:
        options.json.write_text(
            json.dumps({"means": means(rows), "pages": rows}, ensure_ascii=False, indent=1), "utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
