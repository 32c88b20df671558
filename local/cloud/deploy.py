"""Deploy the build with `sam deploy`, then print the next steps. `cloud.check` runs first."""

import shutil
import subprocess

from cloud import stacks
from cloud.first_settings import save_settings
from cloud.stack_location import SETTINGS, Place
from terminal.failures import CommandFailure, missing
from terminal.session import Session

BUILT = ".aws-sam/build/template.yaml"


def run(session: Session, place: Place) -> None:
    place = place.entered()
    if not (place.root / BUILT).is_file():
        # Without a build, SAM would deploy the sources without their dependencies.
        raise missing(f"There is no build: {BUILT} was not found.", "Build it: make build")
    sam = shutil.which("sam", path=session.outside.environ.get("PATH"))
    if sam is None:
        raise missing("The command `sam` was not found.", "Run `make deploy`, or put AWS SAM CLI on your PATH.")
    if not place.deployed_before:
        save_settings(session, place)
    environ = {**session.outside.environ, "SAM_CLI_TELEMETRY": "0"}
    environ |= {"AWS_DEFAULT_REGION": place.region, "AWS_REGION": place.region}
    done = subprocess.run([sam, *arguments(place, session.can_prompt)], cwd=place.root, env=environ, check=False)  # noqa: S603 - found above
    if done.returncode:
        raise _failed(place, done.returncode)
    tell(session, place)


def arguments(place: Place, can_prompt: bool) -> list[str]:
    # No --template-file: SAM finds the build itself, and with the option would save its answers in that folder.
    options = ["deploy", "--stack-name", place.stack, "--region", place.region]
    # One configuration per stack, so that two stacks have separate answers.
    options += ["--config-env", place.name, "--capabilities", "CAPABILITY_IAM"]
    options += ["--profile", place.profile] if place.profile else []
    return [*options, "--no-fail-on-empty-changeset", *([] if can_prompt else ["--no-confirm-changeset"])]


def _failed(place: Place, code: int) -> CommandFailure:
    stack = stacks.find(place.stack)
    steps = ["See the error of SAM above."]
    if (place.root / SETTINGS).exists():
        steps.append(f"To correct an answer, edit {SETTINGS}, section {place.name}.")
    if stack and stack.status.startswith("ROLLBACK"):
        steps.append(f"Delete this failed first deploy, then deploy again: {place.make('destroy')}")
    return CommandFailure(f"sam deploy ended with exit code {code}.", *steps)


def tell(session: Session, place: Place) -> None:
    stack = stacks.find(place.stack)
    if stack is None or "ApiUrl" not in stack.outputs:
        raise missing(
            f"The deploy ended, but the stack {place.stack} was not found in {place.region}.",
            "See the output of SAM above.",
        )
    screen = session.screen
    screen.blank()
    screen.line(("✓ ", "bold green"), ("Read→Do is deployed at ", ""), (stack.outputs["ApiUrl"], "bold"))
    screen.blank()
    token, doctor = place.make("token"), "local/readdo doctor"
    wide = max(len(token), len(doctor))
    screen.line(f"  {token:{wide}}   create a token; it is shown once")
    screen.line(f"  {doctor:{wide}}   then check the connection")
