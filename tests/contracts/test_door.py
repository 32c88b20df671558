"""The API's door, read from the template: whom a browser lets call, and that nobody is let in by default."""

from support.template import source, transformed
from support.world import World


def test_pages_of_other_origins_may_call_only_where_the_setting_names_them() -> None:
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


def test_the_description_names_the_address_at_which_it_was_asked(made: World) -> None:
    at_home = made.api("GET", "/openapi.json", token="")
    assert [server["url"] for server in at_home.json["servers"]] == ["./"]
    there = made.api("GET", "/openapi.json", token="", domain="abc.execute-api.eu-central-1.amazonaws.com")
    assert there.json["servers"][0]["url"] == "https://abc.execute-api.eu-central-1.amazonaws.com"
    assert there.headers["etag"] != at_home.headers["etag"]
