#!/usr/bin/env python3
"""run_example.py PAGE.md N: compiles the N-th block of C of a page, from 1, and prints what the program prints.

For generate.py, from which it has BUILD and PATH. The kernels are compiled into a cache of their own.
"""

import os
import re
import subprocess
import sys
import tempfile

page, number = sys.argv[1], int(sys.argv[2])
blocks = re.findall(r"^```c\n(.*?)^```$", open(page).read(), re.S | re.M)
build = os.environ["BUILD"]
with tempfile.TemporaryDirectory() as directory:
    source, program = f"{directory}/example.c", f"{directory}/example"
    with open(source, "w") as file:
        file.write(blocks[number - 1])
    subprocess.run(["gcc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-Iinclude", source,
                    f"{build}/lib/libteeny.a", "-lpthread", "-ldl", "-o", program], check=True)
    environment = dict(os.environ, TEENYC_CACHE_DIR=f"{directory}/cache", TEENY_AUTO_DEVICE="cpu")
    environment.pop("TEENYC_PATH", None)
    sys.stdout.write(subprocess.run([program], check=True, capture_output=True, text=True, cwd=directory,
                                    env=environment).stdout)
