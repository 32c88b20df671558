"""Small PDFs that need gigabytes of memory, hours of time, or contain cycles."""

import zlib

_TEXT = b"BT /F 12 Tf 20 300 Td (Leases keep two workers from doing the same job.) Tj ET\n"
_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Contents 4 0 R/Resources<<%s/Font<</F 5 0 R>>>>>>"


def _file(*objects: bytes) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate((b"<</Type/Catalog/Pages 2 0 R>>", *objects), 1):
        places.append(len(out))
        out += b"%d 0 obj%sendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (len(places) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1) + table + end


def _stream(body: bytes, more: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n" % (more, len(body)) + body + b"\nendstream "


def _one_page(contents: bytes, resources: bytes = b"", *others: bytes) -> bytes:
    tree = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return _file(tree, _PAGE % resources, contents, _FONT, *others)


def _compressed_text() -> bytes:
    """Compress three million lines of text in pieces, so that building the bomb takes little memory."""
    packer = zlib.compressobj(1)
    return b"".join(packer.compress(_TEXT * 10_000) for _ in range(300)) + packer.flush()


def _filtered(filters: bytes, body: bytes) -> bytes:
    return _one_page(_stream(body, b"/Filter" + filters))


def nested_drawings() -> bytes:
    """Nest ten drawings, each of which draws the next one ten times: 10^10 lines."""
    call, drawing = b"/X Do " * 10, b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>"
    inner = [_stream(call, drawing + b"/XObject<</X %d 0 R>>>>" % (n + 1)) for n in range(6, 15)]
    return _one_page(_stream(b"/X Do"), b"/XObject<</X 6 0 R>>", *inner, _stream(_TEXT, drawing + b">>"))


def cyclic_tree() -> bytes:
    tree = b"<</Type/Pages%s/Kids[2 0 R 3 0 R 2 0 R]/Count 1000000>>"
    return _file(tree % b"", tree % b"/Parent 2 0 R")


def many_pages() -> bytes:
    return _file(
        b"<</Type/Pages/Kids[" + b"3 0 R " * 1_000_000 + b"]/Count 1000000>>", _PAGE % b"", _stream(b""), _FONT
    )


HEAVY = {
    "packed once": lambda: _filtered(b"/FlateDecode", _compressed_text()),
    "packed by its filter's short name": lambda: _filtered(b"/Fl", _compressed_text()),
    "packed twice": lambda: _filtered(b"[/FlateDecode/FlateDecode]", zlib.compress(_compressed_text())),
    "packed and written in hex": lambda: _filtered(
        b"[/ASCIIHexDecode/FlateDecode]", _compressed_text().hex().encode() + b">"
    ),
    "drawings in drawings": nested_drawings,
}
ODD = {"a tree that is a circle": cyclic_tree, "a million pages": many_pages}
