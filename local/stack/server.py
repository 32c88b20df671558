"""ministack in this process: import, load, serve, stop. Nothing else touches its insides."""

import asyncio
import logging
import logging.handlers
import socket
import socketserver
from pathlib import Path
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config

from stack import snapshot
from stack.concurrency import take_turns
from stack.executions import forget_old, in_turn
from stack.guard import Guard
from stack.role_rights import issue_random_credentials
from stack.runtime_api import require_token


class Server:
    """The running stack. `ministack` is imported late because it reads its settings from the environment then."""

    def __init__(self, state: Path, port: int) -> None:
        # Each invocation answers with a small write after another: without this it waits 40 ms for a delayed ACK.
        socketserver.StreamRequestHandler.disable_nagle_algorithm = True
        from ministack import app  # noqa: PLC0415  # it reads the environment when it is imported
        from ministack.core import lambda_runtime, persistence  # noqa: PLC0415  # the same

        # Imported before STATE_DIR moves to a generation: the code of all generations lies beside them.
        from ministack.services import lambda_svc, stepfunctions  # noqa: PLC0415  # the same

        # Handlers write to functions.log, never to the pipe: the 50 ms of waiting for a line would be for nothing.
        lambda_runtime.Worker._drain_stderr_bounded.__defaults__ = (0.0, 0.0, 0.0)
        take_turns(lambda_svc)
        issue_random_credentials(lambda_runtime, lambda_svc)
        require_token(lambda_runtime, lambda_svc)
        in_turn(stepfunctions)
        self.executions: Any = stepfunctions._executions
        self.app: Any = app
        self.workers: Any = lambda_runtime
        self.spawning: Any = lambda_svc._provided_code_lock
        self.state = state
        self.guard = Guard(app.app, port)
        self.stopping = asyncio.Event()
        self.loaded = snapshot.newest_readable(state)
        if self.loaded:
            persistence.STATE_DIR = str(self.loaded)
        self.task: asyncio.Task[None] | None = None

    async def start(self, socks: list[socket.socket]) -> None:
        config = Config()
        config.bind = [f"fd://{sock.fileno()}" for sock in socks]
        config.errorlog = logging.getLogger("hypercorn.error")
        config.accesslog = None
        config.keep_alive_timeout = 75
        config.graceful_timeout = 1
        config.shutdown_timeout = 2
        self.task = asyncio.create_task(serve(self.guard, config, shutdown_trigger=self._shut))  # type: ignore[arg-type]  # hypercorn's own scope type, structurally the same
        answering = asyncio.create_task(answers(socks[0]))
        await asyncio.wait([self.task, answering], return_when=asyncio.FIRST_COMPLETED)
        if self.task.done():
            answering.cancel()
            self.task.result()
            raise RuntimeError("ministack ended while it started; the reason is in stack.log")

    async def _shut(self) -> None:
        await self.stopping.wait()
        # Its own save at the end would write into the generation it was started from; ours has come before.
        self.app.PERSIST_STATE = False

    def services(self) -> snapshot.Services:
        forget_old(self.executions)
        services: snapshot.Services = self.app._build_persistence_save_dict()
        return services

    def changes(self) -> int:
        return self.guard.changes

    async def stop(self) -> None:
        """No more requests; the caller saves then, while nothing can change any more, and calls `end_workers`."""
        self.stopping.set()
        if self.task:
            await asyncio.wait([self.task], timeout=2.5)

    def end_workers(self) -> None:
        # Held for good: a state machine that sees its handler die would start the next one, which nobody would end.
        self.spawning.acquire()
        self.workers._REAP_GRACE = 0.3
        self.workers.reset()


async def answers(sock: socket.socket) -> None:
    """The socket accepts before anybody serves it, so ask for a page (one that the guard itself refuses)."""
    reader, writer = await asyncio.open_connection(*sock.getsockname()[:2])
    writer.write(b"GET /_ministack HTTP/1.0\r\nHost: localhost\r\n\r\n")
    await reader.read(1)
    writer.close()


def log_to(path: Path) -> None:
    """ministack configures logging only if nobody has: give it a file, so that the terminal keeps to what matters."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=5_000_000, backupCount=1)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
