"""A small web for our own worker, and the worker's run in a world in memory."""

from typing import Any

from readdo.errors import StepFailed
from readdo.extraction import fetch
from readdo.extraction.fetch import FetchedPage
from readdo.messages import message
from support.collect_pool import add
from support.world import World

EN = [
    "The renderer keeps two queues, one for each frame that is in flight on the graphics card.",
    "A frame graph names every resource, so a pass declares what it reads and what it writes.",
    "Barriers are derived from these declarations, and nobody writes them by hand any more.",
    "On the console the memory of two passes that never overlap is shared, which saved 180 megabytes.",
    "The team measured each pass with timestamps, and the slowest pass was the shadow atlas.",
    "Moving the shadow atlas to an asynchronous queue made the frame two milliseconds shorter.",
]
ZH = [
    "渲染器为正在处理的每一帧保留两个队列，提交顺序由帧图决定。",
    "帧图为每个资源命名，每个通道都要声明它读取什么、写入什么。",
    "屏障由这些声明推导出来，不再需要任何人手工编写。",
    "在主机平台上，两个不重叠的通道共用同一块内存，节省了一百八十兆字节。",
    "团队用时间戳测量了每个通道，最慢的是阴影图集。",
    "把阴影图集移到异步队列之后，每一帧缩短了两毫秒。",
]


def article(title: str, sentences: list[str]) -> str:
    paragraphs = (" ".join(f"{one[:-1]} {number}{one[-1]}" for one in sentences) for number in range(1, 4))
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"


SCHEDULE = """<html><body><nav><a href="/login">Sign in please</a></nav><main>
<a href="/talks/frame">Frame graphs in practice</a> <a href="/talks/shadow">Shadow atlas on async compute</a>
<a href="/talks/frame#again">Frame graphs in practice</a>
<a href="javascript:x()">No link at all</a></main></body></html>"""


class Web:
    """Pages by address. Others cannot be reached."""

    def __init__(self) -> None:
        self.pages = {
            "https://talks.acme.dev/frame": article("Frame graphs", EN),
            "https://talks.acme.dev/talks/frame": article("Frame graphs in practice", EN),
            "https://talks.acme.dev/talks/shadow": article("Shadow atlas on async compute", EN[::-1]),
            "https://talks.acme.dev/zh": article("帧图实践", ZH),
            "https://talks.acme.dev/schedule": SCHEDULE,
        }
        self.statuses = {"https://talks.acme.dev/vault": 401, "https://talks.acme.dev/gone": 404}
        self.read: list[str] = []

    def fetch(self, url: str, **_: Any) -> FetchedPage:
        self.read.append(url)
        if url in self.pages:
            return FetchedPage(self.pages[url].encode(), url, "text/html; charset=utf-8")
        status = self.statuses.get(url, 503)
        text = message("fetch.http_error", site="talks.acme.dev", status=status, what="")
        raise StepFailed("EXTRACTION_FETCH_FAILED", text, retryable=status not in fetch.FINAL)


def work(world: World, *assignments: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Let our own worker do these assignments."""
    add(world, *assignments)
    picked = world.api("POST", "/batches", {"worker": "own"})
    assert (picked.status, picked.json["batch"]["worker"]) == (201, "own")
    world.settle()
    batch = world.api("GET", f"/batches/{picked.json['batch']['batch_name']}").json["batch"]
    assert batch["status"] == "applied", batch
    return {one["id"]: world.api("GET", f"/assignments/{one['id']}").json["assignment"] for one in assignments}


def content_of(world: World, path: str) -> str:
    return str(world.api("GET", f"/documents/{path}").json["content"])


def url(name: str, page: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "url", "url": f"https://talks.acme.dev/{page}", **more}
