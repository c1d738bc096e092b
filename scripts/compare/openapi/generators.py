"""Generate clients with openapi-generator, compile them, and call a running Floe with them.

    npm run compare -- generators [LANGUAGE...]

Needs scripts/compare/requirements.txt, and Java. Go, Rust, Java and Kotlin are checked if their compilers are on the path,
Rust, Java and Kotlin without the libraries of the generated clients: names that are declared twice, wrong types and
mistakes of syntax are found, unknown names are not. The clients for Python, TypeScript and Go make five typed calls, and
must get what the service answers. Prints why a step is skipped; exits with 1 if one fails.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from compare.floe_server import DEPLOYMENT, NODE, ORG, serve_directory
from compare.openapi.client_programs import GO, PYTHON, TYPESCRIPT

DOCUMENT = Path("contract/openapi.json")
SAMPLE = Path("test/fixtures/repositories/weather")
ROOT = Path.cwd()
# Debian's package golang-gopkg-validator.v2-dev, which the client for Go imports.
GO_MODULE = Path("/usr/share/gocode/src/gopkg.in/validator.v2")
# By default, the client for Kotlin merges the members of all alternatives into one class.
OPTIONS = {"kotlin": "generateOneOfAnyOfWrappers=true,serializationLibrary=gson"}
# What javac, kotlinc and rustc say because libraries are missing.
WITHOUT_LIBRARIES = {
    "java": r"doesnt\.exist|cant\.resolve|does\.not\.override|except\.never\.thrown|unreported\.exception",
    "kotlin": r"unresolved reference|cannot infer type|overrides nothing|property delegate must|ApiClient\.kt",
    "rust": r"cannot find|can't find crate|unresolved import|aborting due to",
}


class SkippedError(Exception):
    """A step cannot be taken on this machine."""


def main() -> int:
    chosen = sys.argv[1:] or list(STEPS)
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        (work / "state").mkdir()
        shutil.copytree(SAMPLE, work / "repositories" / SAMPLE.name)
        with serve_directory(work / "repositories", work / "state") as client:
            wait_for_index(client)
            for language in chosen:
                generate(language, work / language)
                for name, step in STEPS[language].items():
                    try:
                        print(language, name, step(work / language, client), flush=True)
                    except SkippedError as reason:
                        print(language, name, f"skipped: {reason}", flush=True)
                    except AssertionError as fault:
                        print(language, name, f"FAILED: {fault}", flush=True)
                        failed += 1
    return int(failed > 0)


def wait_for_index(client: httpx2.Client) -> None:
    """Wait until all samples can be found, so that every client gets the same answer."""
    deadline = time.monotonic() + 240
    # 503 while the machine is too busy.
    while (answer := client.get("/search")).status_code == 503 or answer.json()["index"]["pending"] > 0:
        assert time.monotonic() < deadline, f"the samples are not indexed: {answer.text[:200]}"
        time.sleep(0.2)


def generate(language: str, directory: Path) -> None:
    command = [str(Path(sys.executable).with_name("openapi-generator-cli")), "generate", "-g", language]
    options = [f"--additional-properties={OPTIONS[language]}"] if language in OPTIONS else []
    run([*command, "-i", str(DOCUMENT), "-o", str(directory), *options], ROOT)


def expected_answers(client: httpx2.Client) -> dict[str, Any]:
    """What the five calls of each client program print."""
    info = client.get("/datasets/weather/main/wind%2Fspeed/info").raise_for_status().json()
    found = client.get("/search", params={"units": ["degC", "m/s"], "limit": 1}).raise_for_status().json()
    return {
        "repositories": client.get("/discovery").raise_for_status().json(),
        "branches": client.get("/discovery/weather").raise_for_status().json()["branches"],
        "units": info["variables"]["wind_speed"]["attributes"]["units"],
        "found": [found["total"], len(found["results"])],
        "problem": client.get("/discovery/nowhere").json()["code"],
    }


def compare_answers(printed: str, client: httpx2.Client) -> str:
    answers, expected = json.loads(printed), expected_answers(client)
    assert answers == expected, f"{answers} in place of {expected}"
    return "five calls answered"


def call_python(directory: Path, client: httpx2.Client) -> str:
    command = [sys.executable, "-c", PYTHON, *addresses(client)]
    return compare_answers(run(command, directory, PYTHONPATH=str(directory)), client)


def import_python(directory: Path, _client: httpx2.Client) -> str:
    run([sys.executable, "-c", IMPORT_ALL], directory, PYTHONPATH=str(directory))
    return "imports"


IMPORT_ALL = """
import importlib, openapi_client, pkgutil
for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'):
    importlib.import_module(module.name)
