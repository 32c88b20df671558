"""Checks of extract's packages besides a pasted page: PDFs, links, undeclared encodings, dates."""

from dateparser import DateDataParser
from readability import Document

from readdo.errors import StepFailed
from readdo.extraction import article, sources

CHINESE = "租约让两个工人不会做同一件事。写入只有在这一行还空着的时候才会成功，所以每一次写入都要带上编号。"
PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>endobj
4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
5 0 obj<</Length 114>>stream
BT /F 12 Tf 20 300 Td (Leases keep two workers from doing the same job, and every write carries a number.) Tj ET
endstream endobj
trailer<</Root 1 0 R/Size 6>>
%%EOF
"""

extraction = article.read_article(PDF, None, "application/pdf")
assert "carries a number" in extraction["normalized_text"], extraction

page = f"<html><head><title>租约</title></head><body><article><p>{CHINESE * 6}</p></article></body></html>"
extraction = article.read_article(page.encode("gb18030"), "https://example.com/a", "text/html")
assert CHINESE[:20] in extraction["normalized_text"], extraction

# Packages that the readers import only for some pages, or work without: dates in all languages, CSS selectors.
date = DateDataParser().get_date_data("3 Şubat 2021").date_obj
assert date and date.strftime("%Y-%m-%d") == "2021-02-03", date
titled = (
    "<html><head><title>Leases and tokens | S</title></head><body><h1 id='title'>Leases and tokens</h1></body></html>"
)
assert Document(titled).short_title() == "Leases and tokens"

try:
    sources.read("https://127.0.0.1/")  # refused when the socket is created, after requests has found its certificates
except StepFailed as refused:
    assert "public" in str(refused), refused
else:
    raise AssertionError("an address of this machine was asked")
