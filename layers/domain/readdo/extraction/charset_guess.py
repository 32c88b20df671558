"""Guess a text's charset: the right charset decodes it to the common letters of its script."""

from charset_normalizer import from_bytes

MANY_BYTE = frozenset({"gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "iso2022_jp"})
_KANA = frozenset(chr(code) for code in range(0x3041, 0x30FF))
# The most frequent characters of each script: 20 to 50 % of any text in it, almost none of a wrong decoding.
_COMMON = {
    "gb18030": frozenset(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
        "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情"
        "明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给"
    ),
    "big5hkscs": frozenset(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方"
        "多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情"
        "明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給"
    ),
    "cp932": _KANA,
    "euc_jp": _KANA,
    "cp949": frozenset(
        "이다는에을의가고하지를은한도로서기리사어자인대나시있것해으들수그정라아보제부일만장상주전게과여구원스오안니면적조성신"
        "까유우소공마모비동무국경내실세개위바생중계선연진용방관회문명발분무학교"
    ),
}
_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")
_WESTERN = frozenset("éèêëàâäáãåçñöôóòõøüûúùíîïìßæœÉÀÇÄÖÜÑ’‘“”–—…«»°€©®·•")
# The least share of common letters in a text of the charset. A wrong decoding stays below it.
_ENOUGH = {"gb18030": 0.06, "big5hkscs": 0.06, "cp932": 0.2, "euc_jp": 0.2, "cp949": 0.3}
_MOST = 0.6


def by_letters(words: bytes) -> list[str]:
    """The charsets that decode to common letters, best first. Empty if none of the known charsets does."""
    shares = [(_share(words, name, common), name) for name, common in _COMMON.items()]
    many = [name for share, name in sorted(shares, reverse=True) if share >= _ENOUGH[name]]
    # Cyrillic words have only non-ASCII letters; Western words mix them with ASCII letters.
    alone = sum(byte > 0x7F for byte in words) > len(words) / 2
    singles = (("cp1251", _CYRILLIC), ("koi8-r", _CYRILLIC)) if alone else (("cp1252", _WESTERN),)
    return many or [name for name, common in singles if _share(words, name, common) >= _MOST]


def by_statistics(words: bytes) -> list[str]:
    match = from_bytes(words).best() if words else None
    return [match.encoding] if match else []


def _share(words: bytes, name: str, common: frozenset[str]) -> float:
    """The share of common letters among non-ASCII letters. Undecodable bytes count against it."""
    letters = [c for c in words.decode(name, "replace") if c > "\x7f" and (c.isalpha() or c == "\ufffd" or c in common)]
    if not letters:
        return 0.0
    return (sum(c in common for c in letters) - 5 * letters.count("\ufffd")) / len(letters)
