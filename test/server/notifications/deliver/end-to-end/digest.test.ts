// From events in the quiet hours of chats to the one message that real HTTPS receivers get when these end.
import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  listDeliveries,
  readOutlook,
  recordHeadMove,
  removeReplica,
} from '@floe/storage/database'
import { setTimeout as rest } from 'node:timers/promises'
import { defaultFilter } from '@floe/contract/lists'
import { t, type Test } from 'tap'
import { attempt } from '../../../../../server/notifications/deliver/attempt.ts'
import { Deliverer } from '../../../../../server/notifications/deliver/deliverer.ts'
import { createMetrics } from '../../../../../server/observation/metrics.ts'
import { systemTiming } from '../../../../../server/timing.ts'
import { testOnEngines } from '../../../../storage/records/database/engines.ts'
import { commit } from '../../../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../../../storage/records/database/remember-repository.ts'
import { secrets } from '../../../../storage/sample-secrets.ts'
import { waitUntil } from '../../../wait-until.ts'
import { openTestPoster, startReceiver } from '../../start-receiver.ts'

const quiet = { from: '22:00', to: '07:00' }
const midnight = Date.UTC(2026, 10, 21)
const hour = 3_600_000

/** Chats of an organisation at loopback, whose clock a test sets. */
async function startChats(t: Test, db: Database) {
  const requests: { readonly service: string; readonly body: string }[] = []
  const answers = { status: 200, isHanging: false }
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      requests.push({ service: request.url?.slice(1) ?? '', body })
      if (!answers.isHanging) response.writeHead(answers.status).end('1')
    })
  })
  let time = midnight
  const now = () => time
  const chats = (['slack', 'teams'] as const).map((service): DeclaredReceiver => {
    const url = `https://receiver.test:${port}/${service}`
    const filter = { ...defaultFilter, repos: ['**'], quiet }
    const secret = { secretToken: null, headers: {}, signingSecret: null }
    return { kind: 'chat', alias: service, url, service, filter, ...secret }
  })
  await applyDeclaredReceivers(db, { org: 'acme', repoId: null }, chats, { secrets, now: new Date(0) })
  const deliverers: Deliverer[] = []
  const poster = openTestPoster(t)
  const linkEvent = (_: string, page = 'event') => `https://floe.test/${page}`
  return {
    requests,
    answers,
    /** Starts a process. Returns the function that kills it in the middle of its attempts. */
    start: (id: string) => {
      const life = { aliveUntil: Infinity }
      const timing = { ...systemTiming, now, dueNow: now }
      const { post } = poster
      const context = { post, secrets, version: '1.2.3', linkEvent, timing: { ...timing, random: () => 0.5 } }
      const deliverer = new Deliverer({
        db,
        replica: { id, life },
        attempt: (claim) => attempt(claim, context),
        linkEvent,
        timing,
        metrics: createMetrics(),
        maxInFlight: 512,
        onRecorded: () => {},
        onError: (error) => t.fail(String(error)),
      })
      deliverers.push(deliverer)
      deliverer.start()
      return async () => {
        life.aliveUntil = 0
        await removeReplica(db, id)
      }
    },
    /** Ends all processes, and the attempts under way. */
    stop: () => Promise.all([poster.close(), ...deliverers.map((deliverer) => deliverer.stop())]),
    setTime: (ms: number) => {
      time = midnight + ms
      for (const deliverer of deliverers) deliverer.wake()
    },
    move: async (repo: string, sequence: number) => {
      const repoId = await rememberRepository(db, 'acme', repo, new Date(0))
      const previous = sequence === 1 ? null : { snapshotId: `S${sequence - 1}`, sequence: sequence - 1 }
      const event = { payload: '{}', line: `acme/${repo} branch main is now at S${sequence}: <Append>`, commitCount: 2 }
      const move = { repoId, branch: 'main', previous, snapshotId: `S${sequence}`, commit, event }
      await recordHeadMove(db, move, new Date(now()))
    },
  }
}

const test = await testOnEngines(t)

test('each chat gets one message when its quiet hours end, in the form of its service', async (t, { db }) => {
  const { requests, start, stop, setTime, move } = await startChats(t, db)
  start('a')
  for (const sequence of [1, 2, 3]) await move('sea', sequence)
  await move('air', 1)
  setTime(7 * hour - 1)
  setTime(7 * hour)
  await waitUntil(() => requests.length === 2)
  const bodies = new Map(requests.map(({ service, body }) => [service, JSON.parse(body)]))
  const lines = [
    ['acme: 4 events since 2026-11-21 00:00 UTC', 'https://floe.test/home'],
    ['acme/air branch main is now at S1: <Append>', 'https://floe.test/event'],
    ['acme/sea: 6 commits', 'https://floe.test/repository'],
  ]
  t.equal(
    bodies.get('slack').text,
    lines.map((line) => line.join(' ').replace('<', '&lt;').replace('>', '&gt;')).join('\n'),
  )
  const [{ content }] = bodies.get('teams').attachments
  t.strictSame(
    content.body,
    lines.map(([text, url]) => ({
      type: 'RichTextBlock',
      inlines: [
        { type: 'TextRun', text: `${text} ` },
        { type: 'TextRun', text: url, selectAction: { type: 'Action.OpenUrl', url } },
      ],
    })),
  )
  for (let ms = 8 * hour; (await readOutlook(db, 'a')).digestAt !== null; ms += 1_000) {
    setTime(ms)
    await rest(10)
  }
  for (const sequence of [4, 5]) {
    await move('sea', sequence)
    setTime(12 * hour + sequence)
  }
  await waitUntil(() => requests.length === 6)
  t.strictSame(
    requests
      .filter(({ service }) => service === 'slack')
      .slice(1)
      .map(({ body }) => JSON.parse(body).text),
    [4, 5].map((n) => `acme/sea branch main is now at S${n}: &lt;Append&gt; https://floe.test/event`),
    'by day, each comes alone',
  )
  await stop()
})

test('a digest whose sender dies during it comes from another process, with the same bytes', async (t, { db }) => {
  const { requests, answers, start, stop, setTime, move } = await startChats(t, db)
  const list = () => listDeliveries(db, { org: 'acme', repoId: null, limit: 100 })
  answers.isHanging = true
  const kill = start('a')
  for (const sequence of [1, 2]) await move('sea', sequence)
  setTime(7 * hour)
  await waitUntil(() => requests.length === 2)
  await move('sea', 3)
  answers.isHanging = false
  await kill()
  start('b')
  await waitUntil(async () => (await list()).filter(({ state }) => state === 'delivered').length === 4)
  setTime(8 * hour)
  await waitUntil(() => requests.length === 6)
  for (const service of ['slack', 'teams']) {
    const [first, again, later] = requests.filter((request) => request.service === service)
    t.equal(again?.body, first?.body)
    t.match(later?.body, 'S3', 'what is newer comes after it')
  }
  await stop()
})
