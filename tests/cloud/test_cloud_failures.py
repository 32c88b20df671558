"""Errors of AWS are printed with advice and without a traceback."""

import pytest
from botocore import exceptions

from cloud.failures import to_failure
from readdo.lifecycle.write import Busy, OutcomeUnknown
from support.aws_account import Account, refusal
from support.aws_person import User

REFUSALS = {
    "ExpiredToken": (6, "Your AWS credentials have expired."),
    "ExpiredTokenException": (6, "Your AWS credentials have expired."),
    "RequestExpired": (6, "Your AWS credentials have expired."),
    "InvalidClientTokenId": (6, "AWS does not recognise these credentials."),
    "UnrecognizedClientException": (6, "AWS does not recognise these credentials."),
    "SignatureDoesNotMatch": (6, "this machine's clock is"),
    "AccessDenied": (6, "These credentials do not allow GetCallerIdentity: because."),
    "AccessDeniedException": (6, "These credentials do not allow GetCallerIdentity: because."),
    "Throttling": (5, "AWS throttled the requests."),
    "ThrottlingException": (5, "AWS throttled the requests."),
    "RequestLimitExceeded": (5, "AWS throttled the requests."),
    "OptInRequired": (1, "AWS rejected GetCallerIdentity: because."),
}


@pytest.mark.parametrize("code", REFUSALS)
@pytest.mark.parametrize("command", ["check", "deploy", "key", "token", "destroy"])
def test_every_command_reports_an_aws_error(account: Account, user: User, command: str, code: str) -> None:
    for operation in ("GetCallerIdentity", "DescribeStacks"):
        account.refuse(operation, code, "because.")
    built = user.root / ".aws-sam/build/template.yaml"
    built.parent.mkdir(parents=True)
    built.touch()
    result = user.run(command, stdin="a-key-for-a-model", PATH=str(user.root))
    expected, words = REFUSALS[code]
    if command == "deploy":  # it calls sam before it calls AWS
        expected, words = 3, "The command `sam` was not found."
    assert (result.code, result.out) == (expected, "")
    assert f"✗ {words}" in result.err or words in result.err


ENDPOINT = "https://sts.eu-central-9.amazonaws.com/"
LOCAL_ERRORS = [
    (exceptions.NoCredentialsError(), 6, "AWS credentials are missing"),
    (exceptions.PartialCredentialsError(provider="env", cred_var="x"), 6, "AWS credentials are missing"),
    (exceptions.ProfileNotFound(profile="work"), 2, "The AWS profile work was not found"),
    (exceptions.UnauthorizedSSOTokenError(), 6, "Your AWS sign-in has expired."),
    (exceptions.TokenRetrievalError(provider="sso", error_msg="x"), 6, "Your AWS sign-in has expired."),
    (exceptions.NoRegionError(), 2, "No AWS region"),
    (exceptions.EndpointConnectionError(endpoint_url=ENDPOINT), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.ConnectTimeoutError(endpoint_url=ENDPOINT), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.ReadTimeoutError(endpoint_url=ENDPOINT), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.SSLError(endpoint_url=ENDPOINT, error="x"), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.ParamValidationError(report="bad"), 1, "AWS client error"),
    (OutcomeUnknown("x"), 5, "the result is unknown"),
    (Busy("x"), 5, "The table is busy."),
    (PermissionError(13, "Permission denied", "x"), 1, "System error"),
    (ZeroDivisionError("x"), 1, "Unexpected error: ZeroDivisionError: x."),
]


@pytest.mark.parametrize(("error", "code", "words"), LOCAL_ERRORS, ids=lambda x: type(x).__name__)
def test_local_errors_are_reported_with_advice(
    account: Account, user: User, error: Exception, code: int, words: str
) -> None:
    def raise_error(_call: object, _params: object) -> None:
        raise error

    account.instead["GetCallerIdentity"] = raise_error
    result = user.run("token")
    assert (result.code, result.out) == (code, "")
    assert words in result.err
    assert len(result.err.splitlines()) >= 1 + (code not in (1,)), "what to do is told too"


def test_missing_credentials_are_reported(user: User) -> None:
    result = user.run("token")
    assert result.code == 6
    assert "aws configure" in result.err
    assert "AWS_ACCESS_KEY_ID" in result.err


def test_unknown_profile_is_reported(user: User) -> None:
    result = user.run("token", AWS_PROFILE="wrok")
    assert result.code == 2
    assert "The AWS profile wrok was not found on this machine." in result.err


def test_debug_mode_raises_the_exception(account: Account, user: User) -> None:
    account.refuse("GetCallerIdentity", "Odd")
    with pytest.raises(exceptions.ClientError):
        user.run("token", READDO_DEBUG="1")


def test_advice_repeats_the_given_command() -> None:
    assert "Wait a minute, then try again: make token" in to_failure(refusal("Throttling"), "make token").next_steps


def test_unknown_command_lists_the_commands(user: User) -> None:
    result = user.run("explode")
    assert (result.code, result.err) == (
        2,
        "Use one of: make deploy, make key, make token, make destroy, make restore\n",
    )
