"""Users who add tasks and workers who run them; some workers die, some are too slow."""

from collections.abc import Callable
from typing import Any

from readdo.do import evidence, run_updates, task_claim, task_commands, task_rows
from readdo.do.task_requests import ClaimRequest, Outcome, TaskRequest
from readdo.store.commands import CommandContext

INTENTS = ("runQA", "写作")
_KINDS = ("network", "timeout", "dependency", "execution", "cancelled")
FILE = evidence.EvidenceRequest("log", "qa.log", 3, "0" * 64)
# Commands on a task, and their weights.
COMMANDS = {"enqueue": 3, "requeue": 5, "block": 3, "cancel": 7}


class Workers:
    def __init__(self, users: Any) -> None:
        self.users, self.history, self.rng = users, users.history, users.rng
        self.tasks: list[tuple[str, str]] = []  # (owner, id)

    def visit(self, owner: str) -> None:
        choice = self.rng.random()
        if choice < 0.35 or not self.tasks:
            self._add(owner)
        elif choice < 0.8:
            self._work(owner)
        else:
            self._command()

    def _command_context(self, owner: str, name: str, key: str = "", **request: Any) -> Callable[[], CommandContext]:
        return lambda: CommandContext(self.history.table, owner, name, self.history.stage.now(), key, request)

    def _request(self, what: str, owner: str, ask: Callable[[CommandContext], Any], **options: Any) -> Any:
        command_context = self._command_context(owner, what, **options)
        return self.users._request(what, lambda: ask(command_context()), owner=owner)

    def _add(self, owner: str) -> None:
        bits = self.rng.getrandbits(128) if self.rng.random() < 0.9 or not self.tasks else None
        name = _uuid(bits) if bits is not None else self.tasks[-1][1]
        own_tasks = [task for of, task in self.tasks if of == owner]
        dependencies = (self.rng.choice(own_tasks),) if own_tasks and self.rng.random() < 0.45 else ()
        request = TaskRequest(
            self.rng.choice(INTENTS),
            id=name,
            priority=self.rng.choice(("P0", "P1")),
            depends_on=dependencies if self.rng.random() < 0.9 else (_uuid(self.rng.getrandbits(128)),),
            max_retries=self.rng.choice((0, 0, 2)),
            hold=self.rng.random() < 0.15,
        )
        response = self._request("add", owner, lambda command: task_commands.add(command, request))
        if response and (owner, name) not in self.tasks:
            self.tasks.append((owner, name))

    def _command(self) -> None:
        owner, task = self.rng.choice(self._doing() if self.rng.random() < 0.5 else self.tasks)
        command_name = self.rng.choices(list(COMMANDS), weights=list(COMMANDS.values()))[0]
        if self.rng.random() < 0.15 and (dependencies := self._dependencies()):
            (owner, task), command_name = self.rng.choice(dependencies), "cancel"
        commands: dict[str, Callable[[CommandContext], Any]] = {
            "enqueue": lambda command: task_commands.enqueue(command, task),
            "requeue": lambda command: task_commands.requeue(command, task, regardless=self.rng.random() < 0.3),
            "block": lambda command: task_commands.block(command, task, "not now"),
            "cancel": lambda command: task_commands.cancel(command, task),
        }
        self._request(command_name, owner, commands[command_name], key=self.users._key("d"), task=task)

    def _doing(self) -> list[tuple[str, str]]:
        """Return the tasks that a page shows as `doing`, or all."""
        rows = self.history.table.rows
        doing = [task for task in self.tasks if rows.get(task_rows.task_key(*task), {}).get("status") == "doing"]
        return doing or self.tasks

    def _dependencies(self) -> list[tuple[str, str]]:
        rows = [(owner, self.history.table.rows.get(task_rows.task_key(owner, task), {})) for owner, task in self.tasks]
        return [
            (owner, row["depends_on"][0])
            for owner, row in rows
            if row.get("blocked_reason") == "dependency" and "depends_on" in row
        ]

    def _work(self, owner: str) -> None:
        """Claim a task and work on it, unless the worker dies."""
        intents = (self.rng.choice(INTENTS),) if self.rng.random() < 0.5 else ()
        request = ClaimRequest("w", intents, lease_seconds=self.rng.choice((30, 120, 1000)))
        claim = self._request(
            "claim", owner, lambda command: task_claim.claim(command, request), key=f"c-{self.rng.getrandbits(40)}"
        )
        if not claim:
            self.history.stage.seen["nothing to do"] += 1
            return
        run = claim["run"]["id"]
        if self._dies() or not self._request("start", owner, lambda command: run_updates.start(command, run)):
            return
        for _ in range(self.rng.choice((0, 1, 3))):
            self.history.stage.sleep(self.rng.choice((1.0, 20.0, 100.0, 320.0)))
            if not self._request("heartbeat", owner, lambda command: run_updates.heartbeat(command, run)):
                return
        if self.rng.random() < 0.3:
            self._request("evidence", owner, lambda command: self._attach(command, run), key=f"e-{run}")
        if not self._dies():
            self._end(owner, run)

    def _attach(self, command: CommandContext, run: str) -> Any:
        return evidence.attach(command, run, FILE)

    def _end(self, owner: str, run: str) -> None:
        kind = self.rng.choice(_KINDS) if self.rng.random() < 0.5 else ""
        outcome = Outcome(1 if kind else 0, kind)
        self._request("complete", owner, lambda command: run_updates.complete(command, run, outcome), key=f"x-{run}")

    def _dies(self) -> bool:
        dead = bool(self.rng.random() < 0.15)
        self.history.stage.seen["a worker is not heard of again"] += dead
        return dead


def _uuid(bits: int) -> str:
    text = f"{bits:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def rows_of(rows: dict[Any, dict[str, Any]], owner: str, prefix: str) -> list[dict[str, Any]]:
    pk = {"TASK#": task_rows.tasks_of(owner), "RUN#": task_rows.runs_of(owner)}[prefix]
    return [row for key, row in rows.items() if key.pk == pk and key.sk.startswith(prefix) and "status" in row]
