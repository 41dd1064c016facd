"""check_info.py FILE: what `teeny info --json` printed is JSON, and says what it is to say."""

import json
import sys

report = json.load(open(sys.argv[1]))
expected = ["teeny", "environment", "trial", "auto", "devices", "driver", "compiler", "cache", "cpu", "ptxas",
            "variables"]
assert list(report) == expected, list(report)
assert report["trial"] == {"usable": True, "device": "cpu"}, report["trial"]
assert [each["name"] for each in report["devices"]] == ["cuda:0", "cpu", "emu"], report["devices"]
assert report["devices"][0]["usable"] is False and "CUDA driver" in report["devices"][0]["reason"]
assert report["compiler"]["usable"] is True and report["compiler"]["looked_at"][0]["found"] is True
assert isinstance(report["cache"]["size_bytes"], int) and report["cache"]["entries"] > 0
assert len(report["cpu"]["features"]) > 3, report["cpu"]
variables = {each["name"]: each["value"] for each in report["variables"]}
assert variables["TEENYC_PATH"].endswith("/teenyc") and variables["TEENY_LOG"] is None, variables
