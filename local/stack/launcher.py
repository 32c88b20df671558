"""Start and stop the local stack, in an order that keeps the saved state consistent."""

import asyncio
import logging
import os
import signal
import socket

from stack import data_folder, snapshot, startup_output
from stack.browser import Browser
from stack.deploy import DeployError, deploy
from stack.executions import resume
from stack.local_token import token_for
from stack.post_deploy import finish, wake
from stack.server import Server, log_to
from stack.settings import Settings

log = logging.getLogger("readdo")
LOG_LIMIT = 10_000_000


async def run(settings: Settings, browser: Browser | None = None) -> None:
    lock = data_folder.claim(settings)
    socks = data_folder.listen(settings)
    log_to(settings.home / "stack.log")
    rotate(settings)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    server = Server(settings.home, settings.port)
    keeping = [asyncio.create_task(server.table.keep_durable()), asyncio.create_task(server.clean_up())]
    saving: asyncio.Task[None] | None = None
    code = 0
    coming_up = asyncio.create_task(bring_up(settings, server, socks, browser))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([coming_up, stopped], return_when=asyncio.FIRST_COMPLETED)
    if coming_up.done() and (reason := coming_up.exception()):
        explain(reason, settings)
        code = 1
    elif coming_up.done():
        # Only after the deploy: a partial deploy must not become the saved state.
        saving = asyncio.create_task(snapshot.keep_saving(server.state, server.services, server.changes))
        await stopped
    for task in keeping:
        task.cancel()
    try:
        await shut_down(settings, server, saving)
    except Exception as problem:
        explain(problem, settings)
        code = 1
    await asyncio.to_thread(server.end_workers)
    os.truncate(lock, 0)  # the process id can be reused by another program
    # Not sys.exit(): the interpreter would join threads that wait for handlers that have ended.
    os._exit(code)


async def bring_up(settings: Settings, server: Server, socks: list[socket.socket], browser: Browser | None) -> None:
    if since := data_folder.unclean_stop_message(settings.home, server.loaded):
        startup_output.say(since)
    with startup_output.step("Local stack"):
        await server.start(socks)
    with startup_output.step("Template deployed"):
        outputs, template = await asyncio.to_thread(deploy, settings)
        await asyncio.to_thread(finish, settings, outputs, template)
        server.guard.api_id = outputs["ApiId"]
    with startup_output.step("Token ready"):
        token = await asyncio.to_thread(token_for, settings, outputs["TableName"])
    if resumed := await asyncio.to_thread(resume, server.executions):
        startup_output.say(f"Resumed {resumed} interrupted execution{'s' if resumed > 1 else ''}")
    url = f"{settings.endpoint}/_aws/execute-api/{outputs['ApiId']}"
    os.environ["READDO_PUBLIC_URL"] = url  # for handlers: behind this gateway they cannot derive it from a request
    await asyncio.to_thread(wake, outputs)
    data_folder.publish_admin(settings.home, os.environ)
    data_folder.publish_endpoint(settings.home, url, token)
    page = f"{url}/my/enter?token={token}"
    startup_output.say(startup_output.welcome(url, page, settings.home, settings.reader))
    if browser:
        browser.show(data_folder.publish_opener(settings.home, page))


async def shut_down(settings: Settings, server: Server, saving: asyncio.Task[None] | None) -> None:
    """Stop requests, save the state, then end the handlers, so that their ends are not saved."""
    data_folder.unpublish(settings.home)
    await server.stop()
    await asyncio.to_thread(server.table.sync)
    if saving:
        saving.cancel()
        await asyncio.wait([saving])
        with startup_output.step("Saved"):
            await asyncio.to_thread(snapshot.write, server.state, snapshot.collect(server.services()))
        data_folder.mark_clean(settings.home)


def explain(reason: BaseException, settings: Settings) -> None:
    if isinstance(reason, DeployError):
        startup_output.say(str(reason))
        return
    log.error("the local stack failed", exc_info=reason)
    where = settings.home / "stack.log"
    startup_output.say(f"The local stack failed: {type(reason).__name__}: {reason}. Details: {where}")


def rotate(settings: Settings) -> None:
    file = settings.home / "functions.log"
    if file.exists() and file.stat().st_size > LOG_LIMIT:
        file.replace(file.with_name("functions.log.1"))
