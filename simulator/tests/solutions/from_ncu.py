#!/usr/bin/env python3
"""Makes counters.csv of what Nsight Compute said of the solutions on a GPU (see README.md).

    from_ncu.py NCU_OUTPUT > counters.csv

NCU_OUTPUT holds, for each solution, a line "# EXERCISE" and behind it ncu's `--csv --page raw`.
"""

import csv
import re
import sys

metrics = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
]


def launches(text):
    """(exercise, number of the launch, row of ncu) for every kernel launched."""
    for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        exercise, _, output = part.partition("\n")
        table = [line for line in output.splitlines() if line.startswith('"')]
        # ncu's first row holds units.
        for number, row in enumerate(list(csv.DictReader(table))[1:], start=1):
            yield exercise.strip(), number, row


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["exercise", "launch", "grid", "block", *metrics])
    for exercise, number, row in launches(text):
        sizes = [" x ".join(re.findall(r"\d+", row[name])) for name in ("Grid Size", "Block Size")]
        writer.writerow([exercise, number, *sizes, *(row[metric].replace(",", "") for metric in metrics)])


if __name__ == "__main__":
    main()
