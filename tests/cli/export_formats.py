"""Reads exported files as the other programs do: export_formats.py FORMAT FOLDER FINDINGS.

The parsers follow the public sources:
- options of GPGPU-Sim: gpgpu-sim_distribution, commit 667834c: src/option_parser.cc (ParseFile),
  src/gpgpu-sim/gpu-sim.cc (names), src/gpgpu-sim/gpu-cache.h (caches), src/cuda-sim/cuda-sim.cc
- options of traces: accel-sim-framework, commit 2260456: gpu-simulator/trace-driven/trace_driven.cc
- roofline.csv: rocprofiler-compute, commit 95b600e: src/utils/roofline_calc.py
- roofline.json: Empirical Roofline Toolkit 1.1.0, commit 0771fa9, Results.p100.01/Run.018
"""

import csv
import json
import re
import sys

format_name, folder, findings = sys.argv[1:]

# The options that percycle may write, each with the form of its value.
COUNT = r"[1-9]\d*"
OPTIONS = {
    "gpgpusim.config": {
        "-gpgpu_n_clusters": COUNT,
        "-gpgpu_n_cores_per_cluster": "1",
        "-gpgpu_shader_core_pipeline": f"{COUNT}:{COUNT}",
        "-gpgpu_shader_cta": COUNT,
        "-gpgpu_shader_registers": COUNT,
        "-gpgpu_shmem_size": COUNT,
        "-gpgpu_shmem_per_block": COUNT,
        "-gpgpu_num_sched_per_core": COUNT,
        "-gpgpu_l1_latency": COUNT,
        "-gpgpu_smem_latency": COUNT,
        "-gpgpu_l2_rop_latency": COUNT,
        "-dram_latency": COUNT,
        "-gpgpu_cache:dl1": f"[NS]:{COUNT}:{COUNT}:{COUNT},[LF]:[RBTEL]:[mfs]:[NWFL]:[HPCLX],[FTAS]:{COUNT}:{COUNT},{COUNT}:.*",
        "-gpgpu_adaptive_cache_config": "0",
        "-gpgpu_unified_l1d_size": "0",
        "-gpgpu_const_cache:l1": f"[NS]:{COUNT}:{COUNT}:{COUNT},[LF]:[RBTEL]:[mfs]:[NWFL]:[HPCLX],[FTAS]:{COUNT}:{COUNT},{COUNT}",
        "-ptx_opcode_latency_int": ",".join([COUNT] * 6),
        "-ptx_opcode_initiation_int": ",".join([COUNT] * 6),
        "-ptx_opcode_latency_fp": ",".join([COUNT] * 5),
        "-ptx_opcode_initiation_fp": ",".join([COUNT] * 5),
        "-ptx_opcode_latency_dp": ",".join([COUNT] * 5),
        "-ptx_opcode_initiation_dp": ",".join([COUNT] * 5),
        "-ptx_opcode_latency_sfu": COUNT,
        "-ptx_opcode_initiation_sfu": COUNT,
    },
    "trace.config": {
        f"-trace_opcode_latency_initiation_{unit}": f"{COUNT},{COUNT}" for unit in ("int", "sp", "dp", "sfu")
    },
}
# It names these as unknown, too.
NEVER_KNOWN = {"-gpgpu_clock_domains", "-gpgpu_n_mem", "-gpgpu_cache:dl2", "-gpgpu_cache:il1"}

COLUMNS = ["device", "HBMBw", "L2Bw", "L1Bw", "LDSBw", "FP32Flops", "FP64Flops", "MFMABF16Flops", "MFMAF16Flops",
           "MFMAF32Flops", "MFMAF64Flops", "MFMAI8Ops"]


