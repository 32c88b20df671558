"""One case of the page: what was wanted and read, what was made of it side by side, and what is wrong with it."""

from collections.abc import Iterable, Mapping
from typing import Any

from evals.play import Outcome
from evals.rubric import Case, Made

from .safe import text

_EXCERPT = 6000


def section(outcome: Outcome) -> str:
    case = outcome.case
    fine = all(finding.passed for finding in outcome.findings)
    known = " · ".join(filter(None, (case.kind, case.language, case.source_type, case.domain)))
    made = _made(outcome) if outcome.made else f'<p class="bad">No result: {text(outcome.failed)}</p>'
    return f"""<section id="{text(case.id)}" class="{"fine" if fine else "wrong"}">
<h2>{text(case.id)} <span class="dim">{text(known)}</span></h2>
<p class="intent">{text(case.intent)}</p>
{_failures(outcome)}
{_source(case)}
{made}
</section>"""


def _failures(outcome: Outcome) -> str:
    wrong = [finding for finding in outcome.findings if not finding.passed]
    lines = (f"<b>{one.level}</b> {text(one.check)}: {text(one.why)}" for one in wrong)
    return _list(lines, "failures") if wrong else ""


def _source(case: Case) -> str:
    shown = case.text[:_EXCERPT] + ("\n…" if len(case.text) > _EXCERPT else "")
    title = text(case.title or "no title")
    return (
        f"<details><summary>{title} <span class='dim'>{len(case.text):,} characters</span></summary>"
        f"<pre>{text(shown)}</pre></details>"
    )


def _made(outcome: Outcome) -> str:
    made = outcome.made
    assert made is not None
    try:
        columns = (_summary(made, outcome), _score(made), _todos(made), _card(made))
    except (AttributeError, KeyError, TypeError) as odd:
        return f'<p class="bad">Cannot be shown, it has not its form: {text(repr(odd))}</p>'
    return '<div class="made">' + "".join(f"<article>{column}</article>" for column in columns) + "</div>"


def _summary(made: Made, outcome: Outcome) -> str:
    told = outcome.told
    facts = f"Key facts told: {told.told} of {told.of}" if told and told.of else ""
    missing = f" · not told: {', '.join(told.missing)}" if told and told.missing else ""
    return (
        f"<h3>Summary</h3>{_texts(made.summary['bullets'])}"
        f"<p class='insight'>{text(made.summary['insight'])}</p>"
        f"{_quotes(made.summary['evidence'])}<p class='dim'>{text(facts + missing)}</p>"
    )


def _score(made: Made) -> str:
    score = made.score
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


def _todos(made: Made) -> str:
    tasks = (
        f"{text(task['title'])}<br><span class='tag'>{text(task['type'])}</span> "
        f"<span class='dim'>{text(task['eta'])} · {text(task['priority'])}</span>"
        f"<br><span class='dim'>{text(task['why'])}</span>"
        for task in made.todos["todos"]
    )
    return f"<h3>Tasks</h3>{_list(tasks, '', 'ol')}"


def _card(made: Made) -> str:
    card = made.card
    hashtags = " ".join(f"#{tag}" for tag in card["hashtags"])
    return (
        f"<h3>Card</h3><div class='card'><h4>{text(card['headline'])}</h4>{_texts(card['points'])}"
        f"<p class='insight'>{text(card['insight'])}</p><p class='action'>{text(card['action'])}</p>"
        f"<p class='dim'>{text(hashtags)}</p></div>"
        f"<details><summary>Caption</summary><pre>{text(card['caption'])}</pre></details>"
    )


def _quotes(evidence: Iterable[Mapping[str, Any]]) -> str:
    found = [f"“{text(one['quote'])}” <span class='dim'>{text(one.get('supports', ''))}</span>" for one in evidence]
    return f"<details><summary>Evidence ({len(found)})</summary>{_list(found)}</details>" if found else ""


def _texts(values: Iterable[Any], kind: str = "ul") -> str:
    return _list((text(value) for value in values), "", kind)


def _list(lines: Iterable[str], name: str = "", kind: str = "ul") -> str:
    return f'<{kind} class="{name}">' + "".join(f"<li>{line}</li>" for line in lines) + f"</{kind}>"
