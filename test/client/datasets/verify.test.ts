// `verify` against a real service.
import { join } from 'node:path'
import { ContractBrokenError, createClient, type DatasetContracts } from '@floe/client'
import { datasetContractLimits } from '@floe/contract'
import { t } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { runHere } from '../../server/main/commands/run-here.ts'
import { fixtures, startServer } from '../../server/start-server.ts'
import { createTestClient } from '../create-test-client.ts'

const server = await startServer(t)

/** What `floe types --contracts` writes about the sample repositories. */
async function readContracts(directory: string, ...flags: string[]): Promise<DatasetContracts> {
  const file = join(directory, 'contracts.json')
  await runHere(['types', fixtures, ...flags, '--contracts', file])
  const { default: contracts } = await import(file, { with: { type: 'json' } })
  return contracts
}

/** Contracts that a dataset of `weather` keeps, but for some changes. */
const wrong: DatasetContracts = {
  weather: {
    main: {
      forecast: {
        variables: { temperature: { type: 'float32', units: 'K' }, precipitation: { units: 'kg m-2' }, lost: {} },
      },
    },
  },
}

t.test('each repository keeps the contracts that were written of it', async (t) => {
  const { origin, apiKey } = server
  const requests: string[] = []
  const floe = createTestClient(
    { origin, apiKey },
    {
      // A request that a busy machine does not answer in 30 s would be sent again.
      timeoutMs: 180_000,
      fetch: (input, init) => {
        const request = new Request(input, init)
        requests.push(`${request.method} ${new URL(request.url).pathname}`)
        return fetch(request)
      },
    },
  )
  const flags = ['--repo', 'weather', '--repo', 'satellite', '--ref', 'main', '--ref', 'v1.0']
  await floe.verify(await readContracts(t.testdir(), ...flags))
  const base = 'POST /v1/services/tiles/acme/_meta/compatibility'
  t.strictSame(requests.sort(), [`${base}/satellite/main`, `${base}/weather/main`, `${base}/weather/v1.0`])
  await t.resolves(floe.verify({}), 'nothing to keep')
})

// Proves: `verify` of the client rejects unless every ref keeps the contracts of its datasets
t.test('verify rejects with all that is broken, and where', async (t) => {
  const floe = createTestClient(server)
  const error = await floe.verify({ ...wrong, satellite: { main: { nowhere: {} } } }).catch((error: unknown) => error)
  if (!(error instanceof ContractBrokenError)) throw error
  t.match(
    error.changes.map(({ repo, ref, group, kind, variable }) => [repo, ref, group, kind, variable]),
    [
      ['weather', 'main', 'forecast', 'variable-removed', 'lost'],
      ['weather', 'main', 'forecast', 'type-changed', 'temperature'],
      ['weather', 'main', 'forecast', 'units-changed', 'temperature'],
      ['satellite', 'main', 'nowhere', 'dataset-removed', null],
    ],
  )
  t.match(error.changes[1], { before: 'float32', after: 'float64' })
  t.match(error.broken, [
    { repo: 'weather', ref: 'main', answer: { verdict: 'breaking' } },
    { repo: 'satellite', ref: 'main', answer: { verdict: 'breaking' } },
  ])
  t.equal(error.name, 'ContractBrokenError')
  t.equal(
    error.message,
    'Contracts of datasets are not kept: weather main (breaking), satellite main (breaking); ' +
      'forecast variable-removed lost; forecast type-changed temperature; forecast units-changed temperature; ...',
  )
})

t.test('a failed request is not a broken contract', async (t) => {
  const floe = createTestClient(server)
  await t.rejects(floe.verify({ nope: { main: { a: {} } } }), {
    name: 'ProblemResponseError',
    code: 'repository-not-found',
  })
  await t.rejects(floe.verify({ weather: { nope: { a: {} } } }), {
    name: 'ProblemResponseError',
    code: 'ref-not-found',
  })
  const reason = new Error('enough')
  await t.rejects(floe.verify(wrong, { signal: AbortSignal.abort(reason) }), reason)
})

const kept = {
  to_snapshot_id: '1CECHNKREP0F1RSTCMT0',
  verdict: 'identical',
  datasets: [],
  counts: {
    datasets: { breaking: 0, unknown: 0, compatible: 0 },
    changes: { breaking: 0, unknown: 0, compatible: 0 },
    notes: 0,
    not_compared: 0,
  },
  truncated: false,
}

