// What a head move means for readers, from a repository that official libraries wrote to its receivers and streams.
import { EventEmitter, once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseNotification } from '@floe/client/receiver'
import type { SchemaChangedDetails } from '@floe/contract'
import { t, type Test } from 'tap'
import { startAdministration } from '../../../administration/start-administration.ts'
import { follow } from '../../../metadata/events/follow.ts'
import { openMovableDatasets } from './movable-datasets.ts'
import { startReceiver } from '../../start-receiver.ts'

type Arrival = { readonly alias: string; readonly event: string; readonly sequence: string; readonly body: string }

const bothEvents = ['NewCommit', 'SchemaChanged']

/** Receivers by alias, and what they were sent. Each gets `NewCommit` too, which says when a walk is over. */
async function start(
  t: Test,
  webhooks: Readonly<Record<string, object>>,
  chats: Readonly<Record<string, object>> = {},
) {
  const datasets = await openMovableDatasets(t)
  const server = await startAdministration(t, { sources: [datasets.source] })
  const arrivals = new EventEmitter()
  const sent: Arrival[] = []
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const alias = request.url?.slice(1) ?? ''
      const event = alias in chats ? readChatEvent(body) : parseNotification(body).event
      sent.push({ alias, event, sequence: String(request.headers['webhook-sequence']), body })
      response.writeHead(200).end('ok')
      arrivals.emit('request')
    })
  })
  const check = () => server.administer('POST', 'repos/datasets/refresh')
  await check()
  for (const [kind, receivers] of Object.entries({ webhook: webhooks, chat: chats }))
    for (const [alias, filter] of Object.entries(receivers)) {
      const service = kind === 'chat' && { service: 'slack' }
      const receiver = {
        kind,
        url: `https://127.0.0.1:${port}/${alias}`,
        alias,
        events: bothEvents,
        ...service,
        ...filter,
      }
      t.equal((await server.administer('POST', 'repos/datasets/receivers', receiver)).status, 201)
    }
  await server.notifier.start()
  const count = Object.keys(webhooks).length + Object.keys(chats).length
  /** Moves `main` to these commits, and then to the first, and returns what was sent until then, by alias. */
  const walk = async (names: readonly string[], end = datasets.names[0] ?? '') => {
    for (const name of [...names, end]) {
      await datasets.point('main', name)
      await check()
    }
    const isLast = (arrival: Arrival) => readHead(arrival) === datasets.findId(end)
    while (sent.filter(isLast).length < count) await once(arrivals, 'request')
    const untilEnd = (alias: string) => {
      const arrived = sent.filter((one) => one.alias === alias)
      return arrived.slice(0, arrived.findIndex(isLast))
    }
    return untilEnd
  }
  return { ...datasets, server, walk, sent, check }
}

/** The new head of a NewCommit. */
function readHead({ event, body }: Arrival): string | undefined {
  return event === 'NewCommit' ? / is now at (\w+)|"snapshot_id":"(\w+)"/.exec(body)?.slice(1).join('') : undefined
}

function readChatEvent(body: string): string {
  return body.includes(' is now at ') ? 'NewCommit' : 'SchemaChanged'
}

function readVerdict({ body }: Arrival): SchemaChangedDetails {
  const notification = parseNotification(body)
  if (notification.event !== 'SchemaChanged') throw new Error(`${notification.event} has no verdict`)
  return notification.details as SchemaChangedDetails // the service sends only the values of the contract
}

