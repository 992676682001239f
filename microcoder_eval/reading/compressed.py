"""Opens files as somebody else has written them: compressed with gzip, bzip2, xz or zstd, in UTF-16 or UTF-32.

    with open_unpacked(Path("replies.jsonl.zst")) as file: ...

The reader gets plain bytes, and UTF-8 where the text had two or four bytes a letter. The first bytes of a file decide,
not its name. Input is unpacked in small blocks, so that a small archive cannot fill the memory at once.
"""

from __future__ import annotations

import bz2
import codecs
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from microcoder_eval.errors import InputError
from microcoder_eval.install_line import install_line

BLOCK = 1 << 12
"""How many compressed bytes are unpacked at once: at most about 128 MiB come of them."""
SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ".zstd")
_MARKS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_WIDE_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""UTF-32 is first: its mark begins with that of UTF-16."""


def bare_name(path: Path) -> str:
    """A file's name in lower case without the ending of its compression.

    >>> bare_name(Path("raw/Replies.JSONL.gz"))
    'replies.jsonl'
    """
    name = path.name.lower()
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def is_plain(path: Path) -> bool:
    """Whether the file's bytes are those that `open_unpacked` gives."""
    with open(path, "rb") as file:
        head = file.read(8)
    return not path.name.lower().endswith(SUFFIXES) and not _compression(head) and not _wide_encoding(head)


def open_unpacked(path: Path) -> BinaryIO:
    """A file's text in UTF-8, to be read and searched. What is damaged raises an `OSError` at its place."""
    if is_plain(path):
        return open(path, "rb")
    return cast(BinaryIO, io.BufferedReader(_Stream(lambda: _utf8(_unpacked(path)))))


def _compression(head: bytes) -> str | None:
    return next((name for mark, name in _MARKS.items() if head.startswith(mark)), None)


def _wide_encoding(head: bytes) -> str | None:
    """The encoding of a text that begins so, by its mark or by the zeros in its first letter; None for one byte."""
    if marked := next((name for mark, name in _WIDE_MARKS.items() if head.startswith(mark)), None):
        return marked
    by_zeros: dict[tuple[bool, ...], str] = {
        (False, True, True, True): "utf-32-le",
        (True, True, True, False): "utf-32-be",
        (False, True, False, True): "utf-16-le",
        (True, False, True, False): "utf-16-be",
    }
    return by_zeros.get(tuple(byte == 0 for byte in head[:4]))


def _unpacked(path: Path) -> Iterator[bytes]:
    """The blocks of a file, unpacked. A file may have several frames one after another."""
    with open(path, "rb") as file:
        block = file.read(BLOCK)
        name = _compression(block)
        if name is None and path.name.lower().endswith(SUFFIXES):
            raise OSError("not compressed, as its name says")
        if name is None:
            yield block
            while block := file.read(BLOCK):
                yield block
            return
        frame = None
        while block:
            frame = frame or _decompressor(name)
            try:
                yield frame.decompress(block)
            except (zlib.error, lzma.LZMAError, ValueError, OSError) as error:
                raise OSError(str(error)) from None
            except Exception as error:
                if type(error).__name__ != "ZstdError":  # its module is optional
                    raise
                raise OSError(str(error)) from None
            rest = b""
            if frame.eof:
                rest, frame = frame.unused_data.lstrip(b"\0"), None  # zeros may fill up the last block
            block = rest or file.read(BLOCK)
    if frame is not None:
        raise OSError("the file is cut short: its last frame does not end")


def _decompressor(name: str) -> Any:
    if name != "zstd":
        made: dict[str, Callable[[], Any]] = {
            "gzip": lambda: zlib.decompressobj(wbits=31),
            "bzip2": bz2.BZ2Decompressor,
            "xz": lzma.LZMADecompressor,
        }
        return made[name]()
    try:
        import zstandard
    except ImportError:
        raise InputError(f"a file compressed with zstd needs zstandard: {install_line('data')}") from None
    return zstandard.ZstdDecompressor().decompressobj()


def _utf8(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Text in UTF-8; a text with one byte a letter as it is."""
    head = b""
    for block in blocks:
        head += block
        if len(head) >= 4:
            break
    encoding = _wide_encoding(head)
    if encoding is None:
        yield head
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        yield decoder.decode(head).encode()
        for block in blocks:
            yield decoder.decode(block).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        raise OSError(f"not {encoding.upper()}: {error}") from None


class _Stream(io.RawIOBase):
    """Blocks as a stream. To go back, the blocks are made again from the first one."""

    def __init__(self, make: Callable[[], Iterator[bytes]]) -> None:
        self._make = make
        self._restart()

    def _restart(self) -> None:
        self._blocks, self._block, self._position = self._make(), memoryview(b""), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._block:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._block = memoryview(block)
        count = min(len(buffer), len(self._block))
        buffer[:count], self._block = self._block[:count], self._block[count:]
        self._position += count
        return count

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only from the beginning")
        if offset < self._position:
            self._restart()
        passed = bytearray(1 << 16)
        while self._position < offset and self.readinto(memoryview(passed)[: offset - self._position]):
            pass
        return self._position