/** A client whose service answers with these values, one after the other, and what it was asked. */
function answering(answers: readonly (object | number)[]) {
  const bodies: string[] = []
  let running = 0
  let most = 0
  const floe = createClient({
    baseUrl: 'https://floe.example.org/v1',
    deployment: 'tiles',
    org: 'acme',
    fetch: async (input, init) => {
      const answer = answers[Math.min(bodies.length, answers.length - 1)]
      most = Math.max(most, ++running)
      bodies.push(await new Request(input, init).text())
      await new Promise(setImmediate)
      running--
      if (typeof answer === 'number') return new Response(null, { status: answer, headers: { 'retry-after': '0' } })
      return Response.json(answer)
    },
  })
  return { floe, bodies, countMost: () => most }
}

t.test('a question that gets no answer is asked again, because it changes nothing', async (t) => {
  const { floe, bodies } = answering([503, kept])
  await floe.verify(wrong)
  t.equal(bodies.length, 2)
  t.equal(bodies[0], bodies[1])
})

t.test('an unknown verdict does not keep a contract', async (t) => {
  const { floe } = answering([{ ...kept, verdict: 'unknown', counts: { ...kept.counts, not_compared: 3 } }])
  await t.rejects(floe.verify(wrong), {
    name: 'ContractBrokenError',
    message: 'Contracts of datasets are not kept: weather main (unknown)',
    changes: [],
  })
})

t.test('few questions are asked at the same time, and none after a failure', async (t) => {
  const refs = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`b${index}`, { a: {} }]))
  const { floe, bodies, countMost } = answering([kept])
  await floe.verify({ weather: refs })
  t.equal(bodies.length, 50)
  t.equal(countMost(), 4)
  const failing = answering([400])
  await t.rejects(failing.floe.verify({ weather: refs }), { name: 'UnexpectedResponseError' })
  await new Promise(setImmediate)
  t.ok(failing.bodies.length < 9, `${failing.bodies.length} requests`)
})

t.test('contracts that are too large for one question are split', async (t) => {
  const limits = datasetContractLimits
  const variables = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, { units: 'x'.repeat(150) }]))
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, {}]))
  const cases = {
    bytes: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`g${index}`, { variables: variables(900) }])),
    datasets: Object.fromEntries(Array.from({ length: limits.datasets + 1 }, (_, index) => [`g${index}`, {}])),
    variables: { a: { variables: named(limits.variables) }, b: { variables: variables(1) } },
    dimensions: { a: { dimensions: named(limits.dimensions) }, b: { dimensions: named(1) } },
  }
  for (const [what, datasets] of Object.entries(cases)) {
    const { floe, bodies } = answering([kept])
    await floe.verify({ weather: { main: datasets } })
    t.equal(bodies.length, 2, what)
    const sent = bodies.map((body) => JSON.parse(body).datasets)
    t.strictSame(Object.assign({}, ...sent), datasets, what)
    t.ok(
      bodies.every((body) => Buffer.byteLength(body) <= limits.bytes),
      what,
    )
  }
})

t.test('members called __proto__ are not sent, because no contract can have them', async (t) => {
  const { floe, bodies } = answering([kept])
  const dataset = JSON.parse(
    '{"variables":{"__proto__":{},"v":{"dimensions":["__proto__"]}},"dimensions":{"__proto__":{}}}',
  )
  await floe.verify({ weather: { main: { a: dataset, ...JSON.parse('{"__proto__":{}}') } } })
  t.notMatch(bodies[0], '"__proto__":')
  t.match(bodies[0], '["__proto__"]')
})

t.test('types are those of the repository that a notification is about', async (t) => {
  type Known = {
    weather: { main: { 'wind/speed': { readonly variables: { readonly wind_speed: { readonly units: 'm s-1' } } } } }
  }
  const floe = createClient<Known>({
    baseUrl: `${server.origin}/v1`,
    deployment: 'tiles',
    org: 'acme',
    apiKey: server.apiKey,
  })
  const { snapshotId } = await floe.versioned.keys({ repo: 'weather', ref: 'main', group: 'wind/speed' })
  const details = { ...notification.details, org_name: 'acme', repo_name: 'weather', snapshot_id: snapshotId }
  const { variables } = await floe.at(details, { repo: 'weather', ref: 'main' }).info({ group: 'wind/speed' })
  t.equal(variables.wind_speed.attributes.units, 'm s-1')
  t.throws(() => floe.at({ ...details, repo_name: 'satellite' }, { repo: 'weather', ref: 'main' }), {
    name: 'TypeError',
    message: 'the notification is about satellite, but the types are those of weather',
  })
})
