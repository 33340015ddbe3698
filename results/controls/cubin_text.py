"""Where the code of a kernel lies in a cubin."""
import struct


def text_section(cubin):
    """Offset and size of the kernel's code in a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + i * size) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, offset, length in sections:
        if cubin[strings + name:].startswith(b".text."):
            return offset, length
    raise SystemExit("no code")
