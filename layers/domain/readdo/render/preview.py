"""Meta tags for link previews in chats and social networks."""

from html import escape as escaped
from urllib.parse import quote

from readdo.render.download_names import download_name
from readdo.render.escape import one_line, web_address
from readdo.render.render_request import RenderRequest


def preview(order: RenderRequest, pixels: tuple[int, int]) -> list[str]:
    headline, insight = one_line(order.texts["headline"][0]), one_line(order.texts["insight"][0])
    has_picture = "png" in order.beside
    named = {"description": insight, "twitter:card": "summary_large_image" if has_picture else "summary"}
    graph = {"og:type": "article", "og:title": headline, "og:description": insight}
    if url := web_address(order.source.url):
        graph["og:url"] = url
    if has_picture:
        graph |= _picture(order, pixels, headline)
    return [
        *(f'<meta name="{name}" content="{escaped(text)}">' for name, text in named.items()),
        *(f'<meta property="{name}" content="{escaped(text)}">' for name, text in graph.items()),
    ]


def _picture(order: RenderRequest, pixels: tuple[int, int], alt: str) -> dict[str, str]:
    return {
        # A relative link: the picture is next to the page, under its download name.
        "og:image": quote(download_name("png", order.card, order.source), safe=""),
        "og:image:type": "image/png",
        "og:image:width": str(pixels[0]),
        "og:image:height": str(pixels[1]),
        "og:image:alt": alt,
    }
