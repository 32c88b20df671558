"""Run ministack in this process: import, load the state, serve, stop."""

import asyncio
import logging
import logging.handlers
import socket
import socketserver
from pathlib import Path
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.asyncio.tcp_server import TCPServer
from hypercorn.config import Config

from stack import data_folder, snapshot
from stack.concurrency import end_idle_processes, queue_invocations
from stack.connection_owner import check_once_per_connection
from stack.executions import forget_old, limit_parallel_executions
from stack.request_gateway import Guard
from stack.role_rights import issue_random_credentials, parse_policies_once
from stack.runtime_api import require_token
from stack.stream_records import delete_read_records, lock_reads
from stack.table_file import TableFile
from stack.table_queries import import_dynamodb, install, remove_expired

CLEANUP_PERIOD = 5.0


class Server:
    """The running stack. `ministack` is imported late, because it reads its settings on import."""

    def __init__(self, home: Path, port: int) -> None:
        # Responses are sent in small writes: with Nagle's algorithm each waits 40 ms for a delayed ACK.
        socketserver.StreamRequestHandler.disable_nagle_algorithm = True
        self.dynamodb = import_dynamodb()
        self.table = TableFile(home / "table", after_kill=not data_folder.was_stopped(home))
        install(self.dynamodb, self.table)
        lock_reads(self.dynamodb)
        from ministack import app  # noqa: PLC0415  # it reads the environment on import
        from ministack.core import lambda_runtime, persistence  # noqa: PLC0415  # the same

        # Imported before STATE_DIR is set to a generation: the functions' code lies outside the generations.
        from ministack.services import lambda_svc, stepfunctions  # noqa: PLC0415  # the same

        # Handlers write to functions.log, never to the pipe, so skip the 50 ms wait for a line.
        lambda_runtime.Worker._drain_stderr_bounded.__defaults__ = (0.0, 0.0, 0.0)
        queue_invocations(lambda_svc)
        end_idle_processes(lambda_runtime, lambda_svc)
        check_once_per_connection(TCPServer)
        issue_random_credentials(lambda_runtime, lambda_svc)
        parse_policies_once()
        require_token(lambda_runtime, lambda_svc)
        limit_parallel_executions(stepfunctions)
        self.executions: Any = stepfunctions._executions
        self.app: Any = app
        self.workers: Any = lambda_runtime
        self.functions: Any = lambda_svc
        self.spawning: Any = lambda_svc._provided_code_lock
        self.state = home / "state"
        self.guard = Guard(app.app, port)
        self.stopping = asyncio.Event()
        self.loaded = snapshot.newest_readable(self.state)
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
        self.task = asyncio.create_task(serve(self.guard, config, shutdown_trigger=self._shut))  # type: ignore[arg-type]  # hypercorn's scope type has the same structure
        answering = asyncio.create_task(answers(socks[0]))
        await asyncio.wait([self.task, answering], return_when=asyncio.FIRST_COMPLETED)
        if self.task.done():
            answering.cancel()
            self.task.result()
            raise RuntimeError("ministack failed to start; see stack.log")

    async def _shut(self) -> None:
        await self.stopping.wait()
        # ministack's own save at exit would overwrite the loaded generation; the launcher saves itself.
        self.app.PERSIST_STATE = False

    def services(self) -> snapshot.Services:
        forget_old(self.executions)
        services: snapshot.Services = self.app._build_persistence_save_dict()
        return services

    def changes(self) -> int:
        return self.guard.changes

    async def clean_up(self) -> None:
        """Delete expired rows and read stream records, on the event loop, where the requests run."""
        while True:
            await asyncio.sleep(CLEANUP_PERIOD)
            remove_expired(self.dynamodb, self.table)
            delete_read_records(self.dynamodb, self.functions)

    async def stop(self) -> None:
        """Stop accepting requests. The caller then saves the final state and calls `end_workers`."""
        self.stopping.set()
        if self.task:
            await asyncio.wait([self.task], timeout=2.5)

    def end_workers(self) -> None:
        # Never released: a state machine whose handler dies would start a new process that nothing ends.
        self.spawning.acquire()
        self.workers._REAP_GRACE = 0.3
        self.workers.reset()


async def answers(sock: socket.socket) -> None:
    """Wait until the server responds; a connection alone succeeds before. The guard rejects this request."""
    reader, writer = await asyncio.open_connection(*sock.getsockname()[:2])
    writer.write(b"GET /_ministack HTTP/1.0\r\nHost: localhost\r\n\r\n")
    await reader.read(1)
    writer.close()


def log_to(path: Path) -> None:
    """Log to a file, before ministack configures logging to the terminal."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=5_000_000, backupCount=1)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
