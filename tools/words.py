#!/usr/bin/env python3
"""Checks comments and names of all sources, and subjects of commits; part of tools/lint.

A comment has at most 3 lines of 100 columns (heads of .toml files may be longer) and none of
PHRASES, which tools/docs uses too. Docstrings have the same columns. No name is one of VAGUE.

`tools/words.py --rates [COMMIT...]` counts words that plain language avoids, in the working tree or
in commits, by kind of text.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
LINES = 3
SUBJECT = 60
COMMITS = 30  # earlier ones have longer subjects
# Phrases that plain language avoids.
PHRASES = [r"(?:^|[.;] )Of (?!course)", r"\bone's own\b", r"\b[Tt]he latter\b", r"\b[Tt]he former\b",
           r"(?:^|\. )Who [^?]*\.", r"(?:^|\. )What [^?]*(?:\.|$)", r"\b[Ss]uch (?!as\b)", r"\b[Oo]f (?:its|their) own\b",
           r"\b[Tt]ak(?:en|es?) off\b", r"\b(?:the|its|first) begin\b"]
# Words that say nothing about the thing that they name.
VAGUE = re.compile(r"(?<![\w.>])(what|mine|told|like|of|asked|whose|beside)\b")
# A test whose name has no subject; the name may stand on separate lines.
NAMELESS = re.compile(r'TEST_CASE\(\s*(?:"(?:[^":]*: )?[Oo]f |(?:"[^"]*"\s*)*"[^"]*\bwhat\b)')
C_LIKE = (".cpp", ".hpp", ".h", ".c", ".cl", ".comp", ".glsl", ".js", ".mjs")
SCRIPT = (".js", ".mjs")  # has `of` in its loops
HASH = (".py", ".sh", ".cmake", ".toml")
# A comment, or a text in which no comment begins.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`',
                   re.DOTALL)
PYTHON_TOKEN = re.compile(r'""".*?"""|#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


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


def docstrings(text):
    for found in re.finditer(r'(?:\A(?:#![^\n]*\n)?|:\n)\s*(""".*?""")', text, re.DOTALL):
        for i, part in enumerate(found[1].split("\n")):
            yield text.count("\n", 0, found.start(1)) + i, part


def is_python(path, text):
    return path.suffix == ".py" or text.startswith("#!/usr/bin/env python3")


def comments_of(path, text):
    if path.name.endswith(C_LIKE):
        return list(c_comments(text))
    if path.name.endswith(HASH) or path.name == "CMakeLists.txt" or text.startswith("#!/bin/bash") or is_python(path, text):
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
    for line, part in docstrings(text) if is_python(path, text) else ():
        if len(lines[line]) > COLUMNS:
            yield line, f"{len(lines[line])} columns, more than {COLUMNS}"
        for phrase in PHRASES:
            if re.search(phrase, part.strip('" ')):
                yield line, f"breaks a rule of plain language ({phrase}): {part.strip()}"


def blank(found):
    return re.sub(r"[^\n]", " ", found[0])


def vague_names(path, text):
    if text.startswith("#!/bin/bash"):
        for found in re.finditer(r'\b(?:echo|fail|die) "[^"\n]*\bwhat\b', text):
            yield text.count("\n", 0, found.start()), "a message without a subject: say it without 'what'"
        for found in re.finditer(r"(?:^|\s)(what|mine|told|like|of|asked|whose|beside)=", text):
            yield text.count("\n", 0, found.start(1)), f"'{found[1]}' is no name: use a noun that one would search for"
    for found in NAMELESS.finditer(text) if path.suffix == ".cpp" else ():
        yield text.count("\n", 0, found.start()), "the name of a test has no subject: say it without 'what' and opening 'of'"
    if path.name.endswith(C_LIKE):
        code = TOKEN.sub(blank, text)
    elif is_python(path, text):
        code = PYTHON_TOKEN.sub(blank, text)
    else:
        return
    for found in VAGUE.finditer(code):
        if not (found[0] == "of" and path.name.endswith(SCRIPT)):
            yield code.count("\n", 0, found.start()), f"'{found[0]}' is no name: use a noun that one would search for"


def long_subjects():
    """Subjects of the last commits that are too long."""
    log = subprocess.run(["git", "-C", ROOT, "log", f"-{COMMITS}", "--no-merges", "--format=%h %s"], capture_output=True, text=True)
    for line in log.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > SUBJECT:
            yield f"commit {commit}: a subject of {len(subject)} characters, more than {SUBJECT}: {subject}"


# Counted by --rates; PHRASES finds the worst of them.
COUNTED = {"what": r"(?i)\bwhat\b", "headless": r"(?:^|[.;:] )(?:What|Who) [^.?]*(?:\.|$)", "Of ...": r"(?:^|[.;:] )Of (?!course)",
           "such, own, latter": r"(?i)\bsuch (?!as\b)|\bown\b|\b(?:latter|former)\b"}
LONG = 20  # words of a sentence
KINDS = ("README", "other pages", "comments", "texts of src/")


def prose(page):
    """The paragraphs of a Markdown page, without code, tables and targets of links."""
    page = re.sub(r"(?ms)^\s*```.*?^\s*```|<!--.*?-->", "", page)
    page = re.sub(r"`[^`]*`", "CODE", re.sub(r"\]\([^)]*\)", "]", page))
    for part in re.split(r"\n\s*(?:\n|[-*] |\d+\. )", page):
        if not part.lstrip().startswith("|"):
            yield re.sub(r"[#*\[\]]", "", " ".join(part.split()))


def blocks(path, text):
    """The comments of a source; lines below one another are one text."""
    last, block = -2, []
    for line, _, comment in comments_of(path, text):
        if line != last + 1 and block:
            yield " ".join(block)
            block = []
        last = line
        block.append(re.sub(r"^(//+!?<?|#+|/?\*+/?)\s*|\s*\*/$", "", comment))
    yield " ".join(block)


def texts_by_kind(path, text):
    name = str(path)
    if path.suffix == ".md":
        if "codegen" not in name and not name.startswith("CHANGELOG"):
            for part in prose(text):
                yield KINDS[0] if name == "README.md" else KINDS[1], part
        return
    for block in blocks(path, text):
        yield KINDS[2], block
    if name.startswith("src/") and path.suffix in (".cpp", ".hpp"):
        for found in TOKEN.finditer(text):
            # Literals of one or two words are names, and code is no prose.
            if found[0].startswith('"') and found[0].count(" ") >= 2 and not re.search(r"[;{}=] ?\\n|#version", found[0]):
                yield KINDS[3], found[0].strip('" ')


def files_of(commit):
    git = ["git", "-C", ROOT]
    names = ["ls-files"] if commit is None else ["ls-tree", "-r", "--name-only", commit]
    for name in subprocess.run([*git, *names], capture_output=True, text=True, check=True).stdout.split():
        path = pathlib.Path(name)
        if path.suffix in (".jsonl", ".json", ".png", ".gz") or (commit is None and not (ROOT / path).is_file()):
            continue
        content = (ROOT / path).read_bytes() if commit is None else subprocess.run(
            [*git, "show", f"{commit}:{name}"], capture_output=True, check=True).stdout
        yield path, content.decode(errors="replace")


def rates(commit):
    """Prints one row per kind of text."""
    words = dict.fromkeys(KINDS, 0)
    sentences, long = dict(words), dict(words)
    counts = {kind: dict.fromkeys(COUNTED, 0) for kind in KINDS}
    for path, text in files_of(commit):
        for kind, part in texts_by_kind(path, text):
            words[kind] += len(part.split())
            for name, pattern in COUNTED.items():
                counts[kind][name] += len(re.findall(pattern, part))
            for sentence in re.split(r"[.;!?:] ", part):
                length = len(sentence.split())
                sentences[kind] += length > 2
                long[kind] += length > LONG
    print(f"{commit or 'working tree'}, per 1000 words:")
    print("".join(f"{title:>19}" for title in ("text", "words", *COUNTED, f"over {LONG} words, %")))
    for kind in KINDS:
        row = [f"{1000 * count / max(words[kind], 1):.2f}" for count in counts[kind].values()]
        print("".join(f"{cell:>19}" for cell in (kind, words[kind], *row, f"{100 * long[kind] / max(sentences[kind], 1):.1f}")))


def main():
    if sys.argv[1:2] == ["--rates"]:
        for commit in sys.argv[2:] or [None]:
            rates(commit)
        return 0
    bad = 0
    for wrong in long_subjects():
        print(wrong, file=sys.stderr)
        bad += 1
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    for path in (ROOT / name for name in names):
        if path.is_symlink() or not path.is_file() or path.suffix in (".jsonl", ".json", ".png"):
            continue
        text = path.read_text(errors="replace")
        for line, wrong in (*findings(path, text), *vague_names(path, text)):
            print(f"{path.relative_to(ROOT)}:{line + 1}: {wrong}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
