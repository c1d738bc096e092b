"""Lists the public methods of both clients as JSON, from their sources: DIRECTORY of the package."""

import ast
import json
import sys
from pathlib import Path

classes = {
    node.name: node
    for file in sorted(Path(sys.argv[1]).glob("*.py"))
    for node in ast.parse(file.read_text()).body
    if isinstance(node, ast.ClassDef)
}


def list_methods(name: str) -> set[str]:
    """List the methods of a class and of those that it extends, and those of the members that `__init__` sets."""
    if name not in classes:
        return set()
    found = {one for base in classes[name].bases if isinstance(base, ast.Name) for one in list_methods(base.id)}
    for method in classes[name].body:
        if not isinstance(method, ast.FunctionDef):
            continue
        if not method.name.startswith("_"):
            found.add(method.name)
        for line in method.body if method.name == "__init__" else []:
            match line:
                case ast.Assign(targets=[ast.Attribute(attr=member)], value=ast.Call(func=ast.Name(id=kind))):
                    found |= {f"{member}.{one}" for one in list_methods(kind) if not member.startswith("_")}
    return found


print(json.dumps({name: sorted(list_methods(name)) for name in ("Client", "AdminClient")}))
