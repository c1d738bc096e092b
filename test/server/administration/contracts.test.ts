// Contracts of branches: repositories that official Icechunk wrote, over HTTP.
import { parseNotification } from '@floe/client'
import {
  AttachedContract,
  AttachedContractDocument,
  Problem,
  RepositorySummary,
  SentContractEvent,
} from '@floe/contract'
import { applyDeclaredContracts, openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { follow } from '../metadata/events/follow.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { basic, type ServerOptions } from '../start-server.ts'
import { startAdministration } from './start-administration.ts'

const path = 'repos/sea/contracts'

/** What `s1` keeps: `s2` changes the units of `depth`. */
const document = { version: 1 as const, datasets: { sea: { variables: { depth: { units: 'm' } } } } }
const units = { name: 'tile server', branch: 'main', contract: document }

/** A repository whose `main` is at `s1`. */
async function openRefs(t: Test) {
  const refs = await openMovableRefs(t)
  await refs.point('branch.main', 's1')
  return refs
}

/** A server of a repository whose `main` a test moves among the commits `s1` to `s4`. */
async function start(t: Test, { source, point }: Awaited<ReturnType<typeof openRefs>>, options?: ServerOptions) {
  const server = await startAdministration(t, { sources: [source], ...options })
  const attach = async (body: object = units) => {
    const response = await server.administer('POST', path, body)
    t.equal(response.status, 201)
    return AttachedContract.parse(await response.json())
  }
  const read = async (id: string) =>
    AttachedContractDocument.parse(await (await server.administer('GET', `${path}/${id}`)).json())
  const move = async (to: string) => {
    await point('branch.main', to)
    t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  }
  const listEvents = async () => {
    const rows = await server.db
      .selectFrom('events')
      .select(['payload', 'line', 'sequence'])
      .orderBy('number')
      .execute()
    return rows.flatMap(({ payload, ...row }) => {
      const event = SentContractEvent.safeParse(JSON.parse(payload)).data
      return event === undefined ? [] : [{ ...row, ...event }]
    })
  }
  const readSummary = async () => RepositorySummary.parse(await (await server.get('repositories/sea')).json()).contracts
  const readPage = async () => {
    const page = await (await server.get(`${server.meta}/discovery/sea`, { accept: 'text/html' })).text()
    return page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  }
  return { server, attach, read, move, listEvents, readSummary, readPage }
}

// Proves: each change of the state of a contract is told once
t.test('a contract that a branch breaks and keeps again is told once each', async (t) => {
  const { server, attach, read, move, listEvents, readSummary, readPage } = await start(t, await openRefs(t))
  t.strictSame(await readSummary(), [])
  t.notMatch(await readPage(), /contract/)
  const { id, ...attached } = await attach()
  t.match(attached, { name: 'tile server', branch: 'main', state: 'kept', broken_since: null, breaks: [] })
  t.strictSame(await listEvents(), [], 'one that is kept from the beginning tells nothing')
  t.match(await readPage(), /keeps its contract tile server/)
  t.match(await read(id), { ...attached, contract: document })
  await move('s2')
  const broken = await read(id)
  t.match(broken, { state: 'broken', breaks: ['sea: units of depth is fathom, must be m'], breaking_changes: 1 })
  await move('s3')
  const [first, ...others] = await listEvents()
  t.strictSame(others, [], 'it is still broken')
  t.match(first, {
    event: 'ContractBroken',
    sequence: 1,
    line: 'acme/sea branch main breaks its contract tile server: sea: units of depth is fathom, must be m',
    details: {
      contract_id: id,
      contract_name: 'tile server',
      snapshot_id: broken.snapshot_id,
      broken_since: broken.broken_since,
      changes: [{ group: 'sea', kind: 'units-changed', variable: 'depth', before: 'm', after: 'fathom' }],
    },
  })
  t.match(await readSummary(), [{ name: 'tile server', state: 'broken', breaks: broken.breaks }])
  t.match(await readPage(), /breaks its contract tile server since .*sea: units of depth is fathom, must be m/)
  await move('s1')
  const [, second, ...more] = await listEvents()
  t.strictSame(more, [])
  t.match(second, {
    event: 'ContractKept',
    sequence: 2,
    line: 'acme/sea branch main keeps its contract tile server again',
    details: { broken_since: broken.broken_since, changes: [], breaking_changes: 0 },
  })
  t.match(await readSummary(), [{ state: 'kept', broken_since: null, breaks: [] }])
  t.equal((await server.administer('DELETE', `${path}/${id}`)).status, 204)
  t.strictSame(await readSummary(), [])
})

t.test('each contract that was judged has a gauge, which says whether it is broken', async (t) => {
  const { server, attach, move } = await start(t, await openRefs(t), { hasOperator: true })
  const readGauges = async () => {
    const authorization = basic('acme', server.adminKey)
    const text = await (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
    return text.split('\n').filter((line) => line.startsWith('floe_contract_'))
  }
  t.strictSame(await readGauges(), [])
  await attach()
  const series = 'floe_contract_broken{org="acme",repo="sea",branch="main",contract="tile server"}'
  t.strictSame(await readGauges(), [`${series} 0`])
  await move('s2')
  t.strictSame(await readGauges(), [`${series} 1`])
})

// Proves: a service that was down tells once which contracts are broken when it is back
t.test('after a pause of the service, a broken contract is told once', async (t) => {
  const refs = await openRefs(t)
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  await t.test('it is kept', async (t) => {
    const { attach } = await start(t, refs, { db })
    t.match(await attach(), { state: 'kept' })
  })
  await refs.point('branch.main', 's2')
  for (const when of ['when it is back', 'and not again later'])
    await t.test(when, async (t) => {
      const { server, listEvents, readSummary } = await start(t, refs, { db })
      // Checks and judges the repository, as the first poll does.
      const expectation = { branch: 'main', max_age: '3652d' }
      t.equal((await server.administer('POST', 'repos/sea/expectations', expectation)).status, 201)
      t.match(await readSummary(), [{ state: 'broken' }])
      t.strictSame(
        (await listEvents()).map(({ event }) => event),
        ['ContractBroken'],
      )
    })
})

t.test('a contract that is broken when it is attached is told at once; another document is judged again', async (t) => {
  const { server, attach, move, listEvents } = await start(t, await openRefs(t))
  await move('s2')
  const names = async () => (await listEvents()).map(({ event, sequence }) => `${event} #${sequence}`)
  const { id, state } = await attach()
  t.equal(state, 'broken')
  t.strictSame(await names(), ['ContractBroken #1'])
  const patch = (body: object, version: number) =>
    server.administer('PATCH', `${path}/${id}`, body, { 'if-match': `"${version}"` })
  const depth = { ...document, datasets: { sea: { variables: { depth: { units: 'fathom' } } } } }
  const changed = await patch({ contract: depth }, 1)
  t.equal(changed.headers.get('etag'), '"2"')
  t.match(await changed.json(), { state: 'kept', broken_since: null })
  t.strictSame(await names(), ['ContractBroken #1', 'ContractKept #2'])
  t.match(await (await patch({ name: 'maps' }, 1)).json(), { type: '/problems/precondition-failed' })
  t.match(await (await patch({ branch: 'nowhere', name: 'maps' }, 2)).json(), { state: null, snapshot_id: null })
  t.strictSame((await server.administer('GET', path)).status, 200)
  const { items } = await (await server.administer('GET', path)).json()
  t.match(items, [{ id, name: 'maps', branch: 'nowhere' }])
  t.notOk('contract' in items[0], 'lists have no documents')
  t.equal((await server.administer('DELETE', `${path}/${id}`, undefined, { 'if-match': '"2"' })).status, 412)
  t.equal((await server.administer('DELETE', `${path}/${id}`)).status, 204)
  t.match(await (await server.administer('GET', `${path}/${id}`)).json(), { type: '/problems/contract-not-found' })
  const audit = (await (await server.administer('GET', 'repos/sea/audit')).json()).items
  t.strictSame(
    audit.map(({ action }: { action: string }) => action),
    ['contract.delete', 'contract.update', 'contract.update', 'contract.create'],
  )
  t.match(audit.at(-1).after, { name: 'tile server', branch: 'main', document_sha256: /^[0-9a-f]{64}$/ })
  t.strictSame(await names(), ['ContractBroken #1', 'ContractKept #2'], 'a deletion tells nothing')
})

t.test('another branch is watched and judged, and streams carry the events of their branches', async (t) => {
  const refs = await openRefs(t)
  const { server, attach } = await start(t, refs)
  const query = 'events=ContractBroken&events=ContractKept'
  const dev = await follow(t, `${server.meta}/events?${query}&branches=dev`, server.apiKey)
  const main = await follow(t, `${server.meta}/events?${query}`, server.apiKey)
  t.match(await attach({ ...units, branch: 'dev' }), { state: null, snapshot_id: null })
  await refs.point('branch.dev', 's2')
  t.equal((await server.administer('POST', 'repos/sea/refresh')).status, 200)
  await dev.until(({ messages }) => messages.length === 1)
  t.equal(parseNotification(dev.messages[0]?.data ?? '').event, 'ContractBroken')
  t.strictSame(main.messages, [])
})

t.test('what a contract must not have is refused with its place, and what is too large with the limit', async (t) => {
  const { server, attach } = await start(t, await openRefs(t))
  const refuse = async (status: number, body: object, method = 'POST', address = path) => {
    const response = await server.administer(method, address, body)
    t.equal(response.status, status)
    return Problem.parse(await response.json())
  }
  const places = async (body: object) => (await refuse(400, body)).errors?.map(({ pointer }) => pointer)
  t.strictSame(await places({ ...units, contract: { ...document, version: 2 } }), ['/body/contract/version'])
  t.strictSame(await places({ ...units, contract: { ...document, more: 1 } }), ['/body/contract/more'])
  t.strictSame(await places({ ...units, contract: null }), ['/body/contract'])
  t.strictSame(await places({ name: 'x', branch: 'main' }), ['/body/contract'])
  t.strictSame(await places({ ...units, more: 1 }), ['/body/more'])
  t.strictSame(await places({ ...units, name: ' ' }), ['/body/name'])
  t.strictSame(await places({ ...units, branch: 'ma*' }), ['/body/branch'])
  const dtype = { version: 1, datasets: { 'a/b': { variables: { v: { dtype: 'i4' } } } } }
  t.strictSame(await places({ ...units, contract: dtype }), ['/body/contract/datasets/a~1b/variables/v/dtype'])
  const variables = (count: number, variable: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, variable]))
  const many = { version: 1, datasets: { sea: { variables: variables(10_001, {}) } } }
  t.match(await refuse(413, { ...units, contract: many }), { detail: 'The contract has more than 10,000 variables' })
  const long = { version: 1, datasets: { sea: { variables: { depth: { units: 'm'.repeat(1_048_560) } } } } }
  t.match(await refuse(413, { ...units, contract: long }), { detail: 'The contract has more than 1 MiB' })
  t.match(await refuse(413, { ...units, filler: 'x'.repeat(1_100_000) }), { detail: /longer than 1028 KiB/ })
  const { id } = await attach()
  const address = `${path}/${id}`
  t.match(await refuse(400, { contract: { version: 3 } }, 'PATCH', address), {
    errors: [{ pointer: '/body/contract/version' }, { pointer: '/body/contract/datasets' }],
  })
  const largest = { version: 1 as const, datasets: { sea: { variables: variables(10_000, { units: 'm' }) } } }
  const attached = await attach({ ...units, contract: largest })
  t.match(attached, { state: 'broken', breaking_changes: 10_000 })
  t.equal(attached.breaks.length, 10)
  const read = AttachedContractDocument.parse(await (await server.administer('GET', `${path}/${attached.id}`)).json())
  t.strictSame(read.contract, largest)
})

t.test('a 21st contract is refused, and so is a change of one that the file declares', async (t) => {
  const { server, attach } = await start(t, await openRefs(t))
  const { name, branch, contract } = units
  const declared = { org: 'acme', repos: 's*', name, branch, document: JSON.stringify(contract) }
  await applyDeclaredContracts(server.db, [declared], new Date())
  const { items } = await (await server.administer('GET', path)).json()
  t.match(items, [{ name, declared: true }])
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { name: 'other' } : undefined
    t.match(await (await server.administer(method, `${path}/${items[0].id}`, body)).json(), {
      status: 409,
      type: '/problems/declared-in-file',
    })
  }
  for (let count = 1; count < 20; count++) await attach()
  t.match(await (await server.administer('POST', path, units)).json(), {
    status: 409,
    type: '/problems/too-many-contracts',
    detail: 'The repository has 20 contracts, which is the maximum',
  })
})
