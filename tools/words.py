#!/usr/bin/env python3
"""Checks texts for faults that a reader overlooks; part of tools/lint.

Comments, docstrings and lines of pages have at most 100 columns, subjects of commits at most 60
characters. No sentence begins with "Of", or with "What" or "Who" unless it is a question.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
SUBJECT = 60
COMMITS = 30  # earlier ones have longer subjects
OPENING = re.compile(r"(?:^|[.;] )Of (?!course)|(?:^|\. )(?:What|Who) [^?]*(?:\.|$)")
C_LIKE = (".cpp", ".hpp", ".h", ".c", ".cl", ".comp", ".glsl", ".js", ".mjs")
HASH = (".sh", ".cmake", ".toml")
# A comment, or a text in which no comment begins.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`',
                   re.DOTALL)


def parts(text, start, part):
    """(line, text) of each line of a part of a text."""
    first = text.count("\n", 0, start)
    return [(first + i, content) for i, content in enumerate(part.split("\n"))]


def c_comments(text):
    for found in TOKEN.finditer(text):
        if found[0].startswith("/"):
            for line, comment in parts(text, found.start(), found[0]):
                yield line, re.sub(r"^(//+!?<?|/?\*+/?)\s*", "", comment)


def hash_comments(text):
    for line, content in enumerate(text.split("\n")):
        if (found := re.match(r"\s*#+\s*(.*)", content)) and not content.startswith("#!"):
            yield line, found[1]


def docstrings(text):
    for found in re.finditer(r'(?:\A(?:#![^\n]*\n)?|:\n)\s*"""(.*?)"""', text, re.DOTALL):
        yield from parts(text, found.start(1), found[1])


def prose(page):
    """The lines of a page outside of code, tables and pictures."""
    is_code = False
    for number, line in enumerate(page.split("\n")):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith(("|", "    ", "<!--", "![")):
            yield number, line


def texts(path, text):
    if path.suffix == ".md":
        return [] if path.name.startswith(("codegen", "CHANGELOG")) else prose(text)
    if path.name.endswith(C_LIKE):
        return c_comments(text)
    if path.suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        return [*hash_comments(text), *docstrings(text)]
    if path.name.endswith(HASH) or path.name == "CMakeLists.txt" or text.startswith("#!/bin/bash"):
        return hash_comments(text)
    return []


def findings(path, text):
    lines = text.split("\n")
    for number, sentence in texts(path, text):
        is_link = path.suffix == ".md" and "](" in sentence
        if len(lines[number]) > COLUMNS and not is_link:
            yield number, f"{len(lines[number])} columns, more than {COLUMNS}"
        if OPENING.search(sentence):
            yield number, f"a sentence begins with What, Who or Of: {sentence}"


def long_subjects():
    log = subprocess.run(["git", "-C", ROOT, "log", f"-{COMMITS}", "--no-merges", "--format=%h %s"], capture_output=True, text=True)
    for line in log.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > SUBJECT:
            yield f"commit {commit}: a subject of {len(subject)} characters, more than {SUBJECT}: {subject}"


def main():
    wrong = list(long_subjects())
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    for path in (ROOT / name for name in names):
        if path.is_symlink() or not path.is_file() or path.suffix in (".jsonl", ".json", ".png", ".gz"):
            continue
        for number, fault in findings(path, path.read_text(errors="replace")):
            wrong.append(f"{path.relative_to(ROOT)}:{number + 1}: {fault}")
    for one in wrong:
        print(one, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
