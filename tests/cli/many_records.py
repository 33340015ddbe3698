"""Writes record files as a large laboratory has them: many_records.py RESULTS FOLDER

There are 500 runs of 200 points on 10 cards through two APIs. The points are those of graphics
cards in RESULTS: statistics follow from the samples and from the device in the header. Each run of
a device continues where its last one ended, so points repeat from run to run.
"""

import glob
import gzip
import json
import os
import sys

FILES, POINTS, CARDS = 500, 200, 10


def main(results, folder):
    of_api = {"opencl": [], "vulkan": []}
    for name in sorted(glob.glob(os.path.join(results, "*.jsonl.gz"))):
        headers = {}
        with gzip.open(name, "rt", encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if record["kind"] == "header":
                    headers[record["id"]] = record
                elif record["kind"] == "point" and record["outcome"]["status"] == "ok":
                    header = headers[record["header"]]
                    if header["device"]["type"] != "gpu":
                        continue
                    question = json.dumps([record["experiment"], record["parameters"]], sort_keys=True)
                    of_api[header["device"]["api"]].append((header, question, line.replace(record["header"], "%016x")))
    next_point = [997 * device for device in range(2 * CARDS)]
    for number in range(FILES):
        device = number % (2 * CARDS)
        source = of_api["vulkan" if device % 2 == 0 else "opencl"]
        points = {}  # by question; a run answers each once
        while len(points) < POINTS:
            from_header, question, line = source[next_point[device] % len(source)]
            points.setdefault(question, (from_header, line))
            next_point[device] += 1
        header = dict(next(iter(points.values()))[0], id="%016x" % (number + 1), identity="uuid:%032x" % (device // 2 + 1))
        header["device"] = dict(header["device"], name="Card %d" % (device // 2 + 1), driver="1.0")
        with open(os.path.join(folder, "%03d.jsonl" % number), "w", encoding="utf-8") as out:
            print(json.dumps(header), file=out)
            for _, line in points.values():
                out.write(line % (number + 1))


main(*sys.argv[1:])
