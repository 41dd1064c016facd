"""Registers, spills and instructions of teeny's kernels beside Triton's, no GPU needed.

    build/venv/bin/python bench/gpu/compare_code.py --teenyc build/bin/teenyc

Both compile the same kernels (kernels.c, peers.py) for sm_90a, told the same of their arguments:
pointers and sizes are multiples of 16. Triton's package brings ptxas and nvdisasm."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import peers

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = pathlib.Path(triton.__file__).parent / "backends/nvidia/bin"

# name, element type, META of ours, constants of theirs, warps, and the parameters' types there.
ROW = {"add": "*out *x *y n", "softmax": "*out *x stride n", "layernorm": "*out *x +w +b stride n .epsilon",
       "matmul": "*c *a *b M N K", "attention": "*out *q *k *v .scale S"}
CASES = [("add", "f32", {"BLOCK": 1024}, {"B": 1024}, 4)]
CASES += [(name, element, {"BLOCK": block}, {"B": block}, warps)
          for name in ("softmax", "layernorm") for element in ("f32", "bf16")
          for block, warps in ((1024, 4), (4096, 8), (16384, 16), (32768, 32))]
CASES += [("matmul", "bf16", {"BM": 128, "BN": 128, "BK": 64}, {"BM": 128, "BN": 128, "BK": 64, "G": 8}, 8)]
CASES += [("attention", "f16", {"D": d, "BM": 128, "BN": 64}, {"D": d, "BM": 128, "BN": 64, "CAUSAL": False}, 8)
          for d in (64, 128)]

TRITON_TYPES = {"f32": "*fp32", "bf16": "*bf16", "f16": "*fp16"}


def tool(name, *arguments):
    done = subprocess.run([str(TOOLS / name), *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout + done.stderr


def describe(ptx, directory):
    """(registers, bytes spilled, instructions) of the only kernel of a PTX text."""
    path, cubin = directory / "k.ptx", directory / "k.cubin"
    path.write_text(ptx)
    said = tool("ptxas", "-arch", "sm_90a", "-v", path, "-o", cubin)
    registers = int(re.search(r"Used (\d+) registers", said)[1])
    spilled = int(re.search(r"(\d+) bytes spill stores", said)[1])
    code = tool("nvdisasm", "-c", cubin)
    instructions = [line for line in code.splitlines() if re.match(r"\s+/\*[0-9a-f]{4}\*/", line)]
    return registers, spilled, sum("NOP" not in line for line in instructions)


def compile_ours(teenyc, name, element, meta, warps):
    told = {"add": "out x y n", "softmax": "out in stride columns",
            "layernorm": "out in weight bias stride columns", "matmul": "c a b m n k",
            "attention": "out q k v length"}[name]
    command = [teenyc, str(HERE / "kernels.c"), "--kernel", name, "--type", f"T={element}", "--target", "sm_90a",
               "--num-warps", str(warps), "--specialise", ",".join(f"{each}=16" for each in told.split())]
    command += [f"-D{key}={value}" for key, value in meta.items()]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_theirs(name, element, constants, warps):
    kernel = getattr(peers, f"{name}_kernel")
    kinds = {"*": TRITON_TYPES[element], "+": "*fp32", ".": "fp32"}
    names = [each.lstrip("*+.") for each in ROW[name].split()]
    signature = {n: kinds.get(each[0], "i32") for n, each in zip(names, ROW[name].split())}
    signature |= {key: "constexpr" for key in constants}
    told = {(i,): [["tt.divisibility", 16]] for i, n in enumerate(names) if signature[n] != "fp32"}
    source = ASTSource(kernel, signature, constexprs=constants, attrs=told)
    made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps, "num_stages": 3})
    return made.asm["ptx"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teenyc", required=True)
    options = parser.parse_args()
    print(f"{'':30} {'teeny':^26}   {'Triton':^26}")
    print(f"{'':30} {'registers':>9} {'spilled':>7} {'instr.':>7}   {'registers':>9} {'spilled':>7} {'instr.':>7}")
    with tempfile.TemporaryDirectory() as directory:
        for name, element, meta, constants, warps in CASES:
            ours = describe(compile_ours(options.teenyc, name, element, meta, warps), pathlib.Path(directory))
            theirs = describe(compile_theirs(name, element, constants, warps), pathlib.Path(directory))
            title = f"{name} {element} {'x'.join(str(each) for each in meta.values())}, {warps} warps"
            print(f"{title:30} {ours[0]:9} {ours[1]:7} {ours[2]:7}   {theirs[0]:9} {theirs[1]:7} {theirs[2]:7}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
