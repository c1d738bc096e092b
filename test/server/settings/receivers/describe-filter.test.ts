import { branchEventNames } from '@floe/contract/lists'
import { t } from 'tap'
import { describeFilter } from '../../../../server/settings/receivers/describe-filter.ts'
import { exampleWebhook } from './example-webhook.ts'

t.test('the row of a receiver says what it selects, unless that is NewCommit on main', async (t) => {
  t.equal(describeFilter(exampleWebhook()), undefined)
  t.equal(describeFilter(exampleWebhook({ branches: ['main', 'dev'] })), 'NewCommit on main, dev')
  t.equal(describeFilter(exampleWebhook({ paths: ['forecast/**'] })), 'NewCommit on main; paths forecast/**')
  t.equal(describeFilter(exampleWebhook({ events: ['TagCreated', 'TagDeleted'] })), 'TagCreated, TagDeleted')
  t.equal(
    describeFilter(exampleWebhook({ events: ['NewCommit', 'BranchDeleted', 'TagCreated'], branches: ['**'] })),
    'NewCommit, BranchDeleted on **; TagCreated',
  )
  for (const name of branchEventNames.filter((name) => name !== 'SchemaChanged'))
    t.equal(describeFilter(exampleWebhook({ events: [name], branches: ['dev'] })), `${name} on dev`)
  t.equal(
    describeFilter(exampleWebhook({ events: ['NewCommit', 'ReceiverDisabled'], repos: ['**'] })),
    'NewCommit on main; ReceiverDisabled',
  )
  t.equal(
    describeFilter(exampleWebhook({ events: ['BranchCreated'], paths: ['forecast/**'] })),
    'BranchCreated on main',
    'paths concern head moves alone',
  )
  t.equal(
    describeFilter(exampleWebhook({ events: ['SchemaChanged'], paths: ['forecast/**'], compatibility: ['breaking'] })),
    'SchemaChanged on main; paths forecast/**; verdicts breaking',
  )
  t.equal(
    describeFilter(exampleWebhook({ events: ['ExpectationUnmet'], kinds: ['freshness', 'contract'] })),
    'ExpectationUnmet on main; kinds freshness, contract',
  )
  t.equal(
    describeFilter(exampleWebhook({ events: ['ExpectationUnmet'], severity: 'critical' })),
    'ExpectationUnmet on main; severity critical',
  )
  t.equal(
    describeFilter(exampleWebhook({ events: ['CheckPosted'], checks: ['quality'], states: ['failed', 'error'] })),
    'CheckPosted on main; checks quality; states failed, error',
  )
  t.equal(describeFilter(exampleWebhook({ repos: ['**'] })), undefined)
  t.equal(describeFilter(exampleWebhook({ repos: ['forecast-*'] })), 'NewCommit on main; repositories forecast-*')
  t.equal(
    describeFilter(exampleWebhook({ repos: ['**'], search: { q: 'sea ice', units: ['K', '%'] } })),
    'NewCommit on main; search q=sea ice&units=K&units=%',
  )
  t.equal(describeFilter(exampleWebhook({ branches: ['a', 'b', 'c', 'd', 'e'] })), 'NewCommit on a, b, c and 2 more')
})
