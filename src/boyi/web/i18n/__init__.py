"""What people read, in three languages: one catalogue file each, dotted keys, the same keys in all of them.

>>> from boyi.web.i18n import translator
>>> translator("zh-Hant")("action.undo")
'悔棋'
"""

import functools
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import get_args

from boyi.service.views import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)


class Translator:
    """Texts of one language: `t("play.title")`, `t("caption.to_move", side="Black")`."""

    def __init__(self, language: Language, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def __call__(self, key: str, **parameters: object) -> str:
        """The text of a key; `KeyError` where there is none, since the same keys exist in every language."""
        return self._texts[key].format(**parameters)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def either(self, key: str, otherwise: str) -> str:
        """The text of a key, or what to say where a user's own game or player has none."""
        return self._texts.get(key, otherwise)


@functools.cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Every text of a language by its dotted key."""
    text = resources.files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return dict(_flat("", tomllib.loads(text)))


def _flat(prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, str(value)


@functools.cache
def translator(language: Language) -> Translator:
    """The texts of a language."""
    return Translator(language, catalogue(language))


def preferred(accept_language: str) -> Language:
    """The language that a browser's Accept-Language header asks for, English where it asks for none of ours."""
    wanted = []
    for position, part in enumerate(accept_language[:500].split(",")):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), position, tag.strip().lower()))
        except ValueError:
            continue
    for _, _, tag in sorted(wanted):
        if tag.startswith("zh"):
            return "zh-Hant" if any(part in tag for part in ("hant", "tw", "hk", "mo")) else "zh-Hans"
        if tag.startswith("en"):
            return "en"
    return "en"
