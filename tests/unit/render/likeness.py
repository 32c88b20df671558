"""Whether two pictures show the same card.

Both are made a quarter as large (270 pixels wide) and then blurred with a box of 9 pixels, which is 36 of the card's
own: about one line of text high and three letters wide. So each pixel tells how much ink, and of what colour, lies
about its place. How a rasteriser smooths an edge does not show in that, nor does a pixel's shift; a word that is
missing leaves a hole. Two figures, in levels of 255:

- `spot`, the largest difference at any place. Measured, of the harmless at most: a shift by one pixel in both
  directions 12, another rasteriser 5, the artefacts of JPEG 4. Of the others at least: a missing word of two letters
  25, a line moved by 10 pixels 25, by 20 pixels 47.
- `whole`, the mean difference. Measured: 1.7 for the worst of the harmless; another colour of the paper shows here.
"""

import io
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter, ImageStat

WIDTH = 270
_BOX = 4  # pixels to each side
_SPOT, _WHOLE = 18.0, 2.5


class Difference(NamedTuple):
    spot: float
    whole: float

    @property
    def same(self) -> bool:
        return self.spot <= _SPOT and self.whole <= _WHOLE


def reduced(picture: Image.Image) -> Image.Image:
    size = (WIDTH, round(WIDTH * picture.height / picture.width))
    return picture.convert("RGB").resize(size, Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> Difference:
    """Of two reduced pictures."""
    if one.size != other.size:
        return Difference(255.0, 255.0)
    blurred = [picture.convert("RGB").filter(ImageFilter.BoxBlur(_BOX)) for picture in (one, other)]
    apart = ImageChops.difference(*blurred)
    spot = max(ImageStat.Stat(apart).extrema, key=lambda band: band[1])[1]
    return Difference(float(spot), sum(ImageStat.Stat(apart).mean) / 3)


def packed(picture: Image.Image) -> bytes:
    """Small enough for a repository: 64 colours, chosen so that rare ones count, differ by a spot of 2 at most."""
    buffer = io.BytesIO()
    palette = picture.quantize(64, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    palette.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
