"""Tell a page why its order is refused, in the page's language, however long the order has waited for its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.system.language import in_language, language
from firmware_host.system.translatable_text import say


@dataclass(frozen=True, slots=True)
class OrderRefusal:
    """What a page is told if its order is refused. It is made where the order comes in.

    Attributes:
        send: sends the page a text, on any thread.
        language: of the page: the one in which texts are said where this is made.
    """

    send: Callable[[str], None]
    language: str = field(default_factory=language)

    def tell(self, why: str) -> None:
        """Tell the page why: a text in English, or one that is in its language already. From any thread."""
        with in_language(self.language):
            self.send(say(why))
