"""Translate errors of AWS and boto3 into messages with next steps."""

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
    SSOError,
    TokenRetrievalError,
)

from readdo.lifecycle.write import Busy, OutcomeUnknown
from terminal.failures import UNAUTHORISED, CommandFailure, unreachable, usage

SIGN_IN = (
    "With the AWS command line: aws configure, or aws sso login",
    "With keys: export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… (and AWS_SESSION_TOKEN=…, if you have one)",
    "With several accounts: AWS_PROFILE=name make …",
)
_AGAIN = (
    "Sign in again: aws sso login, or export new keys.",
    "Old keys in the environment override a profile. Remove them:",
    "  unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN",
)
_EXPIRED = {"ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired"}
_UNKNOWN = {"InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId", "AuthFailure"}
_SIGNATURE = {"SignatureDoesNotMatch", "InvalidSignatureException", "RequestTimeTooSkewed", "IncompleteSignature"}
_DENIED = {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AllAccessDisabled", "403", "Forbidden"}
_BUSY = {
    *("Throttling", "ThrottlingException", "ThrottledException", "TooManyRequestsException", "SlowDown"),
    *("RequestLimitExceeded", "ProvisionedThroughputExceededException", "ServiceUnavailable", "503"),
}


def to_failure(error: BaseException, again: str = "the same command") -> CommandFailure:
    if isinstance(error, CommandFailure):
        return error
    if isinstance(error, ClientError):
        return _service_failure(error, again)
    if isinstance(error, OutcomeUnknown):
        return unreachable("The connection was lost, and the result is unknown.", f"Try again: {again}")
    if isinstance(error, Busy):
        return unreachable("The table is busy.", f"Wait a minute, then try again: {again}")
    if isinstance(error, BotoCoreError):
        return _client_failure(error, again)
    if isinstance(error, OSError):
        return CommandFailure(f"System error: {error}.")
    return CommandFailure(
        f"Unexpected error: {type(error).__name__}: {error}.",
        f"For a traceback: READDO_DEBUG=1 {again}",
    )


def _client_failure(error: BotoCoreError, again: str) -> CommandFailure:
    if isinstance(error, NoCredentialsError | PartialCredentialsError | CredentialRetrievalError):
        return _unauthorised("AWS credentials are missing or incomplete.", *SIGN_IN)
    if isinstance(error, ProfileNotFound):
        name = error.kwargs.get("profile", "that name")
        return usage(
            f"The AWS profile {name} was not found on this machine.", "List your profiles: aws configure list-profiles"
        )
    if isinstance(error, SSOError | TokenRetrievalError):
        return _unauthorised("Your AWS sign-in has expired.", "Sign in again: aws sso login")
    if isinstance(error, NoRegionError):
        return usage("No AWS region is set.", f"Set it: {again} REGION=eu-central-1")
    if isinstance(error, ConnectionError | HTTPClientError):
        where = error.kwargs.get("endpoint_url") or "AWS"
        return unreachable(
            f"{where} cannot be reached.", "Check your network and the region.", f"Then try again: {again}"
        )
    return CommandFailure(f"AWS client error: {error}.")


def _service_failure(error: ClientError, again: str) -> CommandFailure:
    details = error.response.get("Error", {})
    code, message = str(details.get("Code", "")), str(details.get("Message", "")).rstrip(".")
    call = error.operation_name
    if code in _EXPIRED:
        return _unauthorised("Your AWS credentials have expired.", *_AGAIN)
    if code in _UNKNOWN:
        return _unauthorised("AWS does not recognise these credentials.", *SIGN_IN)
    if code in _SIGNATURE:
        return _unauthorised(
            "AWS rejected the signature: the secret key or this machine's clock is wrong.",
            "Check both (clock: date -u), then try again.",
        )
    if code in _DENIED:
        return _unauthorised(
            f"These credentials do not allow {call}: {message or code}.",
            "Use other credentials (AWS_PROFILE=name), or ask the account's administrator for this permission.",
        )
    if code in _BUSY:
        return unreachable("AWS throttled the requests.", f"Wait a minute, then try again: {again}")
    return CommandFailure(f"AWS rejected {call}: {message or code}.")


def _unauthorised(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=UNAUTHORISED, code="UNAUTHORISED")
