"""Create cookies: HttpOnly, SameSite=Strict, and Secure except in the local stack."""

from urllib.parse import urlsplit

from aws_lambda_powertools.shared.cookies import Cookie, SameSite

from readdo.runtime import setting
from screens.page_request import HOME, PageRequest

_LOOPBACK = ("127.0.0.1", "localhost")


def cookie(visit: PageRequest, name: str, value: str, seconds: int) -> Cookie:
    return Cookie(
        name,
        value,
        path=f"{visit.base}{HOME}",
        secure=not _is_local(visit),
        http_only=True,
        max_age=seconds,
        same_site=SameSite.STRICT_MODE,
    )


def _is_local(visit: PageRequest) -> bool:
    """True in the local stack, which has no TLS. Safari stores no Secure cookies for such addresses.

    Only the local stack sets READDO_PUBLIC_URL to such a URL. The Host header alone can be forged.
    """
    public = urlsplit(setting("READDO_PUBLIC_URL", ""))
    host = visit.headers.get("host", "").partition(":")[0]
    return public.scheme == "http" and public.hostname in _LOOPBACK and host in _LOOPBACK
