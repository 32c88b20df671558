"""HTML of one case: the intent and text, the results side by side, and the failed checks."""

from collections.abc import Iterable, Mapping
from typing import Any

from evals.play import Outcome
from evals.rubric import Case, Results

from .safe import text

_EXCERPT = 6000


def section(outcome: Outcome) -> str:
    case = outcome.case
    fine = all(finding.passed for finding in outcome.findings)
    metadata = " · ".join(filter(None, (case.kind, case.language, case.source_type, case.domain)))
    results = _results(outcome) if outcome.results else f'<p class="bad">No result: {text(outcome.failed)}</p>'
    return f"""<section id="{text(case.id)}" class="{"fine" if fine else "wrong"}">
<h2>{text(case.id)} <span class="dim">{text(metadata)}</span></h2>
<p class="intent">{text(case.intent)}</p>
{_failures(outcome)}
{_source(case)}
{results}
</section>"""


def _failures(outcome: Outcome) -> str:
    wrong = [finding for finding in outcome.findings if not finding.passed]
    lines = (f"<b>{one.level}</b> {text(one.check)}: {text(one.why)}" for one in wrong)
    return _list(lines, "failures") if wrong else ""


def _source(case: Case) -> str:
    excerpt = case.text[:_EXCERPT] + ("\n…" if len(case.text) > _EXCERPT else "")
    title = text(case.title or "no title")
    return (
        f"<details><summary>{title} <span class='dim'>{len(case.text):,} characters</span></summary>"
        f"<pre>{text(excerpt)}</pre></details>"
    )


def _results(outcome: Outcome) -> str:
    results = outcome.results
    assert results is not None
    try:
        columns = (_summary(results, outcome), _score(results), _todos(results), _card(results))
    except (AttributeError, KeyError, TypeError) as error:
        return f'<p class="bad">Cannot be shown: the payload is malformed: {text(repr(error))}</p>'
    return '<div class="made">' + "".join(f"<article>{column}</article>" for column in columns) + "</div>"


def _summary(results: Results, outcome: Outcome) -> str:
    recall = outcome.facts
    facts = f"Key facts mentioned: {recall.mentioned} of {recall.of}" if recall and recall.of else ""
    missing = f" · missing: {', '.join(recall.missing)}" if recall and recall.missing else ""
    return (
        f"<h3>Summary</h3>{_texts(results.summary['bullets'])}"
        f"<p class='insight'>{text(results.summary['insight'])}</p>"
        f"{_quotes(results.summary['evidence'])}<p class='dim'>{text(facts + missing)}</p>"
    )


def _score(results: Results) -> str:
    score = results.score
    signals = "".join(
        f'<tr><td>{text(name)}</td><td class="number">{text(value)}</td></tr>'
        for name, value in score["signals"].items()
    )
    return (
        f"<h3>Score</h3><p class='score'><b>{text(score['match_score'])}</b> {text(score['priority'])}</p>"
        f"{_texts(score['reasons'], 'ol')}<table class='signals'>{signals}"
        f"<tr><td>confidence</td><td class='number'>{text(score['confidence'])}</td></tr></table>"
        f"{_quotes(score['evidence'])}"
    )


def _todos(results: Results) -> str:
    tasks = (
        f"{text(task['title'])}<br><span class='tag'>{text(task['type'])}</span> "
        f"<span class='dim'>{text(task['eta'])} · {text(task['priority'])}</span>"
        f"<br><span class='dim'>{text(task['why'])}</span>"
        for task in results.todos["todos"]
    )
    return f"<h3>Tasks</h3>{_list(tasks, '', 'ol')}"


def _card(results: Results) -> str:
    card = results.card
    hashtags = " ".join(f"#{tag}" for tag in card["hashtags"])
    return (
        f"<h3>Card</h3><div class='card'><h4>{text(card['headline'])}</h4>{_texts(card['points'])}"
        f"<p class='insight'>{text(card['insight'])}</p><p class='action'>{text(card['action'])}</p>"
        f"<p class='dim'>{text(hashtags)}</p></div>"
        f"<details><summary>Caption</summary><pre>{text(card['caption'])}</pre></details>"
    )


def _quotes(evidence: Iterable[Mapping[str, Any]]) -> str:
    quotes = [f"“{text(one['quote'])}” <span class='dim'>{text(one.get('supports', ''))}</span>" for one in evidence]
    return f"<details><summary>Evidence ({len(quotes)})</summary>{_list(quotes)}</details>" if quotes else ""


def _texts(values: Iterable[Any], kind: str = "ul") -> str:
    return _list((text(value) for value in values), "", kind)


def _list(lines: Iterable[str], name: str = "", kind: str = "ul") -> str:
    return f'<{kind} class="{name}">' + "".join(f"<li>{line}</li>" for line in lines) + f"</{kind}>"
