"""PDFs for tests, made with typst, some of them damaged by hand."""

from typing import Any

import typst

from readdo.render import fonts

ENGLISH = "Leases keep two workers from doing the same job. The write succeeds only if the row is still free."
CHINESE = "租约让两个工人不会做同一件事。工人把自己的名字和结束时间写到那一行上，只有这一行还空着，写入才会成功。"


def typeset(text: str, title: str, pages: int = 1) -> bytes:
    font = 'font: ("Noto Sans CJK SC", "Libertinus Serif")'
    body = "#pagebreak()\n".join([text * 6] * pages)
    source = f'#set document(title: "{title}")\n#set page(width: 12cm)\n#set text({font}, size: 11pt)\n{body}'
    options: dict[str, Any] = {"font_paths": [fonts.directory()], "ignore_system_fonts": True}
    pdf = typst.compile(source.encode(), format="pdf", **options)
    assert isinstance(pdf, bytes)
    return pdf


EMPTY_PAGE = typeset("#rect(fill: blue)", "Scan")
# The smallest encrypted file. No password opens it, not even the empty one.
LOCKED = b"""%%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj
4 0 obj<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>endobj
trailer<</Root 1 0 R/Size 5/Encrypt 4 0 R/ID[<00><00>]>>
%%%%EOF
""" % (b"31" * 32, b"32" * 32)
