"""Request models of tokens."""

from typing import Annotated, Literal

from pydantic import Field

from readdo.web.request_body import Body, Line, Whole

Scope = Literal["read", "write", "tokens"]


class NewToken(Body):
    name: Annotated[str, Field(min_length=1, max_length=80, description="A name for the token."), Line]
    scopes: Annotated[
        list[Scope],
        Field(
            min_length=1,
            max_length=3,
            description="read: all GET calls; write: all other calls; tokens: the calls of tokens.",
        ),
    ] = ["read", "write"]
    days: Annotated[int, Field(ge=1, le=3650, description="Days until it expires."), Whole] = 365
