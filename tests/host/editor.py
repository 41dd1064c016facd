#!/usr/bin/env python3
"""clangd and teenyc --check on the same file, as an editor shows them.

    editor.py --teenyc PROGRAM [--clangd PROGRAM] [--update]

clangd is spoken to as an editor does, in LSP over standard input, in editor/, with the flags that lie there.
right.c has no diagnostic in either. In wrong.c clangd must name the lines that it is said to below, in our
words, and teenyc these and the others. editor/clangd.txt is what docs/editor.md shows: compared where clangd
is of the version that its first line says.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent / "editor"
SECONDS = 60

# The lines of wrong.c, what clangd says there (None: it cannot know), what teenyc says.
EXPECTED = {
    6: ("tl_store: the mask's element count differs from the offsets'", "the mask is mask[64]"),
    7: ("tl_exp: the argument is not floating", "the argument is i32[256], not floating"),
    8: ("tl_store: the pointer is to const", "tl_store: the pointer is to const"),
    9: (None, "u32[256] does not become another tile by itself"),
    10: ("tl_reshape: the element counts differ", "f32[256] has not as many elements as [8,16]"),
}


class Session:
    """As much of an editor as it takes to see a file's diagnostics."""

    def __init__(self, clangd):
        self.process = subprocess.Popen(
            [clangd, "--log=error", "--background-index=false", "--clang-tidy=false"], cwd=HERE,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.request("initialize", {"processId": None, "rootUri": HERE.resolve().as_uri(),
                                    "capabilities": {}})

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("clangd ended")
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def request(self, method, parameters):
        self.send(id=1, method=method, params=parameters)
        while self.receive().get("id") != 1:
            pass

    def diagnose(self, file):
        """The lines, from 1, with the first lines of the messages there."""
        uri = file.resolve().as_uri()
        self.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "c", "version": 1, "text": file.read_text()}})
        while True:
            message = self.receive()
            parameters = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and parameters["uri"] == uri:
                return [(each["range"]["start"]["line"] + 1, each["message"].split("\n")[0])
                        for each in parameters["diagnostics"]]

    def close(self):
        self.request("shutdown", None)
        self.send(method="exit")
        self.process.communicate(timeout=SECONDS)


def ask_teenyc(teenyc, file):
    done = subprocess.run([teenyc, "--check", file.name], cwd=HERE, capture_output=True, text=True,
                          timeout=SECONDS)
    return [(int(line), text)
            for line, text in re.findall(rf"^{file.name}:(\d+):\d+: error: (.*)$", done.stderr, re.M)]


def compare(who, said, expected):
    """What is wrong with what a program said: it must name these lines, in these words, and no others."""
    faults = [f"{who} on line {line}: {text}" for line, text in said if line not in expected]
    for line, text in expected.items():
        if not any(at == line and text in message for at, message in said):
            faults.append(f"{who} does not say `{text}` on line {line}")
    return faults


def version_of(clangd):
    said = subprocess.run([clangd, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"version (\d+)", said)[1]


def compare_page(version, said, updates):
    page = HERE / "clangd.txt"
    text = f"clangd {version} on wrong.c\n" + "".join(f"{line}: {words}\n" for line, words in said)
    if updates:
        page.write_text(text)
    recorded = page.read_text()
    is_comparable = recorded.split("\n")[0] == text.split("\n")[0]
    return [f"{page} is not what clangd says:\n{text}"] if is_comparable and recorded != text else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--teenyc", required=True)
    parser.add_argument("--clangd", default="clangd")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    in_teenyc = {line: texts[1] for line, texts in EXPECTED.items()}
    in_clangd = {line: texts[0] for line, texts in EXPECTED.items() if texts[0]}
    results = [compare("teenyc", ask_teenyc(options.teenyc, HERE / "right.c"), {}),
               compare("teenyc", ask_teenyc(options.teenyc, HERE / "wrong.c"), in_teenyc)]
    skipped = 0
    if shutil.which(options.clangd):
        session = Session(options.clangd)
        results.append(compare("clangd", session.diagnose(HERE / "right.c"), {}))
        said = session.diagnose(HERE / "wrong.c")
        results.append(compare("clangd", said, in_clangd))
        results.append(compare_page(version_of(options.clangd), said, options.update))
        session.close()
    else:
        skipped = 3
        print(f"{options.clangd} is not installed: skipped")
    for fault in sum(results, []):
        print(fault)
    failed = sum(bool(faults) for faults in results)
    print(f"{len(results) - failed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
