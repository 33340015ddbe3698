#!/usr/bin/env python3
"""Checks that each folder of src/ includes only itself and its dependencies; part of tools/lint.

src/CMakeLists.txt declares the dependencies of each folder: percycle_folder(NAME FOLDER NAME...).
All folders share one include path, so the compiler would accept any header.
"""
import pathlib
import re
import sys

SRC = pathlib.Path(__file__).resolve().parent.parent / "src"
HEADERS_ONLY = {"percycle_vocabulary": "vocabulary"}


def declared():
    """{target: folder} and {target: its dependencies}."""
    folders, needs = dict(HEADERS_ONLY), {target: set() for target in HEADERS_ONLY}
    for arguments in re.findall(r"^percycle_folder\(([^)]*)\)", (SRC / "CMakeLists.txt").read_text(), re.MULTILINE):
        target, folder, *others = arguments.split()
        folders[target], needs[target] = folder, set(others)
    return folders, needs


def reachable(target, needs):
    found, new = set(), {target}
    while new:
        found |= new
        new = {other for each in new for other in needs.get(each, ())} - found
    return found


def folder_of(path, folders):
    """The innermost declared folder that holds a path below src/."""
    return max((folder for folder in folders if path.startswith(folder + "/")), key=len, default=None)


def main():
    folders, needs = declared()
    allowed = {folder: {folders[other] for other in reachable(target, needs) if other in folders} for target, folder in folders.items()}
    wrong = []
    for source in sorted(SRC.rglob("*.[ch]pp")):
        here = folder_of(str(source.relative_to(SRC)), allowed)
        if here is None:
            continue  # main.cpp and the precompiled header
        for line, text in enumerate(source.read_text(encoding="utf-8").split("\n"), 1):
            found = re.match(r'#include "([^"]+)"', text)
            other = found and folder_of(found[1], allowed)
            if other and other not in allowed[here]:
                wrong.append(f"src/{source.relative_to(SRC)}:{line}: {here}/ does not depend on {other}/ (src/CMakeLists.txt)")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
