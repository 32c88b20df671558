"""Settings of the local stack: everything that is read from or written to os.environ."""

import os
import secrets
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path

REGION = "eu-central-1"
STACK = "readdo"
# Template parameters of a local deploy; those that the template does not declare are left out.
# Executions are queued here, so a lease may follow the start much later than on AWS.
# Short slices of proof jobs give other work its turn. Functions that find no place wait here, so imports may add more.
PARAMETERS: dict[str, str] = {
    "LeaseSeconds": "90",
    "StartGraceSeconds": "300",
    "ProofSliceSeconds": "20",
    "MaxInFlight": "50",
}
# Environment variables that set template parameters.
FROM_ENVIRONMENT = {
    "READDO_CORS_ORIGINS": "CorsOrigins",
    "READDO_SKIP_POLICY": "SkipPolicy",
    "READDO_ENGINE": "Engine",
    "READDO_MODEL": "ModelName",
    "READDO_MODEL_API": "ModelApi",
    "READDO_DAILY_TOKENS": "DailyTokens",
    "READDO_COLLECT_BATCH_SECONDS": "CollectBatchSeconds",
    "READDO_COLLECT_BATCH_SIZE": "CollectBatchSize",
    "READDO_COLLECT_SECTIONS": "CollectSections",
    "READDO_COLLECT_OWN_MINUTES": "CollectOwnMinutes",
    "READDO_COLLECT_SEARCH_URL": "CollectSearchUrl",
    "OPENAI_BASE_URL": "ModelBaseUrl",
    "READDO_NOTION_DATABASE": "NotionDatabaseId",
    "READDO_NOTION_URL": "NotionUrl",
}
# Either variable turns on a model.
CALLS_FOR_A_MODEL = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
MODEL, KEY_PARAMETER = "gpt-4o-mini", "/readdo/model-key"
NOTION_PARAMETER = "/readdo/notion-token"

# The allowlist of host variables: handlers inherit the environment of this process.
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
            raise SystemExit(f"PORT={port!r} is not a port. Use a number from 1 to 65535.")
        overrides = {parameter: environ[name] for name, parameter in FROM_ENVIRONMENT.items() if environ.get(name)}
        key, token = environ.get("OPENAI_API_KEY") or None, environ.get("NOTION_TOKEN") or None
        mirrored = {"NotionTokenParameter": NOTION_PARAMETER} if token else {}
        parameters = {**PARAMETERS, **_engine(environ, key), **mirrored, **overrides}
        return cls(root, home, int(port), key, token, parameters)

    @property
    def reader(self) -> str:
        """Return the line about the processing engine for the welcome text."""
        if self.parameters.get("Engine", "extractive") == "extractive":
            return "Engine: built-in, without a model. To use a model, set OPENAI_API_KEY or OPENAI_BASE_URL."
        where = self.parameters.get("ModelBaseUrl")
        return f"Engine: model {self.parameters.get('ModelName')}{f' at {where}' if where else ''}."

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def _engine(environ: Mapping[str, str], key: str | None) -> dict[str, str]:
    """Return the default engine parameters; READDO_ENGINE and READDO_MODEL override them."""
    if not any(environ.get(name) for name in CALLS_FOR_A_MODEL):
        return {}
    return {"Engine": "openai", "ModelName": MODEL} | ({"KeyParameter": KEY_PARAMETER} if key else {})


def scrub(environ: MutableMapping[str, str], settings: Settings) -> None:
    """Reduce the environment to the allowlist and the stack's settings.

    Keys, proxies and the AWS profile of the host are removed.
    """
    allowed = {k: v for k, v in environ.items() if k in FROM_HOST or k.startswith(FROM_HOST_PREFIX)}
    environ.clear()
    environ.update(allowed)
    environ.update(stack_settings(settings))
    environ.update(
        {
            # Not /tmp: ministack unpacks code to a predictable name, which another user could create first.
            "TMPDIR": str(settings.home / "tmp"),
            "AWS_ENDPOINT_URL": settings.endpoint,
            # Presigned links use another host name than the page, so that files have another origin in the browser.
            "AWS_ENDPOINT_URL_S3": f"http://localhost:{settings.port}",
            "AWS_DEFAULT_REGION": REGION,
            # The owner's key, new at each start. Handlers get the credentials of a role instead.
            "AWS_ACCESS_KEY_ID": f"LOCAL{secrets.token_hex(16).upper()}",
            "AWS_SECRET_ACCESS_KEY": secrets.token_urlsafe(32),
        }
    )


def stack_settings(settings: Settings) -> dict[str, str]:
    """Return ministack's settings, which it reads on import. The bootstrap unsets them for the handlers."""
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
        # ministack's default assumes 21 MB per process in half of the memory; our handlers take 50 to 80 MB.
        "LAMBDA_ACCOUNT_CONCURRENCY": str(max(8, 2 * (os.cpu_count() or 1) + 4)),
        "LAMBDA_WARM_TTL_SECONDS": "20",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        # At start ministack removes the containers of other ministacks, so give it no Docker.
        "DOCKER_HOST": "unix:///nonexistent",
    }
