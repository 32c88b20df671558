"""What AWS and its client can refuse, in words with what to do: the one place for all commands."""

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
    "With keys: export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… (AWS_SESSION_TOKEN=… too, if you have one)",
    "Several accounts? Say which: AWS_PROFILE=name make …",
)
_AGAIN = (
    "Sign in again: aws sso login, or export new keys.",
    "Old keys in the environment stand in the way of a profile:",
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


def in_words(error: BaseException, again: str = "the same command") -> CommandFailure:
    if isinstance(error, CommandFailure):
        return error
    if isinstance(error, ClientError):
        return _refused(error, again)
    if isinstance(error, OutcomeUnknown):
        return unreachable("The connection broke, and whether it was done is not known.", f"Try again: {again}")
    if isinstance(error, Busy):
        return unreachable("The table is busy.", f"Try again in a minute: {again}")
    if isinstance(error, BotoCoreError):
        return _not_asked(error, again)
    if isinstance(error, OSError):
        return CommandFailure(f"This machine refuses: {error}.")
    return CommandFailure(
        f"Something came that is not understood: {type(error).__name__}: {error}.",
        f"READDO_DEBUG=1 {again} shows where it happened.",
    )


def _not_asked(error: BotoCoreError, again: str) -> CommandFailure:
    if isinstance(error, NoCredentialsError | PartialCredentialsError | CredentialRetrievalError):
        return _unauthorised("There are no AWS credentials here, or not all of them.", *SIGN_IN)
    if isinstance(error, ProfileNotFound):
        name = error.kwargs.get("profile", "that name")
        return usage(
            f"There is no AWS profile {name} on this machine.", "See which there are: aws configure list-profiles"
        )
    if isinstance(error, SSOError | TokenRetrievalError):
        return _unauthorised("Your AWS sign-in has ended.", "Sign in again: aws sso login")
    if isinstance(error, NoRegionError):
        return usage("It is not said in which region of AWS.", f"Say it: {again} REGION=eu-central-1")
    if isinstance(error, ConnectionError | HTTPClientError):
        where = error.kwargs.get("endpoint_url") or "AWS"
        return unreachable(
            f"{where} cannot be reached.", "Is the network there, and the region a real one?", f"Then again: {again}"
        )
    return CommandFailure(f"The AWS client refuses: {error}.")


def _refused(error: ClientError, again: str) -> CommandFailure:
    told = error.response.get("Error", {})
    code, message = str(told.get("Code", "")), str(told.get("Message", "")).rstrip(".")
    call = error.operation_name
    if code in _EXPIRED:
        return _unauthorised("Your AWS credentials have expired.", *_AGAIN)
    if code in _UNKNOWN:
        return _unauthorised("AWS does not know these credentials.", *SIGN_IN)
    if code in _SIGNATURE:
        return _unauthorised(
            "AWS does not accept the signature: the secret key is wrong, or this machine's clock is.",
            "Check both (date -u), then again.",
        )
    if code in _DENIED:
        return _unauthorised(
            f"These credentials may not do {call}: {message or code}.",
            "Use others (AWS_PROFILE=name), or ask whoever looks after the account for that right.",
        )
    if code in _BUSY:
        return unreachable("AWS asks to slow down.", f"Wait a minute, then again: {again}")
    return CommandFailure(f"AWS refused {call}: {message or code}.")


def _unauthorised(message: str, *next_steps: str) -> CommandFailure:
    return CommandFailure(message, *next_steps, exit_code=UNAUTHORISED, code="UNAUTHORISED")
