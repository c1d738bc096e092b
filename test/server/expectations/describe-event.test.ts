// What webhooks and chats learn of an expectation.
import { expectationKinds, SentNotification } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
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
    state,
  }
}

t.test('the payload is that of the schema, with the settings and the facts of the kind', async (t) => {
  for (const kind of expectationKindNames) {
    const { payload } = describeExpectation(change(kind, 'unmet'))
    const { event, details } = SentNotification.parse(JSON.parse(payload))
    const { settings, unmet: facts } = expectationKinds[kind].example
    t.equal(event, 'ExpectationUnmet')
    t.match(details, { kind, ...settings, facts, since: '2026-11-21T18:00:00.000Z', expectation_alias: 'tile server' })
  }
})

t.test('a line for chats says what is wrong, and when it is right again', async (t) => {
  const lines = expectationKindNames.map((kind) => [
    describeExpectation(change(kind, 'unmet')).line,
    describeExpectation(change(kind, 'met')).line,
  ])
  const path = 'acme/weather branch main (forecast/**)'
  t.strictSame(lines, [
    [
      `${path} is stale: last commit at 2026-11-21T12:00:00.000Z, expected every 6h`,
      `${path} is up to date again: last commit at 2026-11-21T19:30:00.000Z, expected every 6h`,
    ],
    [
      `${path} is incomplete: forecast/temperature lacks init_time 7 of 20 (0 of 10 chunks); ` +
        'forecast/temperature lacks init_time 12 of 20 (8 of 10 chunks)',
      `${path} is complete again`,
    ],
    [
      'acme/weather branch main breaks its contract tile server: forecast: temperature is float64, must be float32',
      'acme/weather branch main keeps its contract tile server again',
    ],
    [
      'acme/weather branch main was reset: it no longer leads to VHQMPVTZR0SCMXSGH9SG',
      'acme/weather branch main is protected again: it leads to P874YS3J196959RDHX7G',
    ],
  ])
})

t.test('an expectation that ends is not told as met', async (t) => {
  const { line } = describeExpectation({
    ...change('contract', 'met'),
    state: { ...sampleState('contract', 'unmet'), reason: 'The expectation was deleted' },
  })
  t.equal(line, 'acme/weather branch main is no longer judged (contract): The expectation was deleted')
})

t.test('a path that matches nothing is told', async (t) => {
  const reason = 'No array has a path that matches typo/**'
  const state = { ...sampleState('written', 'unmet'), facts: { ...expectationKinds.written.example.met }, reason }
  const { line } = describeExpectation({ ...change('written', 'unmet'), state })
  t.match(line, `is incomplete: ${reason}`)
})
