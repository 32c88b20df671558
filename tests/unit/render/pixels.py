"""Read sizes and areas of pictures for tests."""

import io
import struct

from PIL import Image, ImageChops

Box = tuple[int, int, int, int]


def header_size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png[12:16] == b"IHDR"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def image(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def drawn_box(png: bytes) -> Box:
    """Return the smallest box with everything but background."""
    picture = image(png)
    corner = picture.getpixel((0, 0))
    assert isinstance(corner, tuple)
    box = ImageChops.difference(picture, Image.new("RGB", picture.size, corner)).getbbox()
    assert box is not None
    return box


def changed_box(one: bytes, other: bytes) -> Box | None:
    return ImageChops.difference(image(one), image(other)).getbbox()
