// The addresses that pages, the client and the Python package build are the same.
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildAddress, contract, fillPath, listRoutes, metaPrefix, writePattern } from '@floe/contract'
import { t } from 'tap'
import { z } from 'zod'
import { formatAddress } from '../../client/requests/url.ts'
import { findPython } from '../find-python.ts'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const Names = z.record(z.string(), z.string())
const Filled = z.array(z.tuple([z.string(), Names, z.string()]))
const Cases = z.object({ addresses: Filled, trimmed: Filled, refused: z.array(z.tuple([z.string(), Names])) })

const { addresses, trimmed, refused } = Cases.parse(JSON.parse(await readFile(here('addresses.json'), 'utf8')))

const root = 'https://floe.example.org'

t.test('pages write names into paths', async (t) => {
  for (const [path, names, address] of addresses) t.equal(fillPath(path, names), address)
  t.throws(() => fillPath<string>('/discovery/:repo', {}), { message: 'repo is missing' })
  t.equal(buildAddress('/below/v1', '/v1/orgs/:org/audit', { org: 'acme' }), '/below/v1/orgs/acme/audit')
})

t.test('the client writes the same', async (t) => {
  for (const [path, names, address] of [...addresses, ...trimmed])
    t.equal(formatAddress(root, path, names).href, root + address)
  for (const [path, names] of refused)
    t.throws(() => formatAddress(root, path, names), TypeError, JSON.stringify(names))
})

const { command, skip } = findPython('urllib.parse')

t.test('the Python package writes the same', { skip }, async (t) => {
  const noTexts = [
    { repo: null, group: '' },
    { repo: 'a', group: null },
  ].map((names) => ['/:repo/:group', names])
  const input = JSON.stringify([...addresses, ...trimmed, ...refused, ...noTexts])
  const args = ['../python/fill_paths.py', '../../python/floe_client/addresses.py'].map(here)
  t.strictSame(JSON.parse(execFileSync(command, args, { input, encoding: 'utf8' })), [
    ...[...addresses, ...trimmed].map(([, , address]) => address),
    ...refused.map(() => null),
    'TypeError: repo must be a str, not None',
    'TypeError: group must be a str, not None',
  ])
})

t.test('what is not generated of the Python package asks at addresses of the contract', async (t) => {
  const program = await readFile(here('../../python/floe_client/client.py'), 'utf8')
  const asked = [...program.matchAll(/_find_snapshot\("([^"]+)"/g)].map(([, path = '']) => path)
  const known = new Set([...listRoutes(contract)].map(([, { path }]) => path))
  t.equal(asked.length, 2)
  for (const path of asked) t.ok(known.has(metaPrefix + path), path)
})

t.test('the pattern of a path finds the names in its address, and no other address', async (t) => {
  const names: Record<string, string> = {
    deployment: 'd',
    org: 'o',
    repo: 'a/b',
    ref: 'm',
    group: 'g',
    name: 'n',
    from: 'x',
    to: 'y',
  }
  for (const [id, { path }] of listRoutes(contract)) {
    const all = { id: '1', page: '2', code: 'c', ...names }
    const pattern = new RegExp(`^${writePattern(path)}$`)
    const { groups = {} } = pattern.exec(fillPath(path, all)) ?? {}
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    t.strictSame(
      Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]),
      parameters.map((name) => [name, all[name as keyof typeof all]]),
      id,
    )
    t.notMatch(`${fillPath(path, all)}/more`, pattern)
  }
  t.notMatch('/sitemap_xml', new RegExp(`^${writePattern('/sitemap.xml')}$`))
})
