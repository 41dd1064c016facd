#!/usr/bin/env python3
"""Throws mutated and generated kernels at teenyc.

    fuzz.py --teenyc PROGRAM [--seed N] [--seconds N] [--jobs N] [--keep DIRECTORY] FILE.c...

Each round takes one of the files, or a kernel of kernel_generator.py, mutates its tokens or bytes, and
gives it to `teenyc --check`, or to a whole compilation. Right is an exit status of 0, or of 1 with an error on standard error; anything
else, and more than 20 seconds of a processor or 2 GiB, is a failure, whose input is kept and whose seed is
printed. A machine that has much else to do makes a round long, not wrong.
The same seed gives the same rounds.
"""

import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the sources stay as they are
import kernel_generator

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|\w+|\s+|[^\w\s]', re.S)
SECONDS = 20  # of a processor
SECONDS_ASLEEP = 300  # until one that does nothing is given up
LIMITED = ["sh", "-c", f'ulimit -v 2097152; ulimit -c 0; ulimit -t {SECONDS}; exec "$@"', "sh"]

# What a mutation may put in the place of a token: the language's own words, and what is next to them.
WORDS = """
    bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2 void char int long unsigned
    double const volatile static extern restrict inline struct union enum typedef typeof sizeof
    __int128 _BitInt(3) _Complex __auto_type register _Atomic _Bool signed float short
    tl_tile tl_load tl_store tl_arange tl_zeros tl_full tl_program_id tl_num_programs tl_cast tl_where
    tl_sum tl_max tl_dot tl_reshape tl_trans tl_exp tl_mask tl_reduce tl_broadcast_to tl_expand_dims
    tl_count tl_argmax tl_cdiv tl_fma tl_permute tl_bitcast tl_abs tl_maximum
    TEENY_KERNEL TEENY_DEVICE TEENY_DECL TEENY_TYPE META INFINITY NAN
    if else for while do switch case default break continue return goto asm
    + - * / % & | ^ ~ << >> < > <= >= == != ! && || ? : = += -= *= /= ++ -- , . -> ; ( ) [ ] { } # ' "
    0 1 2 3 -1 64 63 65 1.5f 0.1 1e40 1e400 1.0L 0x7fffffff 2147483648 9223372036854775807
    18446744073709551615u 0b11 'a' "text" L"w" u8"x" 1u 1ull 08 1.5 (i8)1 (f16)1.0f ({1;}) (1,2)
    out x y n i v w p m a b k helper missing __LINE__ __FILE__ __func__ __builtin_trap() defined
    __attribute__((vector_size(16))) _Static_assert(0,"") _Generic(1,int:2) __extension__
    """.split()


def mutate_tokens(tokens, rng, others):
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        if not tokens:
            return
        at = rng.randrange(len(tokens))
        kind = rng.randrange(9)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens[at] = rng.choice(WORDS)
        elif kind == 4:
            tokens.insert(at, " " + rng.choice(WORDS) + " ")
        elif kind == 5:
            begin, end = sorted((at, min(len(tokens), at + rng.randrange(1, 30))))
            del tokens[begin:end]
        elif kind == 6:
            end = min(len(tokens), at + rng.randrange(1, 30))
            where = rng.randrange(len(tokens))
            tokens[where:where] = tokens[at:end] * rng.choice((1, 1, 2, 20))
        elif kind == 7:
            begin = rng.randrange(len(others) + 1)
            tokens[at:at] = others[begin:begin + rng.randrange(1, 30)]
        else:
            same = [token for token in tokens if re.match(r"\w", token) and token != tokens[at]]
            if same:
                tokens[at] = rng.choice(same)


def mutate_bytes(text, rng):
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 6)):
        if not data:
            break
        at = rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 5)))
        elif kind == 2:
            del data[at:at + rng.randrange(1, 20)]
        else:
            del data[at:]
    return bytes(data)


def make_input(texts, seed):
    """The text and the options of a round."""
    rng = random.Random(seed)
    is_generated = rng.randrange(3) == 0
    text = kernel_generator.generate(rng) if is_generated else rng.choice(texts)
    other = rng.choice(texts)
    if is_generated and rng.randrange(3):
        data = text.encode()
    elif rng.randrange(8) == 0:
        data = mutate_bytes(text, rng)
    else:
        tokens = TOKEN.findall(text)
        mutate_tokens(tokens, rng, TOKEN.findall(other))
        data = "".join(tokens).encode(errors="replace")
    if rng.randrange(8) == 0:
        data = data.replace(b"\n", b"\r\n")
    whole = rng.randrange(4) == 0
    names = re.findall(rb"TEENY_KERNEL\(\s*(\w+)", data)
    if not whole or not names:
        return data, ["--check"]
    target, stage = rng.choice((("sm_80", "ptx"), ("sm_90a", "ttgir"), ("cpu", "image")))
    name = rng.choice(names).decode()
    return data, ["--kernel", name, "--target", target, "--emit", stage, "-o", "/dev/null"]


def run(teenyc, directory, texts, seed):
    """None, or what went wrong with this round."""
    data, options = make_input(texts, seed)
    path = pathlib.Path(directory, f"{seed}.c")
    path.write_bytes(data)
    try:
        done = subprocess.run([*LIMITED, teenyc, str(path), *options], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS_ASLEEP)
    except subprocess.TimeoutExpired:
        return path, options, f"no end within {SECONDS_ASLEEP} s"
    errors = done.stderr.decode(errors="replace")
    is_right = done.returncode == 0 or (done.returncode == 1 and "error:" in errors)
    if is_right:
        path.unlink()
        return None
    return path, options, f"exit status {done.returncode}\n" + errors[-1000:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default=None)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    keep = options.keep or tempfile.mkdtemp(prefix="teenyc-fuzz-")
    pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
    texts = [file.read_bytes().decode(errors="replace") for file in options.files]
    print(f"seed {options.seed}")

    failures, rounds, end = [], 0, time.monotonic() + options.seconds
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while time.monotonic() < end and len(failures) < 20:
            batch = [options.seed * 1000003 + rounds + i for i in range(64)]
            rounds += len(batch)
            for found in pool.map(lambda seed: run(options.teenyc, keep, texts, seed), batch):
                if found:
                    failures.append(found)
                    print("%s %s\n    %s" % (found[0], " ".join(found[1]),
                                             found[2].strip().replace("\n", "\n    ")), flush=True)
    print(f"{rounds} kernels in {options.seconds:.0f} s")
    print(f"{0 if failures else 1} passed, {len(failures)} failed")
    if not failures and not options.keep:
        pathlib.Path(keep).rmdir()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
