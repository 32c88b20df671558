"""What was built goes to AWS by `sam deploy`; then what to do next. `check` has been before."""

import shutil
import subprocess

from cloud import stacks
from cloud.stack_location import SETTINGS, Place
from terminal.failures import CommandFailure, missing
from terminal.session import Session

BUILT = ".aws-sam/build/template.yaml"


def run(session: Session, place: Place) -> None:
    place = place.entered()
    if not (place.root / BUILT).is_file():
        # Without it SAM would send the sources as they are, without what they need.
        raise missing(f"Nothing is built: {BUILT} is not there.", "Build it: make build")
    sam = shutil.which("sam", path=session.outside.environ.get("PATH"))
    if sam is None:
        raise missing("The command `sam` is not there.", "`make deploy` installs it; or put AWS SAM CLI on your PATH.")
    if not place.deployed_before:
        session.note(f"SAM asks for each setting now; Enter takes what is in brackets. It keeps them in {SETTINGS}.\n")
    environ = {**session.outside.environ, "SAM_CLI_TELEMETRY": "0"}
    environ |= {"AWS_DEFAULT_REGION": place.region, "AWS_REGION": place.region}
    done = subprocess.run([sam, *arguments(place, session.asks)], cwd=place.root, env=environ, check=False)  # noqa: S603 - found above
    if done.returncode:
        raise _failed(place, done.returncode)
    tell(session, place)


def arguments(place: Place, asks: bool) -> list[str]:
    # No --template-file: SAM finds what was built by itself, and told of it would keep its answers beside it.
    given = ["deploy", "--stack-name", place.stack, "--region", place.region]
    # By this name, so that two stacks keep two sets of answers.
    given += ["--config-env", place.name, "--capabilities", "CAPABILITY_IAM"]
    given += ["--profile", place.profile] if place.profile else []
    if not place.deployed_before:
        return [*given, "--guided"]
    return [*given, "--no-fail-on-empty-changeset", *([] if asks else ["--no-confirm-changeset"])]


def _failed(place: Place, code: int) -> CommandFailure:
    stack = stacks.find(place.stack)
    steps = ["What is wrong stands above, in SAM's own words."]
    if (place.root / SETTINGS).exists():
        steps.append(f"An answer that was not right is kept: change it in {SETTINGS}, section {place.name}.")
    if stack and stack.status.startswith("ROLLBACK"):
        steps.append(f"This first attempt can only be deleted; then deploy again: {place.make('destroy')}")
    return CommandFailure(f"sam deploy ended with {code}.", *steps)


def tell(session: Session, place: Place) -> None:
    # Anew: in its questions one may have chosen another name or region.
    place = Place.read(session.outside.environ, session.outside.root).entered()
    stack = stacks.find(place.stack)
    if stack is None or "ApiUrl" not in stack.outputs:
        raise missing(
            f"SAM is done, but the stack {place.stack} is not in {place.region}.",
            "Did you give SAM another name or region? Then say them again: make token STACK=name REGION=…",
        )
    screen = session.screen
    screen.blank()
    screen.line(("✓ ", "bold green"), ("Read→Do is at ", ""), (stack.outputs["ApiUrl"], "bold"))
    screen.blank()
    token, doctor = place.make("token"), "local/readdo doctor"
    wide = max(len(token), len(doctor))
    screen.line(f"  {token:{wide}}   makes a token; it is shown once, with how to use it")
    screen.line(f"  {doctor:{wide}}   then: all ✓?")
