"""Writes what schemas of pandera require as a contract."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from .models import ContractedDataset, ContractedDimension, ContractedVariable, DatasetContract

_ATTRIBUTES = ("units", "standard_name")

# Parameters of pandera that are read here, or that require nothing by themselves.
_WORDS = {"name", "title", "description", "metadata"}
_OF_DATASET = {"data_vars", "coords", "ordered_dims", "sizes", *_WORDS}
_OF_VARIABLE = {"dtype", "dims", "ordered_dims", "sizes", "attrs", "checks", "nullable", "alias", "default", *_WORDS}


def contract_from_pandera(schemas: Any) -> tuple[DatasetContract, list[str]]:
    """Write what schemas of `pandera.xarray` require as a contract.

    Args:
        schemas: The `DatasetSchema` of the root group, or a dictionary of such schemas by the paths of their groups, as
            `floe contract --format pandera` writes it.

    Returns:
        The contract, and a line for each requirement that no contract can state, such as
        `forecast/t2m: nullable=False`.
    """
    datasets: dict[str, ContractedDataset] = {}
    left_out: list[str] = []
    for group, schema in (schemas if isinstance(schemas, Mapping) else {"": schemas}).items():
        datasets[group], others = _read_dataset(schema, f"{group}/" if group else "")
        # With `dims`, pandera also rejects other dimensions.
        left_out += [f"{group or '/'}: {name}" for name in _list_given(schema, _OF_DATASET)] + others
    return {"version": 1, "datasets": datasets}, left_out


def _read_dataset(schema: Any, parent: str) -> tuple[ContractedDataset, list[str]]:
    variables: dict[str, ContractedVariable] = {}
    sizes = [dict.fromkeys(schema.dims or ()), schema.sizes]
    left_out: list[str] = []
    for role, entries in (("data", schema.data_vars), ("coordinate", schema.coords)):
        # A list has names alone. Such a variable must exist, like one whose entry is None.
        for key, entry in (entries if isinstance(entries, Mapping) else dict.fromkeys(entries or ())).items():
            if not getattr(entry, "required", True) or getattr(entry, "regex", False):
                left_out.append(f"{parent}{key}: all of it, because a contract has only variables that must exist")
                continue
            name = getattr(entry, "alias", None) or key
            variables[name], others = _read_variable(entry, role)
            sizes.append(getattr(entry, "sizes", None))
            left_out += [f"{parent}{key}: {other}" for other in others]
    return {"dimensions": _merge_sizes(sizes), "variables": variables}, left_out


def _merge_sizes(sizes: list[dict[str, int | None] | None]) -> dict[str, ContractedDimension]:
    dimensions: dict[str, ContractedDimension] = {}
    for name, size in (item for one in sizes for item in (one or {}).items()):
        dimension = dimensions.setdefault(name, {})
        if size is not None:
            dimension["size"] = size
    return dimensions


def _read_variable(entry: Any, role: Any) -> tuple[ContractedVariable, list[str]]:
    variable: Any = {"role": role}
    if entry is None:
        return variable, []
    left_out = _list_given(entry, _OF_VARIABLE)
    if not entry.nullable:
        left_out.append("nullable=False")
    if entry.dims is not None:
        # None is any dimension to pandera, and one without a name to a contract.
        if None in entry.dims or not getattr(entry, "ordered_dims", True):
            left_out.append("dims")
        else:
            variable["dimensions"] = list(entry.dims)
    for label, member, value in _list_members(entry):
        if member in ("type", *_ATTRIBUTES) and isinstance(value, str):
            variable[member] = value
        else:
            left_out.append(label)
    return variable, left_out


def _list_members(entry: Any) -> Iterator[tuple[str, str, Any]]:
    """List the members of a contract that a variable states, each after the word of pandera for it."""
    if entry.dtype is not None:
        yield "dtype", "type", _write_type(entry.dtype)
    attributes = getattr(entry, "attrs", None) or {}
    if isinstance(attributes, Mapping):
        for name, value in attributes.items():
            is_pattern = isinstance(value, str) and value.startswith("^")
            yield f"attrs[{name!r}]", name if name in _ATTRIBUTES else "", None if is_pattern else value
    else:
        yield "attrs", "", None
    for check in entry.checks:
        # As `has` of `floe contract --format pandera` makes them.
        value = check.statistics.get(check.name) if len(check.statistics) == 1 else None
        yield f"check {check.name}", check.name or "", value


def _write_type(dtype: Any) -> str | None:
    """Write a type as numpy does; None if it stands for several."""
    import numpy

    try:
        text = str(numpy.dtype(dtype))
    except TypeError:
        return None
    return None if text in ("<U0", "|S0", "|V0", "datetime64", "timedelta64") else text


def _list_given(entry: Any, others: set[str]) -> list[str]:
    """List the parameters that are not the default, but for these others."""
    return [
        one.name
        for one in inspect.signature(type(entry)).parameters.values()
        # pandera keeps an empty list where no checks or parsers are given.
        if one.name not in others and getattr(entry, one.name, one.default) not in (one.default, [])
    ]
