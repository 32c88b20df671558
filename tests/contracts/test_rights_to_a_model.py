"""A model's key, and the right to ask Bedrock: for the four rooms that ask, and only where a setting calls for it."""

import pytest
from rights_to_a_model import ARN, ASKS, HERE, OF_A_MODEL
from template_rights import named, rights_in

from support.template import room, transformed


@pytest.mark.parametrize("name", OF_A_MODEL)
def test_what_a_model_takes_is_granted_to_those_who_ask_it_where_it_is_used(name: str) -> None:
    condition, expected = OF_A_MODEL[name]
    policy = transformed()["Resources"][name]
    assert policy["Condition"] == condition
    assert {room(named(role).removesuffix("Role")) for role in policy["Properties"]["Roles"]} == ASKS
    assert rights_in(policy["Properties"]["PolicyDocument"]) == expected


def test_notions_token_is_read_by_the_mirror_alone_and_only_where_there_is_one() -> None:
    policy = transformed()["Resources"]["NotionToken"]
    assert policy["Condition"] == "InNotion"
    assert [named(role) for role in policy["Properties"]["Roles"]] == ["MirrorRole"]
    where = f"{ARN}:ssm:{HERE}:parameter${{NotionTokenParameter}}"
    assert rights_in(policy["Properties"]["PolicyDocument"]) == {("ssm:GetParameter", where)}


def test_any_model_of_bedrock_may_be_asked_only_through_the_profile_that_is_named() -> None:
    said = transformed()["Resources"]["AskBedrock"]["Properties"]["PolicyDocument"]["Statement"]
    (open_one,) = (s for s in said if "*" in str(s["Resource"]))
    profile = f"{ARN}:bedrock:{HERE}:inference-profile/${{ModelName}}"
    assert open_one["Condition"] == {"StringEquals": {"bedrock:InferenceProfileArn": {"Fn::Sub": profile}}}
