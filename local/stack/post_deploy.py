"""After the deploy: what ministack's CloudFormation leaves out, secrets, and the first heartbeat."""

from typing import Any

from stack.deploy import client
from stack.settings import KEY_PARAMETER, NOTION_PARAMETER, STACK, Settings
from stack.template import Template


def finish(settings: Settings, outputs: dict[str, str], template: Template) -> None:
    set_table_options(template)
    set_secret(KEY_PARAMETER, settings.model_key)
    set_secret(NOTION_PARAMETER, settings.notion_token)
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


def set_secret(name: str, secret: str | None) -> None:
    """The parameter follows the environment: a key that was taken away must not stay in use."""
    ssm = client("ssm")
    if secret:
        ssm.put_parameter(Name=name, Value=secret, Type="SecureString", Overwrite=True)
    else:
        ssm.delete_parameters(Names=[name])


def wake(outputs: dict[str, str]) -> None:
    """What fell due while the stack was down does not wait for the next full minute."""
    if name := outputs.get("HeartbeatFunctionName"):
        client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=b"{}")