// Proves: a receiver of `SchemaChanged` is told the verdict of each head move, after its `NewCommit`
// Proves: without `compatibility`, a receiver is told of breaking and unknown changes only
t.test('each verdict comes after the NewCommit of its move, if the receiver wants it', async (t) => {
  const { names, walk, findVerdict, findId } = await start(t, {
    usual: {},
    all: { compatibility: ['breaking', 'unknown', 'compatible'] },
    compatible: { compatibility: ['compatible'] },
  })
  const moves = names.slice(1).map((to, index) => ({ to, verdict: findVerdict(names[index] ?? '', to) ?? '' }))
  t.ok(new Set(moves.map(({ verdict }) => verdict)).size > 1)
  const untilEnd = await walk(names.slice(1))
  const list = (alias: string) =>
    untilEnd(alias).map((arrival) => {
      const { details } = parseNotification(arrival.body)
      const id = 'snapshot_id' in details ? details.snapshot_id : null
      return `${arrival.event} ${id} #${arrival.sequence}`
    })
  const expect = (wanted: readonly string[]) =>
    moves.flatMap(({ to, verdict }, index) =>
      bothEvents
        .filter((event) => event === 'NewCommit' || wanted.includes(verdict))
        .map((event) => `${event} ${findId(to)} #${index + 2}`),
    )
  t.strictSame(list('all'), expect(['breaking', 'unknown', 'compatible']))
  t.strictSame(list('usual'), expect(['breaking', 'unknown']))
  t.strictSame(list('compatible'), expect(['compatible']))
  const verdicts = untilEnd('all').filter(({ event }) => event === 'SchemaChanged')
  t.strictSame(
    verdicts.map((arrival) => readVerdict(arrival).verdict),
    moves.map(({ verdict }) => verdict),
  )
})

t.test('the notification names the move, and lists its changes, the worst first', async (t) => {
  const { walk, findId } = await start(t, { hook: {} })
  const untilEnd = await walk(['scale changed', 'another type'])
  const details = untilEnd('hook')
    .filter(({ event }) => event === 'SchemaChanged')
    .map(readVerdict)
    .at(-1)
  t.match(details, {
    org_name: 'acme',
    repo_name: 'datasets',
    branch: 'main',
    snapshot_id: findId('another type'),
    parent_snapshot_id: findId('scale changed'),
    previous_snapshot_id: findId('scale changed'),
    verdict: 'breaking',
    counts: { breaking: 1, unknown: 0, compatible: 2, not_compared: 0 },
    not_compared_reason: null,
  })
  t.strictSame(
    details?.changes.map(({ group, kind, verdict }) => [group, kind, verdict]),
    [
      ['', 'type-changed', 'breaking'],
      ['', 'encoding-changed', 'compatible'],
      ['', 'encoding-changed', 'compatible'],
    ],
  )
})

// The history has the commits of https://github.com/pydata/xarray/issues/10766.
t.test('an append that makes a dataset unopenable is told with the reason', async (t) => {
  const { walk } = await start(t, { hook: {} }, { chat: {} })
  const untilEnd = await walk(['appended a variable alone'], 'units of another spelling')
  const [, arrival] = untilEnd('hook')
  const [change] = arrival === undefined ? [] : readVerdict(arrival).changes
  t.match(change, { group: '', kind: 'dataset-unreadable', verdict: 'breaking', reason: /dimension "time"/ })
  const [, line] = untilEnd('chat')
  t.match(
    JSON.parse(line?.body ?? '').text,
    `BREAKING CHANGE: acme/datasets main: the dataset cannot be opened: ${change?.reason}, in "appended a variable alone"`,
  )
})

t.test('a chat gets one line of the worst changes', async (t) => {
  const { walk } = await start(t, { hook: {} }, { chat: {} })
  const untilEnd = await walk(['scale changed', 'another type', 'no group'])
  const lines = untilEnd('chat').filter(({ event }) => event === 'SchemaChanged')
  const [retyped, regrouped] = untilEnd('hook')
    .filter(({ event }) => event === 'SchemaChanged')
    .map(readVerdict)
  const [change] = retyped?.changes ?? []
  t.match(
    JSON.parse(lines[0]?.body ?? '').text,
    `BREAKING CHANGE: acme/datasets main: ${change?.variable} is ${String(change?.after)}, was ${String(change?.before)}, in `,
  )
  t.equal(regrouped?.verdict, 'breaking')
  t.match(JSON.parse(lines[1]?.body ?? '').text, /^BREAKING CHANGE: .*; points: the dataset is gone.* UTC$/)
})

