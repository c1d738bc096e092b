"""Calls the service through the package that openapi-python-client generated: ORIGIN KEY."""

import json
import sys

from generated_client import AuthenticatedClient
from generated_client.api.datasets import datasets_group_dict, datasets_group_info, datasets_group_keys
from generated_client.api.discovery import discovery_refs, discovery_repositories
from generated_client.models import Problem

origin, key = sys.argv[1:]
service = ("tiles", "acme")
with AuthenticatedClient(base_url=origin, token=key, timeout=120) as client:
    refs = discovery_refs.sync(*service, "weather", client=client)
    dataset = (*service, "weather", "main", "wind/speed")
    info = datasets_group_info.sync_detailed(*dataset, client=client)
    etag = info.headers["etag"]
    dictionary = datasets_group_dict.sync(*dataset, client=client)
    missing = discovery_refs.sync(*service, "nowhere", client=client)
    assert isinstance(missing, Problem)
    answers = {
        "repositories": discovery_repositories.sync(*service, client=client),
        "refs": refs.to_dict(),
        "info": info.parsed.to_dict(),
        "units": info.parsed.variables["wind_speed"].attributes["units"],
        "dict": dictionary.to_dict(),
        "keys": datasets_group_keys.sync(*dataset, client=client),
        "again": datasets_group_info.sync_detailed(*dataset, client=client, if_none_match=etag).status_code,
        "problem": missing.type_,
    }
print(json.dumps(answers))
