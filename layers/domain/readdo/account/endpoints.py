"""API calls of tokens, and the description of the API itself."""

from readdo.web.call_spec import CONFLICT, INVALID, KEY, NOT_FOUND, REUSED, SEEN, Call

CALLS = (
    Call("GET", "/tokens", "listTokens", "List your tokens, without their secrets.", {200: "TokensAnswer"}),
    Call(
        "POST",
        "/tokens",
        "makeToken",
        "Create a token. Its secret is returned only once.",
        {201: "TokenAnswer", 200: "TokenAnswer"},
        "NewToken",
        "A token can grant only scopes that it has. The same Idempotency-Key returns the token without the secret.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "DELETE",
        "/tokens/{token_id}",
        "revokeToken",
        "Revoke a token. It may work for one more minute.",
        {204: ""},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "GET",
        "/openapi.json",
        "describe",
        "Get this description.",
        {200: "Description", 304: ""},
        headers=(SEEN,),
        is_open=True,
    ),
    Call(
        "GET",
        "/docs",
        "readDocs",
        "Get this description as a web page.",
        {200: "Page", 304: ""},
        headers=(SEEN,),
        is_open=True,
    ),
)
