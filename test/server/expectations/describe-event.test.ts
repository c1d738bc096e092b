// What webhooks and chats learn of an expectation.
import { expectationKinds, SentNotification } from '@floe/contract'
import { expectationKindNames, type Severity } from '@floe/contract/lists'
import type { ExpectationStateChange } from '@floe/storage/database'
import { t } from 'tap'
import { describeExpectation } from '../../../server/expectations/describe-event.ts'
import { sampleExpectation, sampleState } from './samples.ts'

/** A change of an expectation with the settings and facts of the example of its kind. */
function change(kind: ExpectationStateChange['expectation']['kind'], found: 'met' | 'unmet'): ExpectationStateChange {
  const state = sampleState(kind, found)
  return {
    name: found === 'met' ? 'ExpectationMet' : 'ExpectationUnmet',
    repository: { id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11', org: 'acme', name: 'weather' },
    expectation: sampleExpectation(kind),
    branch: 'main',
    since: new Date('2026-11-21T18:00:00.000Z'),
    isReminder: false,
    state,
    commit: { message: 'Use CF names', author: 'Jan Holm', writtenAt: new Date('2026-11-21T17:40:00.000Z') },
  }
}

const now = new Date('2026-11-21T18:21:30.000Z')

t.test('the payload is that of the schema, with the settings and the facts of the kind', async (t) => {
  for (const kind of expectationKindNames) {
    const { payload } = describeExpectation(change(kind, 'unmet'), now)
    const { event, details } = SentNotification.parse(JSON.parse(payload))
    const { settings, unmet: facts } = expectationKinds[kind].example
    t.equal(event, 'ExpectationUnmet')
    t.match(details, { kind, ...settings, facts, since: '2026-11-21T18:00:00.000Z', expectation_alias: 'tile server' })
  }
})

t.test('a line for chats says what is wrong, and when it is right again', async (t) => {
  const lines = expectationKindNames.map((kind) => [
    describeExpectation(change(kind, 'unmet'), now).line,
    describeExpectation(change(kind, 'met'), now).line,
  ])
  const where = 'tile server: acme/weather main'
  const commit = 'by Jan Holm in "Use CF names", 17:40 UTC'
  t.strictSame(lines, [
    [
      `LATE ${where} (forecast/**): last commit 6 h ago (12:00 UTC), expected every 6 h`,
      `ON TIME ${where} (forecast/**): last commit 0 s ago (19:30 UTC), expected every 6 h`,
    ],
    [
      `INCOMPLETE ${where} (forecast/**): forecast/temperature lacks init_time 7 of 20 (0 of 10 chunks); ` +
        `forecast/temperature lacks init_time 12 of 20 (8 of 10 chunks), ${commit}`,
      `COMPLETE ${where} (forecast/**): what was missing is written, ${commit}`,
    ],
    [
      `BREAKS ${where}: forecast: temperature is float64, must be float32, ${commit}`,
      `KEEPS ${where}: nothing is broken any more, ${commit}`,
    ],
    [
      `BREAKS its protection ${where}: was reset: it no longer leads to VHQMPVTZR0SCMXSGH9SG; ` +
        `its head was committed ${commit}`,
      `PROTECTED ${where}: leads to P874YS3J196959RDHX7G; its head was committed ${commit}`,
    ],
    [
      `NOT GOOD ${where}: quality failed: step 12 is NaN; @good keeps P874YS3J196959RDHX7G, 1 head behind, ${commit}`,
      `GOOD ${where}: its head is good, ${commit}`,
    ],
  ])
})

t.test('a line about a critical expectation says so first, until it is met', async (t) => {
  const write = (found: 'met' | 'unmet', severity: Severity) => {
    const told = change('freshness', found)
    const { payload, line } = describeExpectation({ ...told, expectation: { ...told.expectation, severity } }, now)
    t.match(SentNotification.parse(JSON.parse(payload)), { details: { severity } })
    return line
  }
  t.match(write('unmet', 'critical'), /^CRITICAL, LATE tile server: acme\/weather main/)
  t.match(write('met', 'critical'), /^ON TIME/)
  t.match(write('unmet', 'info'), /^LATE/)
})

t.test('a reminder says so, and since when the branch is unmet', (t) => {
  const told = change('freshness', 'unmet')
  const expectation = { ...told.expectation, severity: 'critical' as const }
  const { payload, line } = describeExpectation({ ...told, expectation, isReminder: true }, now)
  t.match(SentNotification.parse(JSON.parse(payload)), { details: { reminder: true, since: told.since.toISOString() } })
  t.match(line, /^CRITICAL, STILL LATE tile server: acme\/weather main .*; unmet since 18:00 UTC$/)
  t.end()
})

t.test('what is late names the commit that it knows, and nothing that it does not', async (t) => {
  const late = change('freshness', 'unmet')
  const expectation = {
    ...late.expectation,
    alias: null,
    settings: { max_age: '2m', due: null, days: null, path: null },
  }
  const facts = { last_commit_at: '2026-11-21T18:00:10.000Z', counts_from: '2026-11-21T18:00:10.000Z' }
  const state = { ...late.state, facts }
  const line = 'LATE: acme/weather main: last commit 21 min ago'
  t.equal(
    describeExpectation({ ...late, expectation, state }, now).line,
    `${line} (18:00 UTC, "Use CF names"), expected every 2 min`,
  )
  t.equal(
    describeExpectation({ ...late, expectation, state, commit: null }, now).line,
    `${line} (18:00 UTC), expected every 2 min`,
  )
})

t.test('a contract and a protection without a name say what is broken', async (t) => {
  const write = (kind: 'contract' | 'protected') => {
    const told = change(kind, 'unmet')
    return describeExpectation({ ...told, expectation: { ...told.expectation, alias: null } }, now).line
  }
  t.match(write('contract'), 'BREAKS its contract: acme/weather main: forecast: ')
  t.match(write('protected'), 'BREAKS its protection: acme/weather main: was reset')
})

t.test('a line says which head is good now, and when none is any more', async (t) => {
  const { repository, expectation } = change('good', 'met')
  const write = (from: string | null, to: string | null, behind: number | null, reason: string | null) => {
    const move = { name: 'GoodMoved', repository, expectation, branch: 'main', from, to, behind, reason } as const
    const { payload, line } = describeExpectation(move, now)
    const details = { snapshot_id: to, previous_snapshot_id: from, behind, reason, expectation_alias: 'tile server' }
    t.match(SentNotification.parse(JSON.parse(payload)), { event: 'GoodMoved', details })
    return line
  }
  const [one, two] = ['VHQMPVTZR0SCMXSGH9SG', 'P874YS3J196959RDHX7G']
  t.strictSame(
    [write(null, one, 0, null), write(one, two, 1, null), write(one, two, 2, null), write(two, null, null, null)],
    [
      `GOOD MOVED: acme/weather main: main@good is now ${one}, its head`,
      `GOOD MOVED: acme/weather main: main@good is now ${two}, 1 head behind`,
      `GOOD MOVED: acme/weather main: main@good is now ${two}, 2 heads behind`,
      'GOOD MOVED: acme/weather main: no head is good any more',
    ],
  )
  const reason = 'The expectation was deleted'
  t.equal(write(two, null, null, reason), `GOOD MOVED: acme/weather main: no head is good any more: ${reason}`)
})

t.test('an expectation that ends is not told as met', async (t) => {
  const { line } = describeExpectation(
    {
      ...change('contract', 'met'),
      state: { ...sampleState('contract', 'unmet'), reason: 'The expectation was deleted' },
    },
    now,
  )
  t.equal(line, 'NO LONGER JUDGED tile server: acme/weather main: The expectation was deleted (contract)')
})

t.test('a path that matches nothing is told', async (t) => {
  const reason = 'No array has a path that matches typo/**'
  const state = { ...sampleState('written', 'unmet'), facts: { ...expectationKinds.written.example.met }, reason }
  const { line } = describeExpectation({ ...change('written', 'unmet'), state }, now)
  t.match(line, `INCOMPLETE tile server: acme/weather main (forecast/**): ${reason}`)
})
