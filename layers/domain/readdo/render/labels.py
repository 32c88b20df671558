"""Labels that the product adds to a card."""

from readdo.render.render_request import RenderRequest
from readdo.render.script_language import language_spoken

RIGHT_TO_LEFT = {"ar", "he"}
_DO = {"zh": "下一步", "ja": "やること", "ko": "할 일"}


def do_label(order: RenderRequest) -> str:
    return _DO.get(language_spoken(order.card["action"], order.language), "Do")


def direction(language: str) -> str:
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"
