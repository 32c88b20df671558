"""The last release and this one, as programs that share rows, files and executions.

`release.tar.xz` holds the code of the last release without its pages, so that no git history is needed. After a new
release, make it again: git archive --format=tar TAG layers/domain functions schemas statemachine template.yaml
':!functions/pages' ':!schemas/api' | xz -9e > tests/upgrade/release.tar.xz
"""

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from samtranslator.yaml_helper import yaml_parse

from support.asl import Failed, Interpreter

ARCHIVE = Path(__file__).parent / "release.tar.xz"
PLAYER = Path(__file__).parent / "player.py"
REGION = "eu-central-1"
_TABLE_FIELDS = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")


def unpack_last_release(folder: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder


@dataclass(frozen=True)
class Release:
    root: Path

    @cached_property
    def template(self) -> dict[str, Any]:
        parsed: dict[str, Any] = yaml_parse((self.root / "template.yaml").read_text("utf-8"))
        return parsed

    def workflow(self, machine: str) -> dict[str, Any]:
        workflow: dict[str, Any] = json.loads((self.root / f"statemachine/{machine}.asl.json").read_text("utf-8"))
        return workflow

    @property
    def machines(self) -> list[str]:
        return sorted(path.name.removesuffix(".asl.json") for path in (self.root / "statemachine").glob("*.asl.json"))

    def table(self) -> dict[str, Any]:
        properties = self.template["Resources"]["Table"]["Properties"]
        return {name: properties[name] for name in _TABLE_FIELDS}

    def variables(self) -> dict[str, str]:
        """The environment of its functions, with the parameters' defaults."""
        body = self.template
        functions = [r["Properties"] for r in body["Resources"].values() if r["Type"] == "AWS::Serverless::Function"]
        settings = [body["Globals"]["Function"], *functions]
        variables = {n: v for s in settings for n, v in s.get("Environment", {}).get("Variables", {}).items()}
        return {name: self._value(value, body["Parameters"]) for name, value in variables.items()}

    def _value(self, value: Any, parameters: Mapping[str, Any]) -> str:
        name = value.get("Ref", "") if isinstance(value, dict) else ""
        if name in parameters:
            return str(parameters[name]["Default"])
        machines = {m.replace("_", ""): m for m in self.machines}
        if name.lower() in machines:
            return f"arn:aws:states:{REGION}:123456789012:stateMachine:{machines[name.lower()]}"
        return str(name or value) if isinstance(value, str) or name else ""


class Stopped(Exception):
    """An execution before a state that the player does not enter."""

    def __init__(self, state: str, name: str, data: Any) -> None:
        super().__init__(state)
        self.state, self.name, self.data = state, name, data


class Player(Interpreter):
    """The functions of one release, in a process of their own. `workflows`: of the release that deployed them."""

    def __init__(self, code: Release, variables: Release, workflows: Release) -> None:
        self.workflows, self.stop_before = workflows, ""
        self.token, self._seen = "", set[str]()
        rooms = [str(room) for room in sorted((code.root / "functions").iterdir()) if room.is_dir()]
        environment = {
            **variables.variables(),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join([str(code.root / "layers/domain"), *rooms]),
            "SCHEMAS_DIR": str(code.root / "schemas"),
            "TABLE_NAME": "table",
            "BUCKET_NAME": "bucket",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "POWERTOOLS_TRACE_DISABLED": "1",
            "POWERTOOLS_SERVICE_NAME": "readdo",
        }
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, str(PLAYER)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._stack = {"table": code.table(), "machines": code.machines}

    def create_stack(self) -> None:
        self.run("create", **self._stack)

    def run(self, command: str, **options: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps({"do": command, **options}), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()

    def take_over(self, other: "Player") -> None:
        """Rows, files and the token of another player. What is already here stays."""
        self.run("load", **other.run("dump"))
        self.token = other.token

    def api(self, method: str, path: str, body: Any = None, key: str = "") -> SimpleNamespace:
        bare, _, query = path.partition("?")
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
        http = {"http": {"method": method, "path": bare}, "requestId": "r", "stage": "$default", "domainName": ""}
        event = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": bare,
            "rawQueryString": query,
            "headers": headers | ({"idempotency-key": key} if key else {}),
            "requestContext": http,
            "body": None if body is None else json.dumps(body),
            "isBase64Encoded": False,
        }
        answer = self.run("invoke", room="http_api", event=event)["result"]
        return SimpleNamespace(status=answer["statusCode"], json=json.loads(answer.get("body") or "null"))

    def settle(self) -> None:
        """Run all executions that were started here."""
        while new := self.started():
            for one in new:
                self.execute(one["machine"], one["name"], one["input"])

    def started(self) -> list[dict[str, Any]]:
        """The executions since the last call."""
        new = [one for one in self.run("executions") if one["name"] not in self._seen]
        self._seen |= {one["name"] for one in new}
        return new

    def workflow(self, machine: str) -> dict[str, Any]:
        return self.workflows.workflow(machine)

    def invoke_room(self, room: str, seconds: float, event: dict[str, Any]) -> Any:
        del seconds
        answer = self.run("invoke", room=room, event=event)
        if "error" in answer:
            cause = {"errorType": answer["error"], "errorMessage": answer["message"]}
            raise Failed(answer["error"], json.dumps(cause))
        return answer["result"]

    def sleep(self, seconds: float) -> None:
        """Run the other executions meanwhile."""
        del seconds
        self.settle()

    def _enter(self, at: str, state: Mapping[str, Any], data: Any, name: str) -> tuple[Any, str]:
        if at == self.stop_before:
            self.stop_before = ""
            raise Stopped(at, name, data)
        return super()._enter(at, state, data, name)
