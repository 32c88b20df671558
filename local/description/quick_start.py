"""The quick start of the page: from nothing to a card in four commands."""

from dataclasses import dataclass

from .html import Html, prose, tag


@dataclass(frozen=True)
class Step:
    title: str
    words: str
    command: str


_ENGLISH = (
    "Leases keep two workers from doing the same job. A worker writes its name and an end time onto the row, and the "
    "write succeeds only if the row is still free. Start by listing every write a worker makes, then add the condition "
    "to each, then delete one condition at a time and watch a test fail."
)
_CHINESE = (
    "租约让两个工作进程不会同时处理同一个任务。进程把自己的名字和到期时间写到记录上，只有记录仍然空闲时写入才会成功。"
    "第一步是列出所有写入，第二步是给每个写入加上条件，第三步是逐个删掉条件，看测试是否失败。"
)


def _capture(title: str, intent: str, content: str) -> str:
    body = f'{{\n  "title": "{title}",\n  "intent_text": "{intent}",\n  "content": "{content}"\n}}'
    return f'curl -s "$URL/capture" -H "$AUTH" -d \'{body}\''


STEPS = (
    Step(
        "Set the URL and the token",
        "You need the URL of this page without its last part, and a token. `make run` writes both to the folder "
        "`.local`. Run this in the folder of the project:",
        'URL=$(python3 -c \'import json; print(json.load(open(".local/endpoint.json"))["url"])\')\n'
        'AUTH="Authorization: Bearer $(cat .local/token)"',
    ),
    Step(
        "Capture",
        "Send a text or the `url` of a page, and one line on why. Any language works: the results are in the "
        "language of your line.",
        _capture("Fencing tokens", "make our job queue safe against two workers", _ENGLISH)
        + "\n\n"
        + _capture("栅栏令牌实践", "想让我们的任务队列不怕两个进程同时写同一行", _CHINESE),
    ),
    Step(
        "Check the status",
        "After some seconds the item is READY, or FAILED_* with the reason. `available_actions` lists what you can "
        "do next.",
        'curl -s "$URL/items?sort=created_desc&limit=2" -H "$AUTH"\n'
        "ID=…   # an `id` of the response\n"
        'curl -s "$URL/items/$ID" -H "$AUTH"',
    ),
    Step(
        "Export",
        "Choose a key for the export. The same key returns its status. When it is DONE, download the files.",
        'curl -s "$URL/items/$ID/export" -H "$AUTH" -d \'{"export_key": "first"}\'\n'
        'curl -s "$URL/items/$ID/exports/first" -H "$AUTH"\n'
        'curl -sfL "$URL/exports/$ID/first/card.png" -H "$AUTH" -o card.png',
    ),
)


def quick_start() -> Html:
    steps = [_step(step) for step in STEPS]
    return tag("section", tag("h2", "Quick start"), tag("ol", *steps, class_="steps"), id="first")


def _step(step: Step) -> Html:
    command = tag("pre", tag("code", step.command), tabindex="0")
    return tag("li", tag("h3", step.title), tag("p", prose(step.words)), command)
