"""Rights to invoke functions, and the principals that a function's policy admits."""

from contracts.template_rights import named, resources, rights_of_functions, rights_of_machines

CALL_THE_SENDER = {"http_api", "pages", "heartbeat", "announce"}


def test_only_the_listed_roles_may_invoke_functions() -> None:
    """The API and the schedule are admitted by a function's own policy: see the next test."""
    may = {
        name: {on for a, on in rights if a.startswith("lambda:")}
        for name, rights in {**rights_of_functions(), **rights_of_machines()}.items()
    }
    calling = {name: on for name, on in may.items() if on and name not in rights_of_machines()}
    more = {"heartbeat": ["Mirror"], "http_api": ["CollectWork"]}
    assert calling == {name: {"Deliver", *more.get(name, [])} for name in CALL_THE_SENDER}


def test_function_policies_admit_only_the_gateway_and_the_schedule() -> None:
    let_in = {
        (named(p["FunctionName"]), p["Principal"], p["Action"]) for p in resources("AWS::Lambda::Permission").values()
    }
    assert let_in == {
        ("HttpApi", "apigateway.amazonaws.com", "lambda:InvokeFunction"),
        ("Pages", "apigateway.amazonaws.com", "lambda:InvokeFunction"),
        ("Heartbeat", "events.amazonaws.com", "lambda:InvokeFunction"),
    }
    sources = {named(p["FunctionName"]): p["SourceArn"] for p in resources("AWS::Lambda::Permission").values()}
    api = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*"
    assert sources == {
        "HttpApi": {"Fn::Sub": api},
        "Pages": {"Fn::Sub": api},
        "Heartbeat": {"Fn::GetAtt": ["HeartbeatEveryMinute", "Arn"]},
    }
    assert resources("AWS::Lambda::LayerVersionPermission") == {}
    assert resources("AWS::Lambda::Url") == {}
