// What one client can do, the other can do too.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createAdminClient, createClient } from '@floe/client'
import { t } from 'tap'
import { z } from 'zod'
import { findPython } from '../find-python.ts'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Methods that only one client has, with the reason. */
const onlyTypeScript: Readonly<Record<string, string>> = {
  at: 'starts from a notification, of which Python programs pass the snapshot id',
  missed: 'the same',
  verify: 'compares the types that `floe types` writes for TypeScript',
  'versioned.info': 'reads only what has changed, as programs do that poll',
  'versioned.keys': 'the same',
  'versioned.dict': 'the same',
}
const onlyPython: Readonly<Record<string, string>> = {
  close: 'closes the pool of connections',
  open: 'opens a repository with icechunk',
  open_dataset: 'opens a dataset with xarray',
  open_good: 'finds what icechunk opens',
}

/** Lists the methods of a client, as Python spells names. */
function listMethods(client: object): string[] {
  return Object.entries(client)
    .flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : listMethods(value).map((method) => `${name}.${method}`),
    )
    .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

const { command, skip } = findPython('ast')

t.test('no client lacks a method that the other has', { skip }, async (t) => {
  const printed = execFileSync(command, [here('list_methods.py'), here('../../python/floe_client')], {
    encoding: 'utf8',
  })
  const { Client, AdminClient } = z.record(z.string(), z.array(z.string())).parse(JSON.parse(printed))
  const options = { baseUrl: 'https://floe.example.org/v1', org: 'acme' }
  const pairs = [
    [createClient({ ...options, deployment: 'demo' }), Client],
    [createAdminClient(options), AdminClient],
  ] as const
  const lacks = (has: readonly string[], all: readonly string[]) => all.filter((name) => !has.includes(name))
  const differences = pairs.map(([typescript, inPython = []]) => {
    const inTypescript = listMethods(typescript)
    t.ok(inTypescript.length > 20)
    return { python: lacks(inPython, inTypescript), typescript: lacks(inTypescript, inPython) }
  })
  const list = (names: readonly string[]) => [...new Set(names)].toSorted()
  t.strictSame(list(differences.flatMap(({ python }) => python)), list(Object.keys(onlyTypeScript)), 'Python lacks')
  t.strictSame(
    list(differences.flatMap(({ typescript }) => typescript)),
    list(Object.keys(onlyPython)),
    'TypeScript lacks',
  )
})
