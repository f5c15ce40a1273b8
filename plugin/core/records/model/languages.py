"""Language codes in one form, whichever of ISO 639-1, ISO 639-2/B and ISO 639-2/T was written, and their names."""

from __future__ import annotations

from typing import Dict, Optional

from ...i18n import tr

_ISO639_PAIRS = (
    "aa aar ab abk ae ave af afr ak aka am amh an arg ar ara as asm av ava ay aym az aze ba bak be bel bg bul bh "
    "bih bi bis bm bam bn ben bo tib br bre bs bos ca cat ce che ch cha co cos cr cre cs cze cu chu cv chv cy wel "
    "da dan de ger dv div dz dzo ee ewe el gre en eng eo epo es spa et est eu baq fa per ff ful fi fin fj fij fo "
    "fao fr fre fy fry ga gle gd gla gl glg gn grn gu guj gv glv ha hau he heb hi hin ho hmo hr hrv ht hat hu hun "
    "hy arm hz her ia ina id ind ie ile ig ibo ii iii ik ipk io ido is ice it ita iu iku ja jpn jv jav ka geo kg "
    "kon ki kik kj kua kk kaz kl kal km khm kn kan ko kor kr kau ks kas ku kur kv kom kw cor ky kir la lat lb ltz "
    "lg lug li lim ln lin lo lao lt lit lu lub lv lav mg mlg mh mah mi mao mk mac ml mal mn mon mr mar ms may mt "
    "mlt my bur na nau nb nob nd nde ne nep ng ndo nl dut nn nno no nor nr nbl nv nav ny nya oc oci oj oji om orm "
    "or ori os oss pa pan pi pli pl pol ps pus pt por qu que rm roh rn run ro rum ru rus rw kin sa san sc srd sd "
    "snd se sme sg sag si sin sk slo sl slv sm smo sn sna so som sq alb sr srp ss ssw st sot su sun sv swe sw swa "
    "ta tam te tel tg tgk th tha ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig uk "
    "ukr ur urd uz uzb ve ven vi vie vo vol wa wln wo wol xh xho yi yid yo yor za zha zh chi zu zul ")
_CODES = _ISO639_PAIRS.split()
#: ISO 639-1 to ISO 639-2/B
_ALPHA3 = dict(zip(_CODES[::2], _CODES[1::2]))
#: ISO 639-2/T to ISO 639-2/B, where they differ
_BIBLIOGRAPHIC = {
    "sqi": "alb", "hye": "arm", "eus": "baq", "mya": "bur", "zho": "chi", "ces": "cze", "nld": "dut", "fra": "fre",
    "kat": "geo", "deu": "ger", "ell": "gre", "isl": "ice", "mkd": "mac", "mri": "mao", "msa": "may", "fas": "per",
    "ron": "rum", "slk": "slo", "bod": "tib", "cym": "wel",
}
#: ISO 639-2/B to ISO 639-1 (Moldavian has given way to Romanian), and to ISO 639-2/T
_ALPHA2 = {three: two for two, three in _ALPHA3.items() if two != "mo"}
_TERMINOLOGIC = {three: other for other, three in _BIBLIOGRAPHIC.items()}
#: codes that name no single language
_NO_LANGUAGE = frozenset(("mul", "mis", "und", "zxx"))


def alpha3(code: str) -> str:
    """Return the ISO 639-2/B code for ``code`` ("es", "es_ES", "deu", "#locale-fr"), or "" if it is not a language
    code.
    """
    text = code.strip().lower().rsplit("#", 1)[-1].rsplit("/", 1)[-1]
    if text.startswith("locale"):
        text = text[6:].lstrip("-_")
    text = text.replace("_", "-").split("-")[0].split(";")[0].split(",")[0].strip()
    if len(text) == 2:
        return _ALPHA3.get(text, "")
    if len(text) == 3 and text.isalpha():
        return _BIBLIOGRAPHIC.get(text, text)
    return ""


def html_language(code: Optional[str]) -> str:
    """Return the tag of a language for the attribute ``lang`` of HTML (BCP 47: ISO 639-1 where there is one), or "".
    """
    three = alpha3(code or "")
    if not (three.isascii() and three.isalpha()) or three in _NO_LANGUAGE:
        return ""
    return _ALPHA2.get(three) or _TERMINOLOGIC.get(three, three)


def language_label(code: Optional[str]) -> str:
    """Return the name of a language for its ISO 639 code, as in ISO 639-2 (``Spanish; Castilian``), or the code if
    unknown.
    """
    if not code:
        return ""
    return _languages().get(alpha3(code)) or code


def _languages() -> Dict[str, str]:
    return {
        "spa": tr("Spanish; Castilian"), "eng": tr("English"), "fre": tr("French"), "ger": tr("German"),
        "ita": tr("Italian"), "por": tr("Portuguese"), "cat": tr("Catalan; Valencian"), "glg": tr("Galician"),
        "baq": tr("Basque"), "arg": tr("Aragonese"), "ast": tr("Asturian; Bable; Leonese; Asturleonese"),
        "oci": tr("Occitan"), "dut": tr("Dutch; Flemish"), "dan": tr("Danish"), "swe": tr("Swedish"),
        "nor": tr("Norwegian"), "nob": tr("Norwegian Bokmål"), "nno": tr("Norwegian Nynorsk"), "fin": tr("Finnish"),
        "est": tr("Estonian"), "lav": tr("Latvian"), "lit": tr("Lithuanian"), "pol": tr("Polish"), "cze": tr("Czech"),
        "slo": tr("Slovak"), "slv": tr("Slovenian"), "hun": tr("Hungarian"), "rum": tr("Romanian; Moldavian; Moldovan"),
        "bul": tr("Bulgarian"), "hrv": tr("Croatian"), "srp": tr("Serbian"), "bos": tr("Bosnian"),
        "mac": tr("Macedonian"), "alb": tr("Albanian"), "gre": tr("Greek, Modern (1453-)"), "tur": tr("Turkish"),
        "gle": tr("Irish"), "wel": tr("Welsh"), "gla": tr("Gaelic; Scottish Gaelic"), "mlt": tr("Maltese"),
        "ice": tr("Icelandic"), "ltz": tr("Luxembourgish; Letzeburgesch"), "roh": tr("Romansh"), "rus": tr("Russian"),
        "ukr": tr("Ukrainian"), "bel": tr("Belarusian"), "ara": tr("Arabic"), "heb": tr("Hebrew"), "per": tr("Persian"),
        "chi": tr("Chinese"), "jpn": tr("Japanese"), "kor": tr("Korean"), "hin": tr("Hindi"), "vie": tr("Vietnamese"),
        "tha": tr("Thai"), "ind": tr("Indonesian"), "swa": tr("Swahili"), "lat": tr("Latin"),
        "mul": tr("Multiple languages"),
        "und": tr("Undetermined"), "zxx": tr("No linguistic content; Not applicable"),
    }
