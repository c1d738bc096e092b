// `floe contract` on repositories that official Icechunk wrote.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatasetContract } from '@floe/contract'
import { t } from 'tap'
import { fixtures } from '../../../start-server.ts'
import { runHere } from '../run-here.ts'

const weather = join(fixtures, 'weather')

async function writeContract(...args: string[]): Promise<{ contract: DatasetContract; text: string }> {
  const { code, out } = await runHere(['contract', ...args])
  if (code !== 0) throw new Error(`floe contract has ended with ${code}`)
  return { contract: DatasetContract.parse(JSON.parse(out)), text: out }
}

t.test('a contract has the names, types, roles and units of each dataset, and no sizes', async (t) => {
  const { contract } = await writeContract(weather)
  const { forecast } = contract.datasets
  t.match(forecast, {
    dimensions: { time: {}, latitude: {} },
    variables: {
      temperature: {
        type: 'float64',
        dimensions: ['time', 'latitude', 'longitude'],
        role: 'data',
        units: 'degC',
        standard_name: 'air_temperature',
      },
      time: { role: 'coordinate' },
    },
  })
  t.strictSame(forecast?.dimensions?.['time'], {})
})

// Proves: every repository keeps the contract that `floe contract` writes of it
t.test('each repository keeps its own contract', async (t) => {
  const file = join(t.testdir(), 'contract.json')
  for (const name of [
    'weather',
    'weather-v1',
    'satellite',
    'many-variables',
    'reported',
    'types',
    'types-v1',
    'empty',
  ]) {
    const { text } = await writeContract(join(fixtures, name), 'main')
    await writeFile(file, text)
    const { code, out } = await runHere(['diff', join(fixtures, name), 'main', '--contract', file])
    t.match({ code, out }, { code: 0, out: /^identical: / }, name)
  }
})

t.test('a group restricts the contract', async (t) => {
  const { contract } = await writeContract(weather, 'main', '--group', '/wind')
  t.ok(Object.keys(contract.datasets).length > 0)
  t.ok(Object.keys(contract.datasets).every((path) => path === 'wind' || path.startsWith('wind/')))
  t.match(await runHere(['contract', weather, 'main', '--group', 'nowhere']), { code: 1, err: /no group "nowhere"/ })
})

t.test('a dataset that cannot be opened is left out, and named', async (t) => {
  const { out, err } = await runHere(['contract', join(fixtures, 'types')])
  t.match(err, 'floe: warning: left out packing/scale-list-of-two: ')
  t.notOk('packing/scale-list-of-two' in JSON.parse(out).datasets)
})
