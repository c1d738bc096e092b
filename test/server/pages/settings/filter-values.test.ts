// What the form of a webhook or chat makes of the events, branches and paths, and what the row of a receiver says about them.
import { Webhook } from '@floe/contract'
import { t } from 'tap'
import { describeFilter } from '../../../../server/pages/settings/receivers/describe-filter.ts'
import {
  findMissingValues,
  listDifferences,
  makeBody,
  makeNewValues,
  pickChanges,
  readValues,
} from '../../../../server/pages/settings/receivers/form-values.ts'
import type { Receiver } from '../../../../server/pages/settings/receiver.ts'

const [webhookExample] = Webhook.array().parse(Webhook.meta()?.['examples'])

function webhook(changes: Partial<Webhook> = {}): Receiver {
  if (webhookExample === undefined) throw new Error('no example')
  return { kind: 'webhook', ...webhookExample, ...changes }
}

t.test('each line of a field is a pattern, whatever it contains', async (t) => {
  const values = {
    ...makeNewValues('webhook', 'repository'),
    branches: ' main \n\nrelease/*\r\n',
    paths: 'sea ice/area, total',
  }
  t.match(makeBody('webhook', values), { branches: ['main', 'release/*'], paths: ['sea ice/area, total'] })
})

t.test('a new webhook asks for what receivers get by default, unless it is changed', async (t) => {
  t.match(makeBody('webhook', makeNewValues('webhook', 'repository')), {
    events: ['NewCommit'],
    branches: ['main'],
    paths: ['**'],
    include_changes: false,
  })
  t.notHas(makeBody('chat', makeNewValues('chat', 'repository')), { include_changes: false })
})

t.test('a saved filter is shown, and only what was changed is sent', async (t) => {
  const branches = ['main', 'release/*']
  const values = readValues(webhook({ branches, paths: ['a, b'], include_changes: true }))
  t.match(values, { branches: 'main\nrelease/*', paths: 'a, b', includesChanges: true })
  t.strictSame(listDifferences(values, { ...values }), [])
  const changed = makeBody('webhook', { ...values, branches: 'main\nrelease/*\ndev', includesChanges: false })
  t.strictSame(pickChanges(changed, makeBody('webhook', values)), {
    branches: [...branches, 'dev'],
    include_changes: false,
  })
})

t.test('only a receiver of an organisation has patterns of repositories, at first of all', async (t) => {
  t.notHas(makeBody('webhook', makeNewValues('webhook', 'repository')), { repos: ['**'] })
  t.match(makeBody('webhook', makeNewValues('webhook', 'organisation')), { repos: ['**'] })
  const saved = readValues({ ...webhook(), repos: ['forecast-*', 'ocean'] })
  t.equal(saved.repos, 'forecast-*\nocean')
  const changed = { ...saved, repos: ' ocean \n' }
  t.strictSame(pickChanges(makeBody('webhook', changed), makeBody('webhook', saved)), { repos: ['ocean'] })
  t.hasOwnProps(findMissingValues({ ...saved, repos: '\n' }, false), ['repos'])
})

t.test('a field without a pattern is missing', async (t) => {
  const values = { ...makeNewValues('chat', 'repository'), url: 'https://chat.example.org/hook', alias: 'team' }
  t.strictSame(findMissingValues(values, false), {})
  t.hasOwnProps(findMissingValues({ ...values, branches: ' \n', paths: '' }, false), ['branches', 'paths'])
})

t.test('the row of a receiver says what it selects, unless that is NewCommit on main', async (t) => {
  t.equal(describeFilter(webhook()), undefined)
  t.equal(describeFilter(webhook({ branches: ['main', 'dev'] })), 'NewCommit on main, dev')
  t.equal(describeFilter(webhook({ paths: ['forecast/**'] })), 'NewCommit on main; paths forecast/**')
  t.equal(describeFilter(webhook({ events: ['TagCreated', 'TagDeleted'] })), 'TagCreated, TagDeleted')
  t.equal(
    describeFilter(webhook({ events: ['NewCommit', 'BranchDeleted', 'TagCreated'], branches: ['**'] })),
    'NewCommit, BranchDeleted on **; TagCreated',
  )
  t.equal(
    describeFilter({ ...webhook({ events: ['NewCommit', 'ReceiverDisabled'] }), repos: ['**'] }),
    'NewCommit on main; ReceiverDisabled',
  )
  t.equal(
    describeFilter(webhook({ events: ['BranchCreated'], paths: ['forecast/**'] })),
    'BranchCreated on main',
    'paths concern NewCommit alone',
  )
  t.equal(describeFilter({ ...webhook(), repos: ['**'] }), undefined)
  t.equal(describeFilter({ ...webhook(), repos: ['forecast-*'] }), 'NewCommit on main; repositories forecast-*')
  t.equal(describeFilter(webhook({ branches: ['a', 'b', 'c', 'd', 'e'] })), 'NewCommit on a, b, c and 2 more')
})
