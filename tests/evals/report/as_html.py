"""The report as one HTML file for human judgement, without scripts."""

from pathlib import Path

from evals.play import Outcome
from evals.rubric import LEVELS

from .case_html import section
from .run import Run
from .safe import text

_STYLE = Path(__file__).with_name("style.css")


def page(run: Run) -> str:
    head = f"Evals: {run.engine}, {run.profile}"
    sections = "\n".join(section(outcome) for outcome in run.outcomes)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{text(head)}</title>
<style>
{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<header>
<h1>{text(head)}</h1>
<p class="{"good" if run.passed else "bad"} verdict">{"Passed" if run.passed else "Failed"}, up to {run.fail_on}</p>
<p class="dim">{_versions(run)}</p>
<div class="figures">{_figures(run)}</div>
</header>
<nav>{_index(run)}</nav>
<main>
{sections}
</main>
</body>
</html>
"""


def _versions(run: Run) -> str:
    return " · ".join(f"{text(name)} {text(version)}" for name, version in run.versions.items())


def _figures(run: Run) -> str:
    figures = [
        (f"{row.cases - row.failed} of {row.cases}", f"{row.level} · {row.allowed} may fail", row.passed)
        for row in run.rows
    ]
    if run.facts_mentioned:
        own, lead, chance = run.facts_mentioned
        label = f"key facts mentioned · lead-three {lead:.0%} · any four sentences {chance:.0%}"
        figures.append((f"{own:.0%}", label, own >= max(lead, chance)))
    return "".join(
        f'<div class="figure {"good" if fine else "bad"}"><b>{number}</b><span>{text(label)}</span></div>'
        for number, label, fine in figures
    )


def _index(run: Run) -> str:
    rows = "\n".join(_index_row(number, outcome) for number, outcome in enumerate(run.outcomes, 1))
    heads = "".join(f"<th>{level}</th>" for level in LEVELS)
    return f"""<table>
<thead><tr><th></th><th>Case</th><th>Intent</th><th>Score</th>{heads}<th>Facts</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


def _index_row(number: int, outcome: Outcome) -> str:
    name, intent = text(outcome.case.id), text(outcome.case.intent)
    score = outcome.results.score["match_score"] if outcome.results else "–"
    marks = "".join(_mark(outcome, level) for level in LEVELS)
    facts = f"{outcome.facts.mentioned}/{outcome.facts.of}" if outcome.facts and outcome.facts.of else ""
    return (
        f'<tr><td class="dim">{number}</td><td><a href="#{name}">{name}</a></td><td class="wide">{intent}</td>'
        f'<td class="number">{text(str(score))}</td>{marks}<td class="number">{facts}</td></tr>'
    )


def _mark(outcome: Outcome, level: str) -> str:
    wrong = [one.check for one in outcome.findings if one.level == level and not one.passed]
    if not wrong:
        return '<td class="good">✓</td>'
    return f'<td class="bad" title="{text("; ".join(wrong))}">✗ {len(wrong)}</td>'
