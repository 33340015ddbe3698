"""Checks the pages of a site: site_links.py FOLDER

Every link and every script, style and picture is a file of the folder, and every file of its list
exists. No page has code of its own, and each has a policy without unsafe-eval.
"""

import html.parser
import os
import pathlib
import sys
import urllib.parse

folder = pathlib.Path(sys.argv[1]).resolve()


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.targets, self.ids, self.policy, self.code = path, [], set(), "", 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        assert not [name for name in have if name.startswith("on")], (self.path, attributes)
        self.targets += [have[name] for name in ("href", "src", "action") if name in have]
        self.ids.add(have.get("id"))
        self.code += tag == "script" and "src" not in have
        if have.get("http-equiv") == "Content-Security-Policy":
            self.policy = have["content"]


pages = [Page(path) for path in folder.rglob("*.html")]
links = 0
for page in pages:
    assert "default-src 'none'" in page.policy and "unsafe-eval" not in page.policy, (page.path, page.policy)
    assert page.code == 0, (page.path, "has code")
    for target in page.targets:
        url = urllib.parse.urlsplit(target)
        if url.scheme == "data" or not url.path:
            assert not url.fragment or url.fragment in page.ids or url.scheme, (page.path, target)
            continue
        assert not url.scheme and not url.netloc, (page.path, target)
        path = (page.path.parent / urllib.parse.unquote(url.path)).resolve()
        assert path.is_file() and path.is_relative_to(folder), (page.path, target)
        links += 1
listed = {line.split(" ", 1)[1] for line in (folder / "files.txt").read_text().splitlines()}
found = {os.path.relpath(path, folder) for path in folder.rglob("*") if path.is_file()} - {"files.txt"}
assert listed == found, listed ^ found
print(f"{len(pages)} pages, {links} links")