"""


def compile_typescript(directory: Path, _client: httpx2.Client) -> str:
    options = {"strict": True, "target": "es2022", "module": "es2022", "moduleResolution": "bundler", "types": []}
    library = {"lib": ["es2022", "dom", "dom.iterable"], "outDir": "built"}
    (directory / "call.ts").write_text(TYPESCRIPT, encoding="utf-8")
    configuration = {"compilerOptions": {**options, **library}, "files": ["call.ts"]}
    (directory / "tsconfig.json").write_text(json.dumps(configuration), encoding="utf-8")
    run([str(ROOT / "node_modules/.bin/tsc"), "--project", str(directory)], ROOT)
    return "compiles"


def call_typescript(directory: Path, client: httpx2.Client) -> str:
    # The generated imports have no endings, which bundlers add.
    bundle = ["node_modules/.bin/rolldown", str(directory / "built/call.js"), "--file", str(directory / "call.mjs")]
    run(bundle, ROOT)
    return compare_answers(run([NODE[0], str(directory / "call.mjs"), *addresses(client)], ROOT), client)


def compile_go(directory: Path, _client: httpx2.Client) -> str:
    require("go")
    if not GO_MODULE.is_dir():
        raise SkippedError(f"{GO_MODULE} is not there, which has the module that the client imports")
    module = "gopkg.in/validator.v2"
    # `go` takes the module from `vendor/` instead of the network.
    shutil.copytree(GO_MODULE, directory / "vendor" / module, ignore=shutil.ignore_patterns("*_test.go"))
    (directory / "vendor/modules.txt").write_text(f"# {module} v2.0.1\n## explicit\n{module}\n", encoding="utf-8")
    (directory / "call").mkdir()
    (directory / "call/main.go").write_text(GO, encoding="utf-8")
    run(["go", "build", "-gcflags=-e", "-o", "call-service", "./call"], directory, **GO_OFFLINE)
    return "compiles"


GO_OFFLINE = {"GOFLAGS": "-mod=vendor", "GOTOOLCHAIN": "local", "GOPROXY": "off"}


def call_go(directory: Path, client: httpx2.Client) -> str:
    if not (directory / "call-service").exists():
        raise SkippedError("it is not compiled")
    return compare_answers(run([str(directory / "call-service"), *addresses(client)], directory), client)


def check_without_libraries(language: str, command: list[str], error: str) -> Callable[[Path, httpx2.Client], str]:
    """Compile, and excuse the errors that come from missing libraries. `error` matches a line with an error."""

    def check(directory: Path, _client: httpx2.Client) -> str:
        require(command[0])
        sources = [str(file) for file in sorted(directory.glob("src/main/**/*.java"))] if language == "java" else []
        # rustc understands this variable; other compilers ignore it.
        done = subprocess.run([*command, *sources], cwd=directory, check=False, capture_output=True, text=True, timeout=900)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if re.search(error, line)]
        assert lines or done.returncode == 0, f"{command[0]} failed: {done.stderr[:500]}"
        faults = [line for line in lines if not re.search(WITHOUT_LIBRARIES[language], line)]
        assert not faults, "\n".join(faults[:20])
        return "has no fault that shows without its libraries"

    return check


def require(program: str) -> None:
    if shutil.which(program) is None:
        raise SkippedError(f"{program} is not on the path")


def addresses(client: httpx2.Client) -> list[str]:
    base = client.base_url
    return [f"{base.scheme}://{base.netloc.decode()}", DEPLOYMENT, ORG]


def run(command: list[str], directory: Path, **environment: str) -> str:
    variables = {**os.environ, **environment}
    done = subprocess.run(command, cwd=directory, env=variables, check=False, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"{command[0]}: {(done.stdout + done.stderr)[-2000:]}"
    return done.stdout


JAVAC = ["javac", "-proc:none", "--should-stop=ifError=FLOW", "-XDrawDiagnostics", "-Xmaxerrs", "1000000", "-d", "classes"]
KOTLINC = ["kotlinc", "-nowarn", "-d", "client.jar", "src/main"]
RUSTC = ["rustc", "--edition=2021", "--crate-type=lib", "--emit=metadata", "-o", "client.rmeta", "src/lib.rs"]
# For each language, what is done with the generated client.
STEPS: dict[str, dict[str, Callable[[Path, httpx2.Client], str]]] = {
    "python": {"import": import_python, "call": call_python},
    "typescript-fetch": {"compile": compile_typescript, "call": call_typescript},
    "go": {"compile": compile_go, "call": call_go},
    "rust": {"compile": check_without_libraries("rust", RUSTC, r"^error")},
    "java": {"compile": check_without_libraries("java", JAVAC, r"compiler\.err")},
    "kotlin": {"compile": check_without_libraries("kotlin", KOTLINC, r"error: ")},
}


if __name__ == "__main__":
    sys.exit(main())
