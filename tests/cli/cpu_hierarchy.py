"""Whether percycle finds the CPU's first two caches: cpu_hierarchy.py PERCYCLE API L1_BYTES L2_BYTES

Ends with 0 when it does, 77 when it cannot be asked (no CPU device, or the machine was busy all the time), 1 when it does not.

The first cache has to be right within 12 %. The second, which a walk through pages of 4 KiB outgrows softly, has to lie between 0.4 and 1.2
times its size, inside an interval. Vulkan's driver runs eight lanes one after the other, 11 ns a step: the first cache's edge of 2 ns is told
through the texture path only, and the second's hardly ever, so that there it need not be found. Whoever runs on the same core meanwhile takes a part of its caches: sweeps are repeated until each cache was
right once, and where the machine was busy all the time nothing is said of it.
"""
import json
import os
import resource
import subprocess
import sys
import time

PERCYCLE, API, L1, L2 = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
PATH = {"opencl": "global", "vulkan": "texture"}[API]
SECOND_SHOWS = API == "opencl"
ATTEMPTS = 3
LONGEST = 15  # seconds after which no further sweep begins; one takes 5 s, on a busy machine 20 s
BUSY = 0.1  # of a core


def busy_seconds():
    """What all CPUs did or were kept from doing since boot: user, nice, system, irq, softirq, steal."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(field) for field in file.readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def percycle(*arguments):
    return subprocess.run([PERCYCLE, *arguments], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def cpu_device():
    for card in json.loads(percycle("devices", "--json"))["cards"]:
        for device in card["devices"]:
            info = device["info"]
            if info["api"] == API and info["type"] == "cpu" and not info.get("compile_only"):
                return device["selector"]
    return None


def sweep(device, attempt):
    """The levels that one sweep shows, and how much of a core others used meanwhile."""
    file = f"{API}-{attempt}.jsonl"
    begin, others = time.monotonic(), busy_seconds() - own_seconds()
    percycle("run", "latency", "--device", device, "--no-progress", "--out", file, "--seed", str(attempt), "--set", f"path={PATH}",
             "--set", f"min={L1 // 8}", "--set", f"max={3 * L2}", "--set", "points_per_octave=8")
    others = (busy_seconds() - own_seconds() - others) / (time.monotonic() - begin)
    return json.loads(percycle("analyze", "--json", file))["levels"], others


def is_first(level):
    return abs(level["size_bytes"] - L1) <= 0.12 * L1


def is_second(level):
    return 0.4 * L2 <= level["size_bytes"] <= 1.2 * L2 and level["size_low"] < level["size_bytes"] < level["size_high"]


def kib(level):
    return "{:.1f} KiB ({:.1f} to {:.1f})".format(*(level[key] / 1024 for key in ("size_bytes", "size_low", "size_high")))


def main():
    device = cpu_device()
    if device is None:
        print(f"skipped: no {API} device is a CPU")
        return 77
    first, second, calm = False, not SECOND_SHOWS, False
    begin = time.monotonic()
    for attempt in range(1, ATTEMPTS + 1):
        if time.monotonic() - begin > LONGEST:
            break
        levels, others = sweep(device, attempt)
        print(f"{device}: {', '.join(kib(level) for level in levels) or 'no level'}; others used {others:.2f} of a core")
        first = first or any(is_first(level) for level in levels[:1])
        second = second or any(is_second(level) for level in levels[1:])
        calm = calm or others < BUSY
        if first and second:
            return 0
    print(f"{'' if first else 'not '}found: {L1 / 1024:g} KiB; {'' if second else 'not '}found: {L2 / 1024:g} KiB")
    if calm:
        return 1
    print("skipped: other programs used the CPU all the time, and its caches")
    return 77


sys.exit(main())
