"""Workflow definitions of the template, and all their Task states."""

from typing import Any

from support import template

MACHINES: dict[str, dict[str, Any]] = {
    name: r["Properties"]
    for name, r in template.source()["Resources"].items()
    if r["Type"] == "AWS::Serverless::StateMachine"
}


def states(machine: str) -> dict[str, dict[str, Any]]:
    definition: dict[str, dict[str, Any]] = template.definition(MACHINES[machine]["DefinitionUri"])["States"]
    return definition


def tasks(machine: str) -> dict[str, dict[str, Any]]:
    return {name: state for name, state in states(machine).items() if state["Type"] == "Task"}


# (machine, state's name, state), for parametrize
TASKS = [(machine, name, state) for machine in MACHINES for name, state in tasks(machine).items()]
TASK_IDS = [f"{machine}-{name}" for machine, name, _ in TASKS]
