"""The first five minutes: from nothing to a card, in four commands."""

from dataclasses import dataclass

from .html import Html, prose, tag


@dataclass(frozen=True)
class Step:
    title: str
    words: str
    command: str


STEPS = (
    Step(
        "Say where and who",
        "The address of this page without its last word, and a token. `make run` writes both to `.local/`.",
        'URL=https://…            # this page is $URL/docs\nAUTH="Authorization: Bearer $(cat .local/token)"',
    ),
    Step(
        "Capture",
        "A link, or a text, and one line on why. In any language: what is written about it follows your line.",
        'curl -s "$URL/capture" -H "$AUTH" -d \'{\n'
        '  "url": "https://example.com/leases",\n'
        '  "intent_text": "Make our job queue safe against two workers"\n'
        "}'\n\n"
        'curl -s "$URL/capture" -H "$AUTH" -d \'{\n'
        '  "title": "栅栏令牌实践",\n'
        '  "intent_text": "想让我们的任务队列不怕两个进程同时写同一行",\n'
        '  "content": "租约让两个工作进程不会同时处理同一个任务。……"\n'
        "}'",
    ),
    Step(
        "Watch",
        "Seconds later it is READY, or FAILED_* and says why. `available_actions` has what you can do next.",
        'ID=01KA4Z8Q2M6V3T9R5W7X1Y0BCD   # "id" of the answer before\n'
        'curl -s "$URL/items/$ID" -H "$AUTH"\n'
        'curl -s "$URL/items?status=READY&limit=10" -H "$AUTH"',
    ),
    Step(
        "Export",
        "Under a key of your own: asking again with it asks how it stands. Once it is DONE, fetch the files.",
        'curl -s "$URL/items/$ID/export" -H "$AUTH" -d \'{"export_key": "first"}\'\n'
        'curl -s "$URL/items/$ID/exports/first" -H "$AUTH"\n'
        'curl -sfL "$URL/exports/$ID/first/card.png" -H "$AUTH" -o card.png',
    ),
)


def first_five_minutes() -> Html:
    steps = [_step(step) for step in STEPS]
    return tag("section", tag("h2", "The first five minutes"), tag("ol", *steps, class_="steps"), id="first")


def _step(step: Step) -> Html:
    shown = tag("pre", tag("code", step.command), tabindex="0")
    return tag("li", tag("h3", step.title), tag("p", prose(step.words)), shown)
