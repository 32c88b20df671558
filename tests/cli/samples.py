"""Sample responses: an English and a Chinese item with all their artifacts."""

from typing import Any

EN, ZH = "01M7QBHEY242J9Y0DR78B0MA8N", "01M7QBHEZG4RPPBRJDYZ9NQBGH"
AT = "2026-11-18T12:54:06.530Z"
RUN = "01M7QBHEZGCMG0W51TX01HHD0W"

TEXTS: dict[str, dict[str, Any]] = {
    EN: {
        "title": "Fencing tokens in practice",
        "intent": "I want to make our job queue safe against two workers writing the same row",
        "bullets": [
            "Leases keep two workers from doing the same job, as long as nobody forgets the fencing token.",
            "A worker writes its name and an end time onto the row, and the write succeeds only if it is free.",
            "Start by listing every write a worker makes, then add the condition to each of them.",
        ],
        "insight": "Checking the status alone let 404 stale writes through; checking the epoch let none through.",
        "reason": "On topic: 6 relevant passages (“workers”, “writing”, “row”).",
        "quote": "the database must refuse an older number",
        "todo": "List every write that a worker makes, and add the condition to each",
        "why": "The text's own steps; following them once is the fastest way.",
        "tag": "queue",
    },
    ZH: {
        "title": "围栏令牌的实践：让任务队列不再被两个工作进程同时写入同一行数据",
        "intent": "想让我们的任务队列在两个工作进程同时写同一行时也是安全的",
        "bullets": [
            "租约让两个工作进程不会同时做同一件事。",
            "工作进程把自己的名字和到期时间写到那一行上，只有当这一行仍然空闲时写入才会成功。",
            "先列出每个工作进程的所有写入，再为每一个加上条件，然后逐个删除条件，看测试是否失败。",
        ],
        "insight": "我们在一万次模拟历史上比较了三种设计：只检查状态，放过了404次过期写入；检查纪元，一次也没有放过。",
        "reason": "命中意图关键词（或近义）：「任务队列」、「两个工作进程」、「写入」、「同一行」；7 句全部提到。",
        "quote": "数据库必须拒绝较旧的编号",
        "todo": "列出每个工作进程的所有写入，再为每一个加上条件",
        "why": "这是原文自己给出的步骤，照做一遍见效最快。",
        "tag": "任务队列",
    },
}


def item(item_id: str, status: str = "READY", **more: Any) -> dict[str, Any]:
    text = TEXTS.get(item_id, TEXTS[EN])
    row = {
        "id": item_id,
        "status": status,
        "version": 9,
        "created_at": AT,
        "updated_at": AT,
        "url": f"https://example.com/{item_id[-4:].lower()}",
        "title": text["title"],
        "domain": "example.com",
        "intent_text": text["intent"],
        "intents": [{"text": text["intent"], "at": AT}],
        "save_count": 1,
        "source_type": "web",
        "profile": "engineer",
        "attempts": 0,
    }
    if status in ("READY", "SHIPPED", "ARCHIVED", "FAILED_EXPORT"):
        reason = {"first_reason": text["reason"], "more_reasons": 2}
        row |= {"priority": "WORTH_IT", "match_score": 75.6, "served_run_id": RUN, **reason}
    return {name: value for name, value in {**row, **more}.items() if value is not None}


def failure(step: str = "extract", **more: Any) -> dict[str, Any]:
    words = "The page answered with 404 (not found). Paste its text instead."
    fields = {"failed_step": step, "error_code": "EXTRACTION_FETCH_FAILED", "message": words, "retryable": False}
    return {**fields, "attempts": 1, "last_attempt_at": "2026-11-18T12:59:00.000Z", **more}


def payloads(item_id: str) -> dict[str, dict[str, Any]]:
    text = TEXTS.get(item_id, TEXTS[EN])
    evidence = [{"quote": text["quote"], "source_hint": "§2"}]
    todo = {"title": text["todo"], "eta": "1h", "type": "BUILD", "why": text["why"], "priority": "P1"}
    content = {"headline": text["title"], "points": text["bullets"], "insight": text["insight"], "action": text["todo"]}
    spec_payload = {
        "brand": {"watermark": "Read→Do"},
        "layout": {"variant": "CARD_4x5_V1", "padding": 64},
        "content": content,
    }
    spec = {"format": "HTML_V1", "width": 1080, "height": 1350, "theme": "LIGHT", "payload": spec_payload}
    return {
        "extraction": {"normalized_text": f"{text['bullets'][0]}\n{text['quote']}", "warnings": []},
        "summary": {"bullets": text["bullets"], "insight": text["insight"], "evidence": evidence},
        "score": {
            "match_score": 75.6,
            "priority": "WORTH_IT",
            "reasons": [text["reason"], text["why"], text["insight"]],
            "confidence": 0.65,
            "signals": {"intent_match": 82.3, "content_signal": 43.9, "novelty": 100.0, "effort_fit": 78.1},
            "evidence": [{"quote": text["quote"], "supports": "reason#1"}],
        },
        "todos": {"todos": [{**todo, "tags": [text["tag"], "row"]}, {**todo, "type": "READ", "why": "", "tags": []}]},
        "card": {
            **content,
            "hashtags": [text["tag"], "row"],
            "caption": f"{text['title']}\n\n• {text['bullets'][0]}\n\n#{text['tag']}",
            "render_spec": spec,
            "evidence": evidence,
        },
    }


def artifacts(item_id: str) -> dict[str, dict[str, Any]]:
    return {kind: artifact(kind, payload) for kind, payload in payloads(item_id).items()}


def artifact(kind: str, payload: Any, version: int = 1, created_by: str = "system") -> dict[str, Any]:
    meta = {"run_id": RUN, "engine_version": "extractive.3", "template_version": f"{kind}.v1"}
    about = {"artifact_type": kind, "version": version, "created_by": created_by, "created_at": AT}
    return {**about, "meta": {**meta, "created_by": created_by, "created_at": AT}, "payload": payload}
