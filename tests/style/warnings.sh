#!/bin/sh
# warnings.sh SOURCE BUILD: what gcc compiles without a warning, clang does too.
set -eu
python3 - "$2/compile_commands.json" <<'PYTHON'
import concurrent.futures, json, os, shlex, subprocess, sys

entries = [each for each in json.load(open(sys.argv[1])) if each["file"].endswith(".c")]


def check(entry):
    words = shlex.split(entry["command"])
    kept = [word for word in words[1:] if word not in ("-c", "-o") and not word.endswith(".o")]
    command = ["clang-22", "-fsyntax-only", "-flax-vector-conversions=integer",
               "-Wno-unused-command-line-argument", "-Wno-unknown-warning-option", *kept]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return entry["file"], done.returncode, done.stderr


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(check, entries))
for file, status, errors in results:
    if status:
        print(errors)
failed = sum(1 for _, status, _ in results if status)
print(f"{len(results)} files, {failed} with warnings under clang-22")
sys.exit(1 if failed or not results else 0)
PYTHON