t.test('a reset is judged like a commit, and an expired snapshot makes the verdict unknown', async (t) => {
  const { walk, findVerdict, findId, directory, names } = await start(t, { hook: {} })
  const last = names.at(-1) ?? ''
  const first = names[0] ?? ''
  await rm(join(directory, 'snapshots', findId('other units')))
  const untilEnd = await walk([last, first, 'other units'], 'another type')
  const details = untilEnd('hook')
    .filter(({ event }) => event === 'SchemaChanged')
    .map(readVerdict)
  t.strictSame(
    details.map(({ verdict }) => verdict),
    [findVerdict(first, last), findVerdict(last, first), 'unknown'],
  )
  t.equal(details[1]?.previous_snapshot_id, findId(last))
  t.match(details[2], { changes: [], counts: null, not_compared_reason: 'unreadable' })
})

t.test('paths select a verdict like the NewCommit of its move', async (t) => {
  const { walk } = await start(t, { points: { paths: ['points/**'] }, wind: { paths: ['wind'] }, all: {} })
  const untilEnd = await walk(['a coordinate', 'no group'])
  const list = (alias: string) => untilEnd(alias).map(({ event, sequence }) => `${event} #${sequence}`)
  t.strictSame(list('all'), ['NewCommit #2', 'SchemaChanged #2', 'NewCommit #3', 'SchemaChanged #3'])
  t.strictSame(list('points'), list('all'))
  t.strictSame(list('wind'), ['NewCommit #2', 'SchemaChanged #2'])
})

// Proves: a stream carries `SchemaChanged` with the verdicts that it selects, also if no receiver wants it
t.test('a stream carries verdicts that only it selects', async (t) => {
  const { server, point, check, findId } = await start(t, {})
  const query = 'events=NewCommit&events=SchemaChanged'
  const usual = await follow(t, `${server.meta}/events?${query}`, server.apiKey)
  const compatible = await follow(t, `${server.meta}/events?${query}&compatibility=compatible`, server.apiKey)
  for (const name of ['units of another spelling', 'appended a variable alone', 'written']) {
    await point('main', name)
    await check()
  }
  const isOver = ({ messages }: typeof usual) => messages.some(({ data }) => data.includes(findId('written')))
  const list = ({ messages }: typeof usual) =>
    messages.map(({ event, data }) => {
      const verdict = event === 'SchemaChanged' ? JSON.parse(data).details.verdict : ''
      return `${event} ${verdict}`.trim()
    })
  await usual.until(isOver)
  await compatible.until(isOver)
  const breaking = 'SchemaChanged breaking'
  t.strictSame(list(usual).slice(0, 4), ['NewCommit', 'NewCommit', breaking, 'NewCommit'])
  t.strictSame(list(compatible).slice(0, 4), ['NewCommit', 'SchemaChanged compatible', 'NewCommit', 'NewCommit'])
})

t.test('a filter with other verdicts is refused, and the problem names the member', async (t) => {
  const { server } = await start(t, {})
  const webhook = { kind: 'webhook', url: 'https://127.0.0.1:1/hook', alias: 'hook', events: bothEvents }
  const refused = {
    '/body/compatibility': [[], ['breaking', 'breaking']],
    '/body/compatibility/0': [['identical']],
    '/body/compatibility/1': [['breaking', 'Unknown']],
  }
  for (const [pointer, filters] of Object.entries(refused))
    for (const compatibility of filters) {
      const response = await server.administer('POST', 'repos/datasets/receivers', { ...webhook, compatibility })
      t.equal(response.status, 400, pointer)
      t.match((await response.json()).errors, [{ pointer }])
    }
  t.equal((await server.get('events?compatibility=identical')).status, 400)
  const created = await server.administer('POST', 'repos/datasets/receivers', webhook)
  t.strictSame((await created.json()).compatibility, ['breaking', 'unknown'])
})
