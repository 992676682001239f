"""Open text files that may be compressed with gzip or zstd."""

from __future__ import annotations

import gzip
import io
from typing import IO, Any

from microcoder_eval import InputError


def opened(path: str, compression: str) -> IO[bytes]:
    """A stream of the file's decompressed bytes; `compression` is the suffix of its name, empty for none."""
    if compression == "gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    if compression in ("zst", "zstd"):
        return io.BufferedReader(_Zstd(path))
    return open(path, "rb")


BLOCK = 1 << 16


class _Zstd(io.RawIOBase):
    """A zstd stream of one or more frames. A file that ends inside a frame is an error."""

    def __init__(self, path: str) -> None:
        self._path, self._file = path, open(path, "rb")  # noqa: SIM115 - closed with this reader
        self._frame: Any = None
        self._decompressed = b""

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        import zstandard

        while not self._decompressed:
            left = self._frame.unused_data if self._frame is not None and self._frame.eof else b""
            block = left or self._file.read(BLOCK)
            if self._frame is not None and self._frame.eof:
                self._frame = None
            if not block:
                if self._frame is not None:
                    raise InputError(f"{self._path}: the file is cut short or broken: its last frame does not end")
                return 0
            self._frame = self._frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                self._decompressed = self._frame.decompress(block)
            except zstandard.ZstdError as error:
                raise InputError(f"{self._path}: the file is cut short or broken: {error}") from None
        count = min(len(buffer), len(self._decompressed))
        buffer[:count], self._decompressed = self._decompressed[:count], self._decompressed[count:]
        return count
