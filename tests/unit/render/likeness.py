"""Decide whether two pictures show the same card.

Both pictures are reduced to a quarter (270 pixels wide) and then blurred with a box of 9 pixels, which is 36 pixels of
the card: about one line of text high and three letters wide. So each pixel shows the amount and colour of the ink
around it. The blur hides how a rasterizer smooths an edge and a shift by a pixel; a missing word leaves a hole. Two
figures result, in levels of 255:

- `spot`, the largest difference at any place. Measured maximum of harmless changes: a shift by one pixel in both
directions 12, another rasterizer 5, JPEG artefacts 4. Measured minimum of real changes: a missing word of two letters
25, a line moved by 10 pixels 25, by 20 pixels 47.

- `whole`, the mean difference. Measured: 1.7 for the worst harmless change. Another colour of the paper shows here.
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
    """Compare two reduced pictures."""
    if one.size != other.size:
        return Difference(255.0, 255.0)
    blurred = [picture.convert("RGB").filter(ImageFilter.BoxBlur(_BOX)) for picture in (one, other)]
    differences = ImageChops.difference(*blurred)
    spot = max(ImageStat.Stat(differences).extrema, key=lambda band: band[1])[1]
    return Difference(float(spot), sum(ImageStat.Stat(differences).mean) / 3)


def packed(picture: Image.Image) -> bytes:
    """Compress a picture for the repository with 64 colours.

    Quantization changes a picture by a spot of 2 at most, because rare colours count, too.
    """
    buffer = io.BytesIO()
    palette = picture.quantize(64, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    palette.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
