"""Rights to a model's key and to Bedrock: only for the functions that call a model, if configured."""

import pytest

from contracts.rights_to_a_model import ARN, ASKS, HERE, OF_A_MODEL
from contracts.template_rights import named, rights_in
from support.template import function_name, transformed


@pytest.mark.parametrize("name", OF_A_MODEL)
def test_model_rights_are_granted_to_the_calling_functions_if_configured(name: str) -> None:
    condition, expected = OF_A_MODEL[name]
    policy = transformed()["Resources"][name]
    assert policy["Condition"] == condition
    assert {function_name(named(role).removesuffix("Role")) for role in policy["Properties"]["Roles"]} == ASKS
    assert rights_in(policy["Properties"]["PolicyDocument"]) == expected


def test_only_the_mirror_may_read_the_notion_token() -> None:
    policy = transformed()["Resources"]["NotionToken"]
    assert policy["Condition"] == "InNotion"
    assert [named(role) for role in policy["Properties"]["Roles"]] == ["MirrorRole"]
    where = f"{ARN}:ssm:{HERE}:parameter${{NotionTokenParameter}}"
    assert rights_in(policy["Properties"]["PolicyDocument"]) == {("ssm:GetParameter", where)}


def test_bedrock_models_are_allowed_only_by_the_named_profile() -> None:
    all_statements = transformed()["Resources"]["AskBedrock"]["Properties"]["PolicyDocument"]["Statement"]
    (open_one,) = (s for s in all_statements if "*" in str(s["Resource"]))
    profile = f"{ARN}:bedrock:{HERE}:inference-profile/${{ModelName}}"
    assert open_one["Condition"] == {"StringEquals": {"bedrock:InferenceProfileArn": {"Fn::Sub": profile}}}
