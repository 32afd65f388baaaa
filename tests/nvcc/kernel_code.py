#!/usr/bin/env python3
"""How much code a kernel has: `kernel_code.py FILE.cubin` prints how many instructions stand before its first EXIT.

A kernel whose body was left out has one, which sets up the stack pointer. Instructions have 16 bytes from sm_70 on, the
operation in the lowest 12 bits, as observed in what ptxas 13.0 writes. Standard library only.
"""

import struct
import sys

EXIT = 0x94D


def sections(data):
    start, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
    for name, _, _, _, offset, length in headers:
        text = data[headers[names][4] + name:]
        yield text[: text.index(b"\0")].decode(), data[offset: offset + length]


def main(path):
    with open(path, "rb") as file:
        kernels = [code for name, code in sections(file.read()) if name.startswith(".text.")]
    if len(kernels) != 1:
        sys.exit(f"kernel_code.py: {path} has {len(kernels)} kernels")
    operations = [struct.unpack_from("<Q", kernels[0], at)[0] & 0xFFF for at in range(0, len(kernels[0]), 16)]
    print(operations.index(EXIT))


if __name__ == "__main__":
    main(sys.argv[1])
