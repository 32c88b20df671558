"""Steps after the deploy: settings that ministack's CloudFormation ignores, secrets, first heartbeat."""

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
    """Set time to live and point-in-time recovery, which ministack ignores in a template."""
    tables = {k: r["Properties"] for k, r in template["Resources"].items() if r["Type"] == "AWS::DynamoDB::Table"}
    dynamodb = client("dynamodb")
    for logical, properties in tables.items():
        resource = client("cloudformation").describe_stack_resource(StackName=STACK, LogicalResourceId=logical)
        table = resource["StackResourceDetail"]["PhysicalResourceId"]
        if ttl := properties.get("TimeToLiveSpecification"):
            now: dict[str, Any] = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
            if now["TimeToLiveStatus"] != "ENABLED":
                dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification=ttl)
        if recovery := properties.get("PointInTimeRecoverySpecification"):
            dynamodb.update_continuous_backups(TableName=table, PointInTimeRecoverySpecification=recovery)


def set_cors(api: str, origins: str, properties: dict[str, Any]) -> None:
    """Set CORS, which ministack ignores in a template, or remove it if no origins are configured."""
    gateway = client("apigatewayv2")
    gateway.delete_cors_configuration(ApiId=api)
    if origins:
        configuration = {**properties["CorsConfiguration"]["Fn::If"][1], "AllowOrigins": origins.split(",")}
        gateway.update_api(ApiId=api, CorsConfiguration=configuration)


def set_secret(name: str, secret: str | None) -> None:
    """Store the secret, or delete the parameter if the environment has no secret any more."""
    ssm = client("ssm")
    if secret:
        ssm.put_parameter(Name=name, Value=secret, Type="SecureString", Overwrite=True)
    else:
        ssm.delete_parameters(Names=[name])


def wake(outputs: dict[str, str]) -> None:
    """Start a heartbeat now, so that overdue work does not wait for the next full minute."""
    if name := outputs.get("HeartbeatFunctionName"):
        client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=b"{}")
