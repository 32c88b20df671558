"""After the deploy: what ministack's CloudFormation leaves out, the model's key, and the first heartbeat."""

from typing import Any

from stack.deploy import client
from stack.settings import KEY_PARAMETER, STACK, Settings
from stack.template import Template


def finish(settings: Settings, outputs: dict[str, str], template: Template) -> None:
    set_table_options(template)
    set_model_key(settings.model_key)
    if api := outputs.get("ApiId"):
        set_cors(api, settings.parameters.get("CorsOrigins", ""), template["Resources"]["Api"]["Properties"])


def set_table_options(template: Template) -> None:
    """Time to live and point-in-time recovery are accepted in a template and forgotten."""
    tables = {k: r["Properties"] for k, r in template["Resources"].items() if r["Type"] == "AWS::DynamoDB::Table"}
    dynamodb = client("dynamodb")
    for logical, wanted in tables.items():
        found = client("cloudformation").describe_stack_resource(StackName=STACK, LogicalResourceId=logical)
        table = found["StackResourceDetail"]["PhysicalResourceId"]
        if ttl := wanted.get("TimeToLiveSpecification"):
            now: dict[str, Any] = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
            if now["TimeToLiveStatus"] != "ENABLED":
                dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification=ttl)
        if recovery := wanted.get("PointInTimeRecoverySpecification"):
            dynamodb.update_continuous_backups(TableName=table, PointInTimeRecoverySpecification=recovery)


def set_cors(api: str, origins: str, wanted: dict[str, Any]) -> None:
    """Accepted in a template and forgotten, too; and what is no longer wished for must not stay."""
    gateway = client("apigatewayv2")
    gateway.delete_cors_configuration(ApiId=api)
    if origins:
        found = {**wanted["CorsConfiguration"]["Fn::If"][1], "AllowOrigins": origins.split(",")}
        gateway.update_api(ApiId=api, CorsConfiguration=found)


def set_model_key(key: str | None) -> None:
    """The parameter follows OPENAI_API_KEY: a key that was taken away must not stay in use."""
    ssm = client("ssm")
    if key:
        ssm.put_parameter(Name=KEY_PARAMETER, Value=key, Type="SecureString", Overwrite=True)
    else:
        ssm.delete_parameters(Names=[KEY_PARAMETER])


def wake(outputs: dict[str, str]) -> None:
    """What fell due while the stack was down does not wait for the next full minute."""
    if name := outputs.get("HeartbeatFunctionName"):
        client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=b"{}")
