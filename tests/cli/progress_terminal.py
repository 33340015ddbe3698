"""Checks the lines that percycle draws on a terminal: progress_terminal.py PERCYCLE COLUMNS

Lines are coloured unless NO_COLOR is set and not empty. The run is stopped by Ctrl-C once the time
left was shown, so that its length does not matter.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

LINE = re.compile(r"^(Sim\S*.*?) \[(#*)(\.*)\] +(\d+) %  (\S.*?)  (\d+:\d\d)(?:, (<10 s left|[\d:]+ left))?$")
COLOUR = re.compile(r"\x1b\[\d*m")


def output_of(percycle, columns, folder):
    """Output of the run on its terminal, until a while after the first time left."""
    terminal, run_side = pty.openpty()
    fcntl.ioctl(run_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [percycle, "run", "latency", "geometry", "tlb", "--device", "sim:t4", "--preset", "full", "--out", "run.jsonl"]
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=run_side, cwd=folder, text=True)
    os.close(run_side)
    text = b""
    stopped = False
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # the run closed its end
                break
            if not part:
                break
            text += part
        if not stopped and b" left" in text:
            stopped = True
            run.send_signal(signal.SIGINT)
    printed = run.communicate(timeout=60)[0]
    return text.decode(), run.returncode, printed


def main(percycle, columns):
    colour = not os.environ.get("NO_COLOR")
    with tempfile.TemporaryDirectory() as folder:
        text, status, printed = output_of(percycle, columns, folder)
    assert status == 130, f"status {status}: {text[-500:]!r}"
    assert printed.splitlines()[-1] == "next: percycle run --resume run.jsonl", printed
    drawn = [line for line in re.split(r"\r\x1b\[K|\r?\n", text) if "[" in line and "%" in line]
    assert len(drawn) > 3, f"{len(drawn)} lines: {text[:500]!r}"
    coloured = sum(bool(COLOUR.search(line)) for line in drawn)
    assert (coloured > 0) == colour, f"{coloured} of {len(drawn)} lines are coloured"
    plain = [COLOUR.sub("", line) for line in drawn]
    for line in plain:
        assert len(line) <= columns, f"{len(line)} columns instead of {columns}: {line!r}"
        assert "\x1b" not in line, line
    parts = [LINE.match(line) for line in plain]
    assert all(parts), [line for line, part in zip(plain, parts) if not part][:3]
    if columns >= 90:
        assert {part[5] for part in parts} <= {"Load-to-use latency, headlines", "Load-to-use latency", "Geometry of the caches", "Address translation"}, plain[-1]
    shares = [int(part[4]) for part in parts]
    assert shares == sorted(shares), f"the share falls: {shares}"
    assert any(part[7] for part in parts), "the time left is never shown"
    print(f"{len(drawn)} lines of up to {columns} columns, {coloured} coloured")


main(sys.argv[1], int(sys.argv[2]))
