import { defaultFilter } from '@floe/contract/lists'
import {
  applyDeclaredReceivers,
  findWantedSelection,
  listWantedSelections,
  mainAlone,
  recordStreamSelections,
  selectRefs,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { secrets } from '../../../sample-secrets.ts'

const test = await testOnEngines(t)

test('repositories that the same receivers of an organisation concern share their selection', async (t, { db }) => {
  const declare = (alias: string, repos: readonly string[]) => ({
    kind: 'webhook' as const,
    service: null,
    secretToken: null,
    headers: {},
    signingSecret: null,
    alias,
    url: 'https://receiver.test/',
    filter: { ...defaultFilter, repos, branches: [alias] },
  })
  const receivers = [declare('one', ['**']), declare('two', ['sea/**']), declare('three', ['sea/**'])]
  await applyDeclaredReceivers(db, { org: 'acme', repoId: null }, receivers, { secrets, now: new Date() })
  const wanted = await listWantedSelections(db, mainAlone, new Date())
  const [ice, wind, north, other] = ['ice', 'wind', 'sea/north', 'sea/south'].map((name) =>
    findWantedSelection(wanted, { id: name, org: 'acme', name }),
  )
  t.strictSame(ice?.selection.branches, ['one'])
  t.strictSame(north?.selection.branches, ['one', 'three', 'two'])
  t.equal(ice, wind)
  t.equal(north, other)
})

test('renewals change nothing about what is wanted', async (t, { db }) => {
  const now = new Date()
  const selections = Array.from({ length: 20 }, (_, index) => {
    const selection = selectRefs({ events: ['NewCommit'], branches: [`branch${index}`] })
    return { org: 'acme', repos: ['**'], names: null, selection, filter: null }
  })
  const record = (some: typeof selections, ms: number) =>
    recordStreamSelections(db, some, { now, until: new Date(now.getTime() + ms) })
  t.equal(await record(selections, 1_000), true)
  const wanted = await listWantedSelections(db, mainAlone, now)
  for (let renewal = 1; renewal <= 10; renewal++) {
    t.equal(await record(selections.slice(0, renewal), 1_000 + renewal), false)
    t.strictSame(await listWantedSelections(db, mainAlone, now), wanted)
  }
})
