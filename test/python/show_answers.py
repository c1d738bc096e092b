"""Shows an answer and a client as a notebook does, and lists what files that reads: BASE_URL API_KEY."""

import sys
from typing import Any

from floe_client import Client
from floe_client.answers import Answer

opened: list[str] = []


def note(event: str, arguments: tuple[Any, ...]) -> None:
    # Python itself loads modules when they are needed.
    if event == "open" and not str(arguments[0]).startswith((sys.prefix, sys.base_prefix)):
        opened.append(str(arguments[0]))


with Client(base_url=sys.argv[1], deployment="tiles", org="acme", api_key=sys.argv[2]) as client:
    sys.addaudithook(note)
    info = client.info("weather", "main", "wind/speed")
    print(opened)
    print(sys.argv[2] in repr(client), repr(client).replace(sys.argv[1], "URL"))
    assert isinstance(info, Answer)
    print(info._repr_html_())
hostile: Any = ["<script>alert(1)</script>"]
for _ in range(500):
    hostile = {"<b>": hostile}
print(Answer(hostile)._repr_html_())
print(Answer(numbers=list(range(1000)), rows=[{"a": one} for one in range(102)])._repr_html_())
