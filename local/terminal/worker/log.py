"""Keep the beginning and the end of a command's output within a size limit."""

import threading

MOST = 1_000_000
_LAST_LINES = 20


class Log:
    def __init__(self, most: int = MOST) -> None:
        self._half = most // 2
        self._head, self._tail = bytearray(), bytearray()
        self._left_out = 0
        self._lock = threading.Lock()  # a process that the command left behind may still write

    def add(self, part: bytes) -> None:
        with self._lock:
            room = self._half - len(self._head)
            self._head += part[:room]
            self._tail += part[room:]
            if len(self._tail) > 2 * self._half:
                self._trim()

    def _trim(self) -> None:
        over = max(0, len(self._tail) - self._half)
        self._left_out += over
        del self._tail[:over]

    def body(self) -> bytes:
        with self._lock:
            self._trim()
            gap = f"\n\n… {self._left_out:,} bytes left out …\n\n".encode() if self._left_out else b""
            return bytes(self._head) + gap + bytes(self._tail)

    def last(self, characters: int) -> str:
        """Return the last lines that fit into this many characters."""
        with self._lock:
            end = bytes((self._head + self._tail)[-4 * characters :])
        lines = [line.rstrip() for line in end.decode("utf-8", "replace").splitlines() if line.strip()]
        text = ""
        for line in reversed(lines[-_LAST_LINES:]):
            if text and len(line) + 1 + len(text) > characters:
                break
            text = f"{line}\n{text}" if text else line[-characters:]
        return text.strip()
