// What answers and pages say of an expectation and of the branches that match.
import { Expectation, expectationKinds, ExpectationState } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import { t } from 'tap'
import { describeState, showExpectation, showState } from '../../../server/expectations/show-expectation.ts'
import { sampleExpectation, sampleState } from './samples.ts'

const now = Date.parse('2026-11-21T20:00:00.000Z')

t.test('answers have the settings, and the facts of each branch, as the contract declares them', async (t) => {
  for (const kind of expectationKindNames) {
    const expectation = sampleExpectation(kind)
    const state = sampleState(kind, 'unmet')
    const shown = showExpectation(expectation, [{ repo: 'weather', branch: 'main', state }], {
      unmet: 1,
      told: true,
      now,
    })
    t.strictSame(Expectation.parse(shown), shown)
    const branch = showState(expectation, 'main', state)
    const summary = describeState(branch, now)
    t.match(shown, { kind, unmet: 1, states: [{ repo: 'weather', branch: 'main', state: 'unmet', summary }] })
    t.strictSame(ExpectationState.parse(branch), branch)
    t.match(branch, { kind, state: 'unmet', since: '2026-11-21T18:00:00.000Z', facts: state.facts })
  }
})

t.test('before the first judgement, the state is unknown', async (t) => {
  const shown = showState(sampleExpectation('contract'), 'main', null)
  t.match(ExpectationState.parse(shown), { state: 'unknown', facts: null, snapshot_id: null })
  t.equal(describeState(shown, now), 'Contract tile server: not judged yet')
})

t.test('within its grace, a branch is shown as before, and when it becomes unmet', async (t) => {
  const expectation = { ...sampleExpectation('freshness'), within: '1h', withinMs: 3_600_000 }
  const at = (text: string) => new Date(`2026-11-21T${text}:00.000Z`)
  const met = { ...sampleState('freshness', 'met'), dueAt: at('18:00') }
  t.match(showState(expectation, 'main', met), { state: 'met', due_at: '2026-11-21T19:00:00.000Z' })
  const failing = { ...met, failingSince: at('18:00'), dueAt: at('19:00') }
  t.match(showState(expectation, 'main', failing), { state: 'met', since: null, due_at: '2026-11-21T19:00:00.000Z' })
  const unmet = { ...failing, verdict: 'unmet' as const, unmetSince: at('18:00'), dueAt: null }
  t.match(showState(expectation, 'main', unmet), { state: 'unmet', since: '2026-11-21T18:00:00.000Z', due_at: null })
})

t.test('pages say in a few words what was found', async (t) => {
  const words = expectationKindNames.map((kind) =>
    (['met', 'unmet'] as const).map((found) =>
      describeState(showState(sampleExpectation(kind), 'main', sampleState(kind, found)), now),
    ),
  )
  t.strictSame(words, [
    ['updated 30 min ago, expected every 6 h', 'updated 8 h ago, expected every 6 h: late'],
    ['100% of the chunks of each init_time expected: enough written', expectationKinds.written.example.summary],
    [
      'keeps its contract tile server',
      'breaks its contract tile server: forecast: temperature is float64, must be float32',
    ],
    ['was not reset, rewritten or deleted', 'was reset: it no longer leads to VHQMPVTZR0SCMXSGH9SG'],
    ['good', expectationKinds.good.example.summary],
  ])
  const reason = 'the snapshot has expired'
  const shown = showState(sampleExpectation('contract'), 'main', { ...sampleState('contract', 'met'), reason })
  t.equal(describeState(shown, now), `keeps its contract tile server; ${reason}`)
})
