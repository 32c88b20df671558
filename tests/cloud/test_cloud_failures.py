"""Errors of AWS are printed with advice and without a traceback."""

import pytest
from aws_account import Account, refusal
from aws_person import User
from botocore import exceptions

from cloud.failures import in_words
from readdo.lifecycle.write import Busy, OutcomeUnknown

REFUSALS = {
    "ExpiredToken": (6, "Your AWS credentials have expired."),
    "ExpiredTokenException": (6, "Your AWS credentials have expired."),
    "RequestExpired": (6, "Your AWS credentials have expired."),
    "InvalidClientTokenId": (6, "AWS does not know these credentials."),
    "UnrecognizedClientException": (6, "AWS does not know these credentials."),
    "SignatureDoesNotMatch": (6, "this machine's clock is"),
    "AccessDenied": (6, "These credentials may not do GetCallerIdentity: because."),
    "AccessDeniedException": (6, "These credentials may not do GetCallerIdentity: because."),
    "Throttling": (5, "AWS asks to slow down."),
    "ThrottlingException": (5, "AWS asks to slow down."),
    "RequestLimitExceeded": (5, "AWS asks to slow down."),
    "OptInRequired": (1, "AWS refused GetCallerIdentity: because."),
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
        expected, words = 3, "The command `sam` is not there."
    assert (result.code, result.out) == (expected, "")
    assert f"✗ {words}" in result.err or words in result.err


ENDPOINT = "https://sts.eu-central-9.amazonaws.com/"
LOCAL_ERRORS = [
    (exceptions.NoCredentialsError(), 6, "There are no AWS credentials here"),
    (exceptions.PartialCredentialsError(provider="env", cred_var="x"), 6, "There are no AWS credentials here"),
    (exceptions.ProfileNotFound(profile="work"), 2, "There is no AWS profile work"),
    (exceptions.UnauthorizedSSOTokenError(), 6, "Your AWS sign-in has ended."),
    (exceptions.TokenRetrievalError(provider="sso", error_msg="x"), 6, "Your AWS sign-in has ended."),
    (exceptions.NoRegionError(), 2, "in which region"),
    (exceptions.EndpointConnectionError(endpoint_url=ENDPOINT), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.ConnectTimeoutError(endpoint_url=ENDPOINT), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.ReadTimeoutError(endpoint_url=ENDPOINT), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.SSLError(endpoint_url=ENDPOINT, error="x"), 5, f"{ENDPOINT} cannot be reached."),
    (exceptions.ParamValidationError(report="bad"), 1, "The AWS client refuses"),
    (OutcomeUnknown("x"), 5, "whether it was done is not known"),
    (Busy("x"), 5, "The table is busy."),
    (PermissionError(13, "Permission denied", "x"), 1, "This machine refuses"),
    (ZeroDivisionError("x"), 1, "Something came that is not understood: ZeroDivisionError: x."),
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
    assert "There is no AWS profile wrok on this machine." in result.err


def test_debug_mode_raises_the_exception(account: Account, user: User) -> None:
    account.refuse("GetCallerIdentity", "Odd")
    with pytest.raises(exceptions.ClientError):
        user.run("token", READDO_DEBUG="1")


def test_advice_repeats_the_given_command() -> None:
    assert "Wait a minute, then again: make token" in in_words(refusal("Throttling"), "make token").next_steps


def test_unknown_command_lists_the_commands(user: User) -> None:
    result = user.run("explode")
    assert (result.code, result.err) == (
        2,
        "Which one? make deploy, make key, make token, make destroy, make restore\n",
    )
