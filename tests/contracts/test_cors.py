"""Access to the API by browsers, from the template: other origins are denied by default."""

from support.template import source, transformed
from support.world import World


def test_cors_allows_only_the_configured_origins() -> None:
    api = transformed()["Resources"]["Api"]["Properties"]["CorsConfiguration"]
    condition, granted, otherwise = api["Fn::If"]
    assert transformed()["Conditions"][condition] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "CorsOrigins"}, ""]}]}
    assert source()["Parameters"]["CorsOrigins"]["Default"] == ""
    assert otherwise == {"Ref": "AWS::NoValue"}
    assert granted["AllowOrigins"] == {"Fn::Split": [",", {"Ref": "CorsOrigins"}]}
    assert set(granted["AllowMethods"]) == {"GET", "POST", "PUT", "PATCH", "DELETE"}
    assert {"authorization", "if-match", "if-none-match", "idempotency-key"} <= set(granted["AllowHeaders"])
    assert set(granted["ExposeHeaders"]) == {"etag", "location"}
    assert "AllowCredentials" not in granted, "a token is a header, never a cookie"


def test_preflight_is_answered_without_a_token(fresh: World) -> None:
    """A browser sends no token with it, and takes no other status than 2xx."""
    asked = {"origin": "https://app.example", "access-control-request-method": "POST"}
    for path in ("/capture", "/items/x/process", "/documents/a/b.md", "/nothing"):
        answer = fresh.api("OPTIONS", path, token="", headers=asked)
        assert (answer.status, answer.text) == (204, "")
        for missing in asked:
            others = {name: value for name, value in asked.items() if name != missing}
            assert fresh.api("OPTIONS", path, token="", headers=others).status == 401


def test_description_names_the_requested_address(world: World) -> None:
    local = world.api("GET", "/openapi.json", token="")
    assert [server["url"] for server in local.json["servers"]] == ["./"]
    deployed = world.api("GET", "/openapi.json", token="", domain="abc.execute-api.eu-central-1.amazonaws.com")
    assert deployed.json["servers"][0]["url"] == "https://abc.execute-api.eu-central-1.amazonaws.com"
    assert deployed.headers["etag"] != local.headers["etag"]
