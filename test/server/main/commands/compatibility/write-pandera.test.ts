// `floe contract --format pandera`, whose schemas pandera applies to what xarray opens.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DatasetContract } from '@floe/contract'
import { t } from 'tap'
import { writePandera } from '../../../../../server/main/commands/compatibility/write-pandera.ts'
import { findPython } from '../../../../find-python.ts'
import { fixtures } from '../../../start-server.ts'
import { runHere } from '../run-here.ts'

const python = findPython('icechunk, pandera.xarray')
const run = (program: string, ...args: string[]) => promisify(execFile)(python.command, ['-c', program, ...args])

const judge = `
import runpy, sys
import icechunk, xarray
from pandera.errors import SchemaError, SchemaErrors
module, location = sys.argv[1:]
store = icechunk.Repository.open(icechunk.local_filesystem_storage(location)).readonly_session("main").store
for group, schema in runpy.run_path(module)["schemas"].items():
    dataset = xarray.open_zarr(store, group=group or None, consolidated=False, chunks=None)
    schema.validate(dataset)
    for name in [*dataset.data_vars, *dataset.coords]:
        variable = dataset[name]
        changes = {"type": xarray.zeros_like(variable, dtype="S7"), "missing": None}
        for attribute in {"units", "standard_name"} & set(variable.attrs):
            changes[attribute] = variable.assign_attrs({attribute: "other"})
        for kind, changed in changes.items():
            if kind != "missing" and name in dataset.indexes:
                continue
            broken = dataset.drop_vars(name) if changed is None else dataset.assign({name: changed})
            try:
                schema.validate(broken)
                print("kept", repr(group), name, kind)
            except (SchemaError, SchemaErrors):
                print("broken")
`

t.test('pandera accepts each sample, and refuses it once it breaks the contract', { skip: python.skip }, async (t) => {
  for (const name of ['weather', 'satellite']) {
    const location = join(fixtures, name)
    const { code, out, err } = await runHere(['contract', location, '--format', 'pandera'])
    t.equal(code, 0, err)
    const module = join(t.testdir({}), `${name}.py`)
    await writeFile(module, out)
    const { stdout } = await run(judge, module, location)
    t.match(stdout, /^broken$/m)
    t.notMatch(stdout, /^kept .*$/m)
  }
})

t.test('names and units become texts, and what pandera cannot read becomes checks', async (t) => {
  const units = '^"\u2028\\'
  const contract: DatasetContract = {
    version: 1,
    datasets: {
      '': { variables: { 'a"\n': { role: 'data', type: 'StringDType()', dimensions: ['x', null], units } } },
    },
  }
  t.match(
    writePandera(contract),
    String.raw`
            "a\"\n": DataVar(dims=("x", None,), nullable=True, checks=[has("type", "StringDType()"), has("units", "^\"\U00002028\\")]),
`,
  )
  t.match(await runHere(['contract', 'nowhere', '--format', 'yaml']), {
    code: 2,
    err: /--format must be json or pandera/,
  })
})
