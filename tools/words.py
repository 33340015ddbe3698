#!/usr/bin/env python3
"""Checks the comments of all sources: tools/words.py. Part of tools/lint; tools/docs uses PHRASES.

A comment has at most 3 lines of 100 columns (heads of .toml files may be longer) and none of PHRASES.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
LINES = 3
# Phrases that plain language avoids.
PHRASES = [r"(?:^|[.;] )Of (?!course)", r"\bone's own\b", r"\b[Tt]he latter\b", r"\b[Tt]he former\b",
           r"(?:^|\. )Who [^?]*\.", r"(?:^|\. )What [^?]*(?:\.|$)"]
C_LIKE = (".cpp", ".hpp", ".h", ".c", ".cl", ".comp", ".glsl", ".js", ".mjs")
HASH = (".py", ".sh", ".cmake", ".toml")
# A comment, or a text in which no comment begins.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`',
                   re.DOTALL)


def c_comments(text):
    """(line, column, text) of each line of a comment."""
    for found in TOKEN.finditer(text):
        if found[0].startswith("/"):
            line = text.count("\n", 0, found.start())
            column = found.start() - (text.rfind("\n", 0, found.start()) + 1)
            for i, part in enumerate(found[0].split("\n")):
                yield line + i, column if i == 0 else 0, part


def hash_comments(text):
    for line, content in enumerate(text.split("\n")):
        if (found := re.match(r"\s*#", content)) and not content.startswith("#!"):
            yield line, found.end() - 1, content[found.end() - 1:]


def comments_of(path, text):
    if path.name.endswith(C_LIKE):
        return list(c_comments(text))
    if path.name.endswith(HASH) or path.name == "CMakeLists.txt" or text.startswith(("#!/bin/bash", "#!/usr/bin/env python3")):
        return list(hash_comments(text))
    return []


def findings(path, text):
    lines = text.split("\n")
    block = []
    for line, column, comment in comments_of(path, text):
        if len(lines[line]) > COLUMNS:
            yield line, f"{len(lines[line])} columns, more than {COLUMNS}"
        alone = not lines[line][:column].strip()
        if block and alone and line == block[-1] + 1:
            block.append(line)
        else:
            block = [line] if alone else []
        if len(block) == LINES + 1 and path.suffix != ".toml":
            yield line, f"a comment of more than {LINES} lines: the rest belongs in docs/"
        plain = re.sub(r"^(//+!?<?|#+|/?\*+/?)\s*", "", comment)
        for phrase in PHRASES:
            if re.search(phrase, plain):
                yield line, f"breaks a rule of plain language ({phrase}): {plain}"


def main():
    bad = 0
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    for path in (ROOT / name for name in names):
        if path.is_symlink() or not path.is_file() or path.suffix in (".jsonl", ".json", ".png"):
            continue
        for line, wrong in findings(path, path.read_text(errors="replace")):
            print(f"{path.relative_to(ROOT)}:{line + 1}: {wrong}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
