"""What a browser keeps for us: where no script reads it, for no other site, and over TLS wherever there is TLS."""

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
        secure=not _is_on_ones_own_machine(visit),
        http_only=True,
        max_age=seconds,
        same_site=SameSite.STRICT_MODE,
    )


def _is_on_ones_own_machine(visit: PageRequest) -> bool:
    """There is no TLS there, and some browsers keep no Secure cookie of such an address (Safari).

    Only the local stack sets READDO_PUBLIC_URL; what a request says of itself is not enough.
    """
    public = urlsplit(setting("READDO_PUBLIC_URL", ""))
    asked = visit.headers.get("host", "").partition(":")[0]
    return public.scheme == "http" and public.hostname in _LOOPBACK and asked in _LOOPBACK
