"""Who adds tasks, and who does them: people, programs that are killed, and programs that are too slow."""

from collections.abc import Callable
from typing import Any

from readdo.do import evidence, run_updates, task_commands
from readdo.do.task_requests import ClaimRequest, Outcome, TaskRequest
from readdo.do.transactions import CommandContext
from readdo.store import keys

INTENTS = ("runQA", "写作")
_KINDS = ("network", "timeout", "dependency", "execution", "cancelled")
FILE = evidence.EvidenceRequest("log", "qa.log", 3, "0" * 64)
# What is asked of a task, and how often.
ASKED = {"enqueue": 3, "requeue": 5, "block": 3, "cancel": 7}


class Workers:
    def __init__(self, users: Any) -> None:
        self.users, self.on, self.rng = users, users.on, users.rng
        self.tasks: list[tuple[str, str]] = []  # owner and id

    def visit(self, owner: str) -> None:
        what = self.rng.random()
        if what < 0.35 or not self.tasks:
            self._add(owner)
        elif what < 0.8:
            self._work(owner)
        else:
            self._ask()

    def _asked(self, owner: str, name: str, key: str = "", **request: Any) -> Callable[[], CommandContext]:
        return lambda: CommandContext(self.on.table, owner, name, self.on.stage.now(), key, request)

    def _sent(self, what: str, owner: str, ask: Callable[[CommandContext], Any], **asked: Any) -> Any:
        made = self._asked(owner, what, **asked)
        return self.users._sent(what, lambda: ask(made()), owner=owner)

    def _add(self, owner: str) -> None:
        bits = self.rng.getrandbits(128) if self.rng.random() < 0.9 or not self.tasks else None
        name = _uuid(bits) if bits is not None else self.tasks[-1][1]
        mine = [task for of, task in self.tasks if of == owner]
        first = (self.rng.choice(mine),) if mine and self.rng.random() < 0.45 else ()
        wish = TaskRequest(
            self.rng.choice(INTENTS),
            id=name,
            priority=self.rng.choice(("P0", "P1")),
            depends_on=first if self.rng.random() < 0.9 else (_uuid(self.rng.getrandbits(128)),),
            max_retries=self.rng.choice((0, 0, 2)),
            hold=self.rng.random() < 0.15,
        )
        found = self._sent("add", owner, lambda asked: task_commands.add(asked, wish))
        if found and (owner, name) not in self.tasks:
            self.tasks.append((owner, name))

    def _ask(self) -> None:
        owner, task = self.rng.choice(self._doing() if self.rng.random() < 0.5 else self.tasks)
        what = self.rng.choices(list(ASKED), weights=list(ASKED.values()))[0]
        if self.rng.random() < 0.15 and (waited := self._waited_for()):
            (owner, task), what = self.rng.choice(waited), "cancel"
        acts: dict[str, Callable[[CommandContext], Any]] = {
            "enqueue": lambda asked: task_commands.enqueue(asked, task),
            "requeue": lambda asked: task_commands.requeue(asked, task, regardless=self.rng.random() < 0.3),
            "block": lambda asked: task_commands.block(asked, task, "not now"),
            "cancel": lambda asked: task_commands.cancel(asked, task),
        }
        self._sent(what, owner, acts[what], key=self.users._key("d"), task=task)

    def _doing(self) -> list[tuple[str, str]]:
        """What a page shows as being done; all, if nothing is."""
        rows = self.on.table.rows
        found = [task for task in self.tasks if rows.get(keys.task(*task), {}).get("status") == "doing"]
        return found or self.tasks

    def _waited_for(self) -> list[tuple[str, str]]:
        rows = [(owner, self.on.table.rows.get(keys.task(owner, task), {})) for owner, task in self.tasks]
        return [
            (owner, row["depends_on"][0])
            for owner, row in rows
            if row.get("blocked_reason") == "dependency" and "depends_on" in row
        ]

    def _work(self, owner: str) -> None:
        """Take a task, and do it as far as one comes."""
        intents = (self.rng.choice(INTENTS),) if self.rng.random() < 0.5 else ()
        wish = ClaimRequest("w", intents, lease_seconds=self.rng.choice((30, 120, 1000)))
        found = self._sent(
            "claim", owner, lambda asked: task_commands.claim(asked, wish), key=f"c-{self.rng.getrandbits(40)}"
        )
        if not found:
            self.on.stage.seen["nothing to do"] += 1
            return
        run = found["run"]["id"]
        if self._dies() or not self._sent("start", owner, lambda asked: run_updates.start(asked, run)):
            return
        for _ in range(self.rng.choice((0, 1, 3))):
            self.on.stage.sleep(self.rng.choice((1.0, 20.0, 100.0, 320.0)))
            if not self._sent("heartbeat", owner, lambda asked: run_updates.heartbeat(asked, run)):
                return
        if self.rng.random() < 0.3:
            self._sent("evidence", owner, lambda asked: self._attached(asked, run), key=f"e-{run}")
        if not self._dies():
            self._end(owner, run)

    def _attached(self, asked: CommandContext, run: str) -> Any:
        return evidence.attach(asked, run, FILE)

    def _end(self, owner: str, run: str) -> None:
        kind = self.rng.choice(_KINDS) if self.rng.random() < 0.5 else ""
        outcome = Outcome(1 if kind else 0, kind)
        self._sent("complete", owner, lambda asked: run_updates.complete(asked, run, outcome), key=f"x-{run}")

    def _dies(self) -> bool:
        dead = bool(self.rng.random() < 0.15)
        self.on.stage.seen["a worker is not heard of again"] += dead
        return dead


def _uuid(bits: int) -> str:
    text = f"{bits:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def rows_of(rows: dict[Any, dict[str, Any]], owner: str, prefix: str) -> list[dict[str, Any]]:
    pk = {"TASK#": keys.tasks(owner), "RUN#": keys.runs(owner)}[prefix]
    return [row for key, row in rows.items() if key.pk == pk and key.sk.startswith(prefix) and "status" in row]
