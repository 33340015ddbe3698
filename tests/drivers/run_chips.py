"""Runs percycle on the GPUs of chips.toml, on Mesa's drivers without hardware; checks its answers.

run_chips.py FOLDER "EXPERIMENT..." CHIP... -- COMMAND...: COMMAND enters the root of the drivers
with FOLDER mounted at /mnt, where percycle is, and takes a command line. A CHIP is DRIVER:NAME, or
"all". No EXPERIMENT means all. No kernel runs there, so a point that is ok is a fault of percycle.
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).parent
# The longest chip takes a few minutes alone: its compiler does.
CHIP_SECONDS = 1800
DEVICE_SECONDS = 120
# Its points follow edges that a curve of latency shows.
FOLLOWING = {"geometry"}
# Reasons that are no answer of a driver.
BROKEN = re.compile(r"crash|timed out|killed|died|not a measurement|no answer")


def command(chip, driver):
    """The variables that select the driver and the chip."""
    values = {"HOME": "/mnt", driver["chip"]: chip["name"], **driver.get("environment", {}), **chip.get("environment", {})}
    rusticl = driver.get("rusticl")
    manifest = f"/usr/share/vulkan/icd.d/{driver['manifest']}" if "manifest" in driver else "/none"
    values |= {"VK_DRIVER_FILES": manifest, "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/rusticl.icd" if rusticl else "/none"}
    if rusticl:
        values["RUSTICL_ENABLE"] = rusticl
    if "shim" in driver:
        # percycle refuses to run on a stand-in by its file's name.
        values["LD_PRELOAD"] = f"/mnt/{driver['shim']}.so"
    return ["env", *(f"{name}={value}" for name, value in values.items()), "/mnt/percycle"]


class Chip:
    """One chip, its faults, and its runs of percycle."""

    def __init__(self, chip, table, folder, enter):
        self.chip, self.folder = chip, folder
        self.driver = table["driver"][chip["driver"]]
        self.label = f"{chip['driver']}:{chip['name']}"
        self.selector = "opencl:0" if "rusticl" in self.driver else "vulkan:0"
        self.enter = [*enter, *command(chip, self.driver)]
        self.faults = []

    def percycle(self, seconds, *arguments):
        """Status, stdout and stderr; status None after too long."""
        try:
            done = subprocess.run([*self.enter, *arguments], capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, timeout=seconds)
        except subprocess.TimeoutExpired:
            self.faults.append(f"percycle {' '.join(arguments)}: not done after {seconds} s")
            return None, "", ""
        return done.returncode, done.stdout, done.stderr

    def equal(self, what, found, wanted):
        if found != wanted:
            self.faults.append(f"{what}: {found} instead of {wanted}")

    def check_device(self):
        status, out, err = self.percycle(DEVICE_SECONDS, "devices", "--json")
        if status != 0:
            self.faults.append(f"devices ended with {status}: {err[-200:]}")
            return
        cards = [card for card in json.loads(out)["cards"] for device in card["devices"] if device["selector"] == self.selector]
        if len(cards) != 1:
            self.faults.append(f"devices lists {len(cards)} cards: {err[-200:]}")
            return
        info = next(device["info"] for device in cards[0]["devices"] if device["selector"] == self.selector)
        architecture = cards[0].get("architecture", {})
        self.equal("architecture", architecture.get("name"), self.chip["architecture"])
        self.equal("unit", architecture.get("unit_name"), self.chip["unit"])
        self.equal("vendor", info["vendor"], self.driver["vendor"])
        self.check_units()
        if "subgroup_sizes" in self.chip:
            self.equal("subgroup sizes", info.get("subgroup_sizes"), self.chip["subgroup_sizes"])
        self.equal("local memory", info.get("local_memory_bytes"), self.chip["local_memory"])
        self.equal("queue", info.get("queue", "").startswith(self.driver.get("queue", "")), True)
        self.equal("compile only", "compile_only" in info, self.driver.get("compile_only", False))
        if not self.driver.get("compile_only"):
            self.equal("largest allocation above 0", info.get("max_allocation_bytes", 0) > 0, True)
        # The stand-ins' clocks are zeros, and nothing else states one.
        if "rusticl" not in self.driver:
            self.equal("clock", info.get("clock_mhz"), None)
        status, out, _ = self.percycle(DEVICE_SECONDS, "limits", "--json", info["name"])
        found = "none" if status != 0 else json.loads(out)["match"]
        self.equal("limits in the catalogue", found, self.chip["catalogue"])

    def check_units(self):
        """The text has the number in units of the architecture; drivers may count others."""
        _, out, _ = self.percycle(DEVICE_SECONDS, "devices")
        stated = re.search(r"^ +units +(?:(\d+) x|not reported)", out, re.MULTILINE)
        if stated is None:
            self.faults.append(f"devices prints no units: {out[:300]}")
        else:
            self.equal("units", int(stated[1]) if stated[1] else None, self.chip.get("units"))

    def check_compiler(self):
        status, out, err = self.percycle(CHIP_SECONDS, "isa", "latency", "--device", self.selector)
        loops = out.count("\n    loop ")
        if status != 0 or loops == 0:
            self.faults.append(f"isa ended with {status} and {loops} loops: {err[-200:]}")
        status, _, err = self.percycle(DEVICE_SECONDS, "run", "latency", "--device", self.selector, "--out", f"/mnt/{self.chip['name']}.jsonl")
        if status != 2 or "cannot run kernels" not in err:
            self.faults.append(f"run ended with {status}: {err[-200:]}")

    def check_run(self, experiments, every):
        file = f"{self.label.replace(':', '-')}.jsonl"
        status, _, err = self.percycle(CHIP_SECONDS, "run", *experiments, "--preset", "quick", "--no-progress", "--device", self.selector, "--out", f"/mnt/{file}")
        records = [json.loads(line) for line in (self.folder / file).read_text().splitlines()] if (self.folder / file).exists() else []
        points = [record for record in records if record["kind"] == "point"]
        if status != 1 or not points:
            self.faults.append(f"run ended with {status}: {err[-300:]}")
        missing = set(experiments or every) - {point["experiment"] for point in points} - FOLLOWING
        self.equal("experiments without a point", sorted(missing), [])
        checks = [check for record in records if record["kind"] == "header" for check in record["checks"]]
        self.equal("checks that call a kernel's work good", [check["name"] for check in checks if check["verdict"] == "good"
                                                             and check["name"] in ("timer", "subgroup size", "units")], [])
        self.equal("verdict on kernels", {check["verdict"] for check in checks if check["name"] == "kernels"}, {"doubtful"})
        for point in points:
            outcome = point["outcome"]
            where = f"{point['experiment']} {json.dumps(point['parameters'])}"
            if outcome["status"] == "ok" and point["experiment"] in self.driver.get("without_kernels", []):
                continue
            if outcome["status"] not in ("invalid", "unsupported", "failed"):
                self.faults.append(f"{where}: {outcome['status']}, and no kernel ran")
            elif BROKEN.search(outcome["reason"]):
                self.faults.append(f"{where}: {outcome['reason']}")
        status, _, err = self.percycle(DEVICE_SECONDS, "validate", f"/mnt/{file}")
        self.equal("validate", (status, err[-200:] if status else ""), (0, ""))
        return len(points)

    def check(self, experiments, every):
        begin = time.monotonic()
        self.check_device()
        points = 0
        if self.driver.get("compile_only"):
            self.check_compiler()
        elif self.driver.get("runs", True):
            points = self.check_run(experiments, every)
        print(f"{self.label}: {points} points, {time.monotonic() - begin:.0f} s, {len(self.faults)} faults", flush=True)
        for fault in self.faults[:10]:
            print(f"  {fault}", flush=True)
        return self.label, len(self.faults)


def main():
    split = sys.argv.index("--")
    folder, experiments, wanted = pathlib.Path(sys.argv[1]), sys.argv[2].split(), sys.argv[3:split]
    enter = sys.argv[split + 1:]
    with open(HERE / "chips.toml", "rb") as file:
        table = tomllib.load(file)
    chips = [Chip(chip, table, folder, enter) for chip in table["chip"]]
    chips = [chip for chip in chips if wanted == ["all"] or chip.label in wanted]
    for chip in chips:
        unknown = [source for source in chip.chip["source"] if source not in table["sources"]]
        if unknown:
            sys.exit(f"{chip.label}: no source named {unknown}")
    listed = json.loads(subprocess.run([folder / "percycle", "list", "--json"], capture_output=True, text=True, check=True).stdout)
    every = [experiment["name"] for experiment in listed["experiments"]]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda chip: chip.check(experiments, every), chips))
    wrong = [label for label, faults in results if faults]
    print(f"{len(results)} chips, {len(wrong)} with faults: {' '.join(wrong)}" if wrong else f"{len(results)} chips, no faults")
    if not results:
        sys.exit("no such chip")
    sys.exit(bool(wrong))


main()
