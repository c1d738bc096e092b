import { type CheckState, defaultFilter, type EventFilter, severities } from '@floe/contract/lists'
import { t } from 'tap'
import { matchesFilter, readFilter, writeCondition, writeFilter } from '../../../storage/records/event-filter.ts'

const filter = (changes: Partial<EventFilter>): EventFilter => ({ ...defaultFilter, ...changes })

t.test('a filter has one text, whatever the order of its members, and is read as it was written', async (t) => {
  const search = { q: 'wind', units: ['K'] }
  const full = filter({ repos: ['w*'], kinds: ['contract'], search, include_changes: true })
  const { events, ...others } = full
  t.equal(writeFilter({ ...others, events }), writeFilter(full))
  t.strictSame(readFilter(writeFilter(full)), full)
  t.equal(JSON.parse(writeFilter(defaultFilter)).kinds, null, 'all kinds, also those that come later')
  const { severity: _, ...older } = full
  t.strictSame(readFilter(JSON.stringify(older)), full, 'a setting that it lacks has its default')
})

t.test('an event must meet each member that concerns it', async (t) => {
  const commit = { repo: 'weather', name: 'NewCommit', branch: 'main' } as const
  t.equal(matchesFilter(defaultFilter, commit), true)
  t.equal(matchesFilter(filter({ events: ['TagCreated'] }), commit), false)
  t.equal(matchesFilter(filter({ branches: ['dev'] }), commit), false)
  t.equal(matchesFilter(filter({ repos: ['wea*'] }), commit), true)
  t.equal(matchesFilter(filter({ repos: ['sea'] }), commit), false)
  const tag = { repo: 'weather', name: 'TagCreated', branch: null } as const
  t.equal(matchesFilter(filter({ events: ['TagCreated'], branches: ['dev'] }), tag), true)
  const changed = { repo: 'weather', name: 'SchemaChanged', branch: 'main' } as const
  const verdicts = filter({ events: ['SchemaChanged'], compatibility: ['breaking'] })
  t.equal(matchesFilter(verdicts, { ...changed, verdict: 'breaking' }), true)
  t.equal(matchesFilter(verdicts, { ...changed, verdict: 'compatible' }), false)
  t.equal(matchesFilter(verdicts, changed), true, 'who select some verdict select one that is not known')
})

t.test('kinds select the events of expectations, and none selects all', async (t) => {
  const unmet = { repo: 'weather', name: 'ExpectationUnmet', branch: 'main', expectationKind: 'freshness' } as const
  const select = (kinds: EventFilter['kinds']) => matchesFilter(filter({ events: ['ExpectationUnmet'], kinds }), unmet)
  t.equal(select(null), true)
  t.equal(select(['contract', 'freshness']), true)
  t.equal(select(['contract']), false)
})

// Proves: a receiver can select alerts by their least severity
t.test('a least severity leaves out lesser alerts, and no other events', async (t) => {
  const unmet = { repo: 'weather', name: 'ExpectationUnmet', branch: 'main' } as const
  const select = (least: EventFilter['severity']) =>
    severities.filter((severity) =>
      matchesFilter(filter({ events: ['ExpectationUnmet'], severity: least }), { ...unmet, severity }),
    )
  t.strictSame(select(null), ['info', 'warning', 'critical'])
  t.strictSame(select('info'), ['info', 'warning', 'critical'])
  t.strictSame(select('warning'), ['warning', 'critical'])
  t.strictSame(select('critical'), ['critical'])
  t.equal(matchesFilter(filter({ severity: 'critical' }), { repo: 'weather', name: 'NewCommit', branch: 'main' }), true)
})

t.test('checks are selected by name and state, and other events whatever these are', async (t) => {
  const posted = { repo: 'weather', name: 'CheckPosted', branch: null } as const
  const events = ['CheckPosted', 'NewCommit'] as const
  const select = (changes: Partial<EventFilter>, name: string, state: CheckState) =>
    matchesFilter(filter({ events, ...changes }), { ...posted, check: { name, state } })
  t.equal(select({}, 'quality', 'passed'), true)
  t.equal(select({ checks: ['quality'] }, 'quality', 'passed'), true)
  t.equal(select({ checks: ['quality'] }, 'opens', 'passed'), false)
  t.equal(select({ states: ['failed', 'error'] }, 'quality', 'passed'), false)
  t.equal(select({ states: ['failed', 'error'] }, 'quality', 'error'), true)
  const some = filter({ events, checks: ['quality'], states: ['failed'] })
  t.equal(matchesFilter(some, { repo: 'weather', name: 'NewCommit', branch: 'main' }), true)
})

t.test('a head move is selected by what it changed, or if that is unknown', async (t) => {
  const [paths, search] = [['a/**'], { q: 'ice' }]
  const some = filter({ events: ['NewCommit', 'BranchCreated'], paths, search })
  const select = (name: 'NewCommit' | 'BranchCreated', isMatch?: boolean, isFound?: boolean) => {
    const changes = {
      matches: new Map(isMatch === undefined ? [] : [[writeCondition(paths), isMatch]]),
      found: new Map(isFound === undefined ? [] : [[writeCondition(search), isFound]]),
    }
    return matchesFilter(some, { repo: 'weather', name, branch: 'main', changes })
  }
  t.equal(select('NewCommit'), true)
  t.equal(select('NewCommit', true, true), true)
  t.equal(select('NewCommit', false), false)
  t.equal(select('NewCommit', true, false), false)
  t.equal(select('BranchCreated', false, false), true)
})