def rows(name):
    with open(f"{folder}/{name}", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def options_of(name):
    """As ParseFile and ParseCommandLine: comments go, words pair up, unknown names are refused."""
    words = []
    with open(f"{folder}/{name}", encoding="utf-8") as file:
        for line in file:
            words += line.partition("#")[0].split()
    values = dict(zip(words[::2], words[1::2], strict=True))
    for option, value in values.items():
        assert option in OPTIONS[name], f"unknown option {option} in {name}"
        assert re.fullmatch(OPTIONS[name][option], value), (option, value)
    assert len(values) == len(words) // 2, "an option stands twice"
    return values


def check_lists(target, values, all_names):
    """Each value has its numbers and their run; each other name has a reason."""
    sources = rows(f"{target}-sources.csv")
    assert {row["name"]: row["value"] for row in sources} == values, sources
    assert all(row["run"] and row["file"] and row["api"] == "OpenCL" and float(row["number"]) > 0 for row in sources), sources
    missing = {row["name"]: row["reason"] for row in rows(f"{target}-missing.csv")}
    assert all(missing.values()), missing
    assert set(values) | set(missing) == all_names, set(values) ^ all_names ^ set(missing)
    return missing


if format_name == "accel-sim":
    core, trace = options_of("gpgpusim.config"), options_of("trace.config")
    names = set(OPTIONS["gpgpusim.config"]) | set(OPTIONS["trace.config"]) | NEVER_KNOWN
    missing = check_lists("accel-sim", core | trace, names - {"-gpgpu_adaptive_cache_config", "-gpgpu_unified_l1d_size"})
    assert "218 KiB" in missing["-gpgpu_cache:dl1"], missing  # known in part
    assert "-gpgpu_const_cache:l1" in missing, missing  # written, with fields that are not measured

    with open(findings, encoding="utf-8") as file:
        found = next(one for one in map(json.loads, file) if len(one["levels"]) > 0)
    level = {one["name"]: one for one in found["levels"] if one["path"] in ("global", "constant")}
    memory = {one["path"]: one for one in found["memory"]}
    l1, l2 = level["L1"]["latency_cycles"], level["L2 near"]["latency_cycles"]
    assert core["-gpgpu_l1_latency"] == str(round(l1))
    assert core["-gpgpu_l2_rop_latency"] == str(round(l2 - l1))
    assert core["-dram_latency"] == str(round(memory["global"]["together_cycles"] - l2))
    assert core["-gpgpu_smem_latency"] == str(round(memory["local"]["latency_cycles"]))
    constant = level["constant L1"]
    nsets, line, ways = map(int, core["-gpgpu_const_cache:l1"].partition(",")[0].split(":")[1:])
    assert (nsets, line, ways) == (constant["sets"], constant["line_bytes"], constant["ways"])
    assert nsets * line * ways == constant["size_bytes"]
    unit = found["capacity"]
    assert core["-gpgpu_shader_core_pipeline"] == f"{unit['invocations']}:32"
    assert core["-gpgpu_shader_registers"] == str(unit["registers"])
    assert core["-gpgpu_shmem_size"] == str(unit["local_bytes"])
    # Four schedulers of 32 lanes: 128 multiply-adds, or 64 of FP64, of a unit in a cycle.
    assert trace["-trace_opcode_latency_initiation_sp"] == "4,1", trace
    assert trace["-trace_opcode_latency_initiation_dp"] == "8,2", trace
    # Accel-Sim's tuner reads the name of the card and lines that begin with "-".
    with open(f"{folder}/gpgpusim.config", encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert next(line for line in lines if "Device Name" in line).split(" = ")[1] == "H100 80GB HBM3 #6"
    assert {line.split()[0] for line in lines if line.startswith("-")} == set(core)
else:
    # As constuct_roof() of ROCm Compute Profiler: columns by their names in the first line.
    with open(f"{folder}/roofline.csv", encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert [name for name in COLUMNS if name in head] == head, head
    assert len(lines) == 1 and lines[0][0] == "0"
    values = dict(zip(head[1:], lines[0][1:], strict=True))
    check_lists("roofline", values, set(COLUMNS) - {"device"})

    with open(findings, encoding="utf-8") as file:
        devices = json.load(file)["devices"]
    found = max(devices, key=lambda device: len(device["ceilings"]))["ceilings"]

    def best(figure, **parameters):
        return max(one["figures"][figure] for one in found if parameters.items() <= (one["parameters"] | {"level": one["level"]}).items()
                   and "beside" not in one["parameters"])

    expected = {
        "HBMBw": best("gb_per_s", level="memory", op="read"),
        "L2Bw": best("gb_per_s", level="shared caches"),
        "L1Bw": best("gb_per_s", level="L1", path="global"),
        "LDSBw": best("gb_per_s", level="local memory"),
        "FP32Flops": 2 * best("gops_per_s", operation="fp32-fma"),
        "FP64Flops": 2 * best("gops_per_s", operation="fp64-fma"),
        "MFMAF16Flops": best("gops_per_s", type="fp16-fp32"),
        "MFMABF16Flops": best("gops_per_s", type="bf16-fp32"),
        "MFMAF64Flops": best("gops_per_s", type="fp64-fp64"),
        "MFMAI8Ops": best("gops_per_s", type="sint8-sint32"),
    }
    assert set(expected) == set(values), values
    for name, value in expected.items():
        assert abs(float(values[name]) / value - 1) < 1e-6, (name, values[name], value)

    with open(f"{folder}/roofline.json", encoding="utf-8") as file:
        toolkit = json.load(file)
    bandwidths = dict(toolkit["empirical"]["gbytes"]["data"])
    rates = dict(toolkit["empirical"]["gflops"]["data"])
    assert list(bandwidths) == ["L1", "L2", "DRAM"] and list(rates) == ["FP32 GFLOPs", "FP64 GFLOPs"], toolkit
    assert abs(bandwidths["DRAM"] / expected["HBMBw"] - 1) < 1e-6 and abs(rates["FP64 GFLOPs"] / expected["FP64Flops"] - 1) < 1e-6
    assert toolkit["spec"]["gbytes"]["data"] == [] and set(toolkit["empirical"]["metadata"]["RECORDS"]) == set(bandwidths) | set(rates)
