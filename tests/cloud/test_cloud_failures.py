"""Whatever AWS says no with is told in words, with what to do, and never with a traceback."""

import pytest
from aws_account import Account, refusal
from aws_person import Person
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
def test_a_refusal_is_told_by_every_command(account: Account, person: Person, command: str, code: str) -> None:
    for operation in ("GetCallerIdentity", "DescribeStacks"):
        account.refuse(operation, code, "because.")
    built = person.root / ".aws-sam/build/template.yaml"
    built.parent.mkdir(parents=True)
    built.touch()
    told = person.run(command, stdin="a-key-for-a-model", PATH=str(person.root))
    expected, words = REFUSALS[code]
    if command == "deploy":  # it asks AWS nothing before SAM does
        expected, words = 3, "The command `sam` is not there."
    assert (told.code, told.out) == (expected, "")
    assert f"✗ {words}" in told.err or words in told.err


ENDPOINT = "https://sts.eu-central-9.amazonaws.com/"
NOT_ASKED = [
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


@pytest.mark.parametrize(("error", "code", "words"), NOT_ASKED, ids=lambda x: type(x).__name__)
def test_what_hinders_the_asking_is_told(
    account: Account, person: Person, error: Exception, code: int, words: str
) -> None:
    def fails(_call: object, _given: object) -> None:
        raise error

    account.instead["GetCallerIdentity"] = fails
    told = person.run("token")
    assert (told.code, told.out) == (code, "")
    assert words in told.err
    assert len(told.err.splitlines()) >= 1 + (code not in (1,)), "what to do is told too"


def test_no_credentials_at_all(person: Person) -> None:
    told = person.run("token")
    assert told.code == 6
    assert "aws configure" in told.err
    assert "AWS_ACCESS_KEY_ID" in told.err


def test_a_profile_that_is_not_there(person: Person) -> None:
    told = person.run("token", AWS_PROFILE="wrok")
    assert told.code == 2
    assert "There is no AWS profile wrok on this machine." in told.err


def test_the_place_is_shown_to_whoever_looks_for_a_fault(account: Account, person: Person) -> None:
    account.refuse("GetCallerIdentity", "Odd")
    with pytest.raises(exceptions.ClientError):
        person.run("token", READDO_DEBUG="1")


def test_what_to_give_again_is_the_command_that_was_given() -> None:
    assert "Wait a minute, then again: make token" in in_words(refusal("Throttling"), "make token").next_steps


def test_an_unknown_command_lists_those_there_are(person: Person) -> None:
    told = person.run("explode")
    assert (told.code, told.err) == (2, "Which one? make deploy, make key, make token, make destroy, make restore\n")
