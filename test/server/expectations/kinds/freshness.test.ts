// Whether a commit came in time for a time of the day, by its time alone.
import { t } from 'tap'
import { freshness } from '../../../../server/expectations/kinds/freshness.ts'
import { startWithExpectations } from '../../administration/sample-expectations.ts'
import { sampleExpectation } from '../samples.ts'

const settings = { max_age: null, due: '07:30', days: ['mon', 'tue', 'wed', 'thu', 'fri'] as const, path: null }
const commit = { message: 'Complete the run', author: null }
const at = (text: string) => new Date(`2026-11-${text}:00.000Z`)

/** Judges the branch `main`, with a commit or without a head, in a check that began at this time. */
function judge(committed: string | null, checked: string, facts: { last_commit_at: null; counts_from: string } | null) {
  const head = committed === null ? null : { snapshotId: 'VHQMPVTZR0SCMXSGH9SG', committedAt: at(committed) }
  const judgement = freshness.judge({
    expectation: sampleExpectation('freshness'),
    branch: 'main',
    head: head && { ...head, commit: { ...commit, writtenAt: head.committedAt }, remarks: 0 },
    settings: { ...settings, days: [...settings.days] },
    state: facts && { ...unknown, facts },
    checkedAt: at(checked),
  })
  if (typeof judgement === 'function' || judgement.verdict === 'gone') throw new Error('it is judged by time alone')
  const { verdict, since, dueAt } = { since: undefined, dueAt: undefined, ...judgement }
  return [verdict, (since ?? dueAt)?.toISOString().slice(8, 16)]
}

const unknown = {
  version: 1,
  headId: '',
  verdict: null,
  failingSince: null,
  unmetSince: null,
  toldAt: null,
  reason: null,
  dueAt: null,
}

// Proves: with `due`, there is a commit since the due time before
t.test('a commit serves the next due time, and the one after needs another', (t) => {
  // The 20th and the 27th are Fridays.
  const cases = [
    ['a commit of the day before, in time', '25T12:00', '26T07:30', ['met', '27T07:30']],
    ['nothing since the due time before', '25T07:00', '26T07:30', ['unmet', '26T07:30']],
    ['a check a minute before the due time', '25T07:00', '26T07:29', ['met', '26T07:30']],
    [
      'a commit exactly at the due time counts for it, and not for the next',
      '25T07:30',
      '26T08:00',
      ['unmet', '26T07:30'],
    ],
    ['a commit that came too late makes it met again', '26T08:00', '26T08:01', ['met', '30T07:30']],
    ['a commit on Friday serves Monday, and the weekend needs none', '27T09:00', '30T08:00', ['met', '30T24:00']],
    ['an old commit is late since the first due time that lacked one', '16T12:00', '26T12:00', ['unmet', '18T07:30']],
  ] as const
  for (const [name, committed, checked, [verdict, time]] of cases)
    t.strictSame(judge(committed, checked, null), [verdict, time.replace('30T24:00', '01T07:30')], name)
  t.end()
})

t.test('a branch that never was must come by the first due time after it was expected', (t) => {
  t.strictSame(judge(null, '28T12:00', null), ['met', '30T07:30'], 'the first judgement')
  const facts = { last_commit_at: null, counts_from: at('28T12:00').toISOString() }
  t.strictSame(judge(null, '30T07:29', facts), ['met', '30T07:30'])
  t.strictSame(judge(null, '30T07:30', facts), ['unmet', '30T07:30'])
  t.end()
})

t.test('over HTTP, what is due is told at its time, after a grace, and shown', async (t) => {
  const { server, create, list, listEvents, readPages, passTime } = await startWithExpectations(t)
  const [committed] = (await create({ kind: 'freshness', branch: 'main', max_age: '3652d' })).states
  if (committed?.facts === null || committed?.facts === undefined || !('counts_from' in committed.facts))
    throw new Error('it is not judged')
  const hourMs = 3_600_000
  const soon = new Date(Date.parse(committed.facts.counts_from) + hourMs).toISOString()
  const due = soon.slice(11, 16)
  const body = { kind: 'freshness', branch: 'main', alias: 'daily', due, days: null, within: '30m' }
  const { id, ...created } = await create(body)
  t.match(created, { ...body, max_age: null, states: [{ state: 'met' }] })
  const refresh = async (ms: number) => {
    passTime(ms)
    t.equal((await server.administer('POST', 'repos/satellite/refresh')).status, 200)
  }
  await refresh(hourMs)
  t.strictSame(await listEvents(), [], 'the grace')
  await refresh(hourMs / 2)
  const line = RegExp(
    `^LATE daily: acme/satellite main: last commit 1 d ago \\(.*\\), expected by ${due} UTC every day$`,
  )
  t.match(await listEvents(), [{ event: 'ExpectationUnmet', line, details: { due, days: null, max_age: null } }])
  for (const page of await readPages()) t.match(page, `expected by ${due} UTC every day: late`)
  const path = `repos/satellite/expectations/${id}`
  const change = { kind: 'freshness', max_age: '3652d', due: null }
  t.match(await (await server.administer('PATCH', path, change)).json(), { due: null, unmet: 0 })
  t.equal((await list()).length, 2)
})
