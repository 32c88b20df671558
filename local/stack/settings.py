"""Where the stack lives, and the environment it runs in: everything that is read from or written to os.environ."""

import os
import secrets
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path

REGION = "eu-central-1"
STACK = "readdo"
# What a local deploy answers to the template's parameters; one that the template does not declare is left out.
# Executions wait for their turn here, so a start may be followed by its lease much later than on AWS.
PARAMETERS: dict[str, str] = {"LeaseSeconds": "90", "StartGraceSeconds": "300"}
# What the one who starts it may say instead of the template's defaults.
FROM_ENVIRONMENT = {
    "READDO_CORS_ORIGINS": "CorsOrigins",
    "READDO_SKIP_POLICY": "SkipPolicy",
    "READDO_ENGINE": "Engine",
    "READDO_MODEL": "ModelName",
    "READDO_MODEL_API": "ModelApi",
    "READDO_DAILY_TOKENS": "DailyTokens",
    "OPENAI_BASE_URL": "ModelBaseUrl",
    "READDO_NOTION_DATABASE": "NotionDatabaseId",
    "READDO_NOTION_URL": "NotionUrl",
}
# A key or a server of one's own is wish enough for a model.
CALLS_FOR_A_MODEL = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
MODEL, KEY_PARAMETER = "gpt-4o-mini", "/readdo/model-key"
NOTION_PARAMETER = "/readdo/notion-token"

# A handler inherits the environment of this process, so this is also all that a handler can see of the host.
FROM_HOST = ("PATH", "HOME", "LANG", "LC_ALL", "USER", "TZ")
FROM_HOST_PREFIX = "READDO_"


@dataclass(frozen=True)
class Settings:
    root: Path
    home: Path
    port: int
    model_key: str | None
    notion_token: str | None
    parameters: Mapping[str, str]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> "Settings":
        root = Path(environ.get("READDO_ROOT") or Path(__file__).resolve().parents[2]).resolve()
        home = Path(environ.get("READDO_LOCAL") or root / ".local").resolve()
        port = environ.get("PORT", "4600")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise SystemExit(f"PORT is {port!r}, which is not a port. Set it to a number from 1 to 65535.")
        said = {parameter: environ[name] for name, parameter in FROM_ENVIRONMENT.items() if environ.get(name)}
        key, token = environ.get("OPENAI_API_KEY") or None, environ.get("NOTION_TOKEN") or None
        mirrored = {"NotionTokenParameter": NOTION_PARAMETER} if token else {}
        parameters = {**PARAMETERS, **_engine(environ, key), **mirrored, **said}
        return cls(root, home, int(port), key, token, parameters)

    @property
    def reader(self) -> str:
        """Who reads here, for the one who started it."""
        if self.parameters.get("Engine", "extractive") == "extractive":
            return "Without a model; OPENAI_API_KEY or OPENAI_BASE_URL brings one in."
        where = self.parameters.get("ModelBaseUrl")
        return f"With the model {self.parameters.get('ModelName')}{f' at {where}' if where else ''}."

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def _engine(environ: Mapping[str, str], key: str | None) -> dict[str, str]:
    """Unless READDO_ENGINE and READDO_MODEL say otherwise."""
    if not any(environ.get(name) for name in CALLS_FOR_A_MODEL):
        return {}
    return {"Engine": "openai", "ModelName": MODEL} | ({"KeyParameter": KEY_PARAMETER} if key else {})


def scrub(environ: MutableMapping[str, str], settings: Settings) -> None:
    """Leave the allowlist and the stack's own settings: no keys, proxies or AWS profile of the host go further."""
    kept = {k: v for k, v in environ.items() if k in FROM_HOST or k.startswith(FROM_HOST_PREFIX)}
    environ.clear()
    environ.update(kept)
    environ.update(stack_settings(settings))
    environ.update(
        {
            # /tmp is shared: ministack unpacks code to a predictable name there, which another user could prepare.
            "TMPDIR": str(settings.home / "tmp"),
            "AWS_ENDPOINT_URL": settings.endpoint,
            # Links to files lead to another host than the page's: what a browser shows of them is of another origin.
            "AWS_ENDPOINT_URL_S3": f"http://localhost:{settings.port}",
            "AWS_DEFAULT_REGION": REGION,
            # The stack's owner, anew at each start. Handlers get a role's credentials in place of these.
            "AWS_ACCESS_KEY_ID": f"LOCAL{secrets.token_hex(16).upper()}",
            "AWS_SECRET_ACCESS_KEY": secrets.token_urlsafe(32),
        }
    )


def stack_settings(settings: Settings) -> dict[str, str]:
    """What ministack reads when it is imported; the bootstrap takes the names out again for the handlers."""
    return {
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(settings.port),
        "MINISTACK_HOST": "localhost",
        "MINISTACK_REGION": REGION,
        "AUTH": "true",
        "PERSIST_STATE": "1",
        "STATE_DIR": str(settings.home / "state"),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(settings.home / "s3"),
        # The default is half the memory by 21 MB a process; ours take 50 to 80, and a laptop is used for other things.
        "LAMBDA_ACCOUNT_CONCURRENCY": str(max(8, 2 * (os.cpu_count() or 1) + 4)),
        "LAMBDA_WARM_TTL_SECONDS": "20",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        # At its start ministack removes the containers of other ministacks: give it no docker to do it with.
        "DOCKER_HOST": "unix:///nonexistent",
    }
