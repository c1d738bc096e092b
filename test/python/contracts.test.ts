// Contracts that the Python client writes from schemas of pandera.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DatasetContract } from '@floe/contract'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { writePandera } from '../../server/main/commands/compatibility/write-pandera.ts'
import { findPython } from '../find-python.ts'
import { runHere } from '../server/main/commands/run-here.ts'
import { fixtures } from '../server/start-server.ts'

const { command, skip } = findPython('httpx, pandera.xarray')

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const Written = z.tuple([DatasetContract, z.array(z.string())])

async function run(...args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, PYTHONPATH: here('../../python') }
  const { stdout } = await promisify(execFile)(command, [here('contract_from_pandera.py'), ...args], { env })
  return JSON.parse(stdout)
}

/** Writes a contract as schemas, and a contract from these. */
async function goThere(t: Test, contract: DatasetContract) {
  const module = join(t.testdir(), 'schemas.py')
  await writeFile(module, writePandera(contract))
  const [back, leftOut] = Written.parse(await run(module))
  return { back, leftOut }
}

t.test('a contract that became schemas becomes the same contract again', { skip }, async (t) => {
  for (const name of ['weather', 'satellite']) {
    const { out } = await runHere(['contract', join(fixtures, name)])
    const contract = DatasetContract.parse(JSON.parse(out))
    t.strictSame(await goThere(t, contract), { back: contract, leftOut: [] })
  }
  const hostile = { units: '^"\u2028\\', standard_name: '^a' }
  const contract: DatasetContract = {
    version: 1,
    datasets: {
      '': {
        dimensions: { 'x"': {}, y: { size: 5 } },
        variables: {
          'a"\n': { role: 'data', type: 'StringDType()', dimensions: ['x"'], ...hostile },
          c: { role: 'coordinate', type: "[('re', '<f4')]", dimensions: [], ...hostile },
          d: { role: 'data' },
        },
      },
      'a/b': { dimensions: {}, variables: {} },
    },
  }
  t.strictSame(await goThere(t, contract), { back: contract, leftOut: [] })
})

t.test('a dimension without a name is any dimension to pandera, so it is left out', { skip }, async (t) => {
  const variables = { v: { role: 'data' as const, dimensions: ['x', null] } }
  const { back, leftOut } = await goThere(t, { version: 1, datasets: { a: { dimensions: {}, variables } } })
  t.strictSame(back.datasets, { a: { dimensions: {}, variables: { v: { role: 'data' } } } })
  t.strictSame(leftOut, ['a/v: dims'])
})

t.test('what no contract can state is named', { skip }, async (t) => {
  const [root, below] = z.tuple([Written, Written]).parse(await run())
  t.strictSame(root, [
    {
      version: 1,
      datasets: {
        '': {
          dimensions: { time: {}, lat: { size: 5 } },
          variables: {
            t2m: { role: 'data', type: 'float64', units: 'K' },
            tp: { role: 'data', dimensions: ['time', 'lat'], standard_name: 'rain' },
            wind: { role: 'data' },
            time: { role: 'coordinate', dimensions: ['time'] },
            lat: { role: 'coordinate' },
          },
        },
      },
    },
    [
      '/: dims',
      '/: attrs',
      '/: strict',
      't2m: nullable=False',
      't2m: dims',
      "t2m: attrs['title']",
      'rain: chunked',
      'rain: dtype',
      "rain: attrs['units']",
      'rain: check positive',
      'snow: all of it, because a contract has only variables that must exist',
      'lat: coerce',
    ],
  ])
  t.strictSame(below, [
    { version: 1, datasets: { below: { dimensions: {}, variables: { time: { role: 'coordinate' } } } } },
    ['below: strict_coords'],
  ])
})
