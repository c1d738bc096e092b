import { createNotificationSchema, EventName } from '@floe/contract'
import { t } from 'tap'
import { z } from 'zod'
import { describeEvent } from '../../../server/events/describe-event.ts'
import { makeLinkEvent } from '../../../server/events/link-event.ts'
import { nameCommit } from '../../../server/events/name-commit.ts'
import { notification } from '../../contract/notifications.ts'

const Examples = z.array(z.object({ event: EventName, details: z.looseObject({}) }))
const examples = Examples.parse(createNotificationSchema()['examples'])

const { org_name: org, repo_name: name, repo_id: id } = notification.details
const repository = { org, name, id }

const deployments = [
  { name: 'other', org: 'acme', repos: ['other-*'] },
  { name: 'demo', org: 'acme', repos: ['**'] },
]
const link = makeLinkEvent({ baseUrl: 'https://floe.example.org/v1', deployments })

t.test('every event has the payload of the contract, a line, and a link', async (t) => {
  const told = examples.map(({ event, details }) => {
    const { payload, line } = describeEvent(event, repository, details, { headline: 'FOUND', words: 'WORDS' })
    t.strictSame(JSON.parse(payload), { event, details })
    return `${line} ${link(payload)?.replace('https://floe.example.org/v1/services/demo/acme/_meta', '')}`
  })
  // Expectations have an example of each kind.
  t.strictSame(told, [
    'acme/weather branch main is now at P874YS3J196959RDHX7G: Add the 12 UTC run ' +
      '/diff/weather/1CECHNKREP0F1RSTCMT0/P874YS3J196959RDHX7G',
    'BREAKING CHANGE: acme/weather main: WORDS /diff/weather/1CECHNKREP0F1RSTCMT0/P874YS3J196959RDHX7G',
    'acme/weather branch experiment was created at P874YS3J196959RDHX7GWORDS /discovery/weather/experiment',
    'acme/weather branch experiment was deleted at P874YS3J196959RDHX7GWORDS /discovery/weather',
    'acme/weather tag v1.0 was created at P874YS3J196959RDHX7GWORDS /discovery/weather/v1.0',
    'acme/weather tag v1.0 was deleted at P874YS3J196959RDHX7GWORDS /discovery/weather',
    'FOUND: acme/weather main (forecast/**): WORDS /history/weather/main?path=forecast%2F%2A%2A',
    'FOUND: acme/weather main (forecast/**): WORDS /gaps/weather/main?path=forecast%2F%2A%2A&along=init_time',
    'FOUND: acme/weather main: WORDS /diff/weather/P874YS3J196959RDHX7G/VHQMPVTZR0SCMXSGH9SG',
    'FOUND: acme/weather main: WORDS /discovery/weather',
    'FOUND: acme/weather main: WORDS /diff/weather/P874YS3J196959RDHX7G/VHQMPVTZR0SCMXSGH9SG',
    'FOUND: acme/weather main (forecast/**): WORDS /history/weather/main?path=forecast%2F%2A%2A',
    'FOUND: acme/weather main (forecast/**): WORDS /gaps/weather/main?path=forecast%2F%2A%2A&along=init_time',
    'FOUND: acme/weather main: WORDS /discovery/weather/main',
    'FOUND: acme/weather main: WORDS /diff/weather/P874YS3J196959RDHX7G/VHQMPVTZR0SCMXSGH9SG',
    'FOUND: acme/weather main: WORDS /diff/weather/P874YS3J196959RDHX7G/VHQMPVTZR0SCMXSGH9SG',
    'CHECK FAILED: acme/weather main: quality: step 12 is NaN /discovery/weather/main',
    'GOOD MOVED: acme/weather main: main@good is now P874YS3J196959RDHX7G, its head ' +
      '/diff/weather/VHQMPVTZR0SCMXSGH9SG/P874YS3J196959RDHX7G',
    'NOTE: acme/weather P874YS3J196959RDHX7G: Step 12 is NaN; the run was repaired. Use weather main ' +
      '/discovery/weather/P874YS3J196959RDHX7G',
    'RETRACTED: acme/weather P874YS3J196959RDHX7G: Step 12 is NaN; the run was repaired. Use weather main ' +
      '/discovery/weather/P874YS3J196959RDHX7G',
    'DISABLED: webhook "tile server" of acme/weather: it answered 410, failing since 2026-11-21 12:00 UTC ' +
      'https://floe.example.org/v1/orgs/acme/repos/weather/settings',
    'FAILING: webhook "tile server" of acme/weather: since 2026-11-21 12:00 UTC ' +
      'https://floe.example.org/v1/orgs/acme/repos/weather/settings',
    'UNREADABLE: acme/weather: store-failed, since 2026-11-21 12:00 UTC /discovery/weather',
    'READABLE AGAIN: acme/weather: it was unreadable since 2026-11-21 12:00 UTC /discovery/weather',
  ])
})

t.test('members that are not in the contract are refused', async (t) => {
  t.throws(() => describeEvent('NewCommit', repository, { ...notification.details, more: 1 }), /more/)
})

t.test('a link leads to a deployment that serves the repository, or there is none', async (t) => {
  const { payload } = describeEvent('NewCommit', repository, notification.details)
  t.match(link(payload), /^https:\/\/floe\.example\.org\/v1\/services\/demo\/acme\/_meta\/diff\//)
  const others = deployments.slice(0, 1)
  t.equal(makeLinkEvent({ baseUrl: 'https://floe.example.org/v1', deployments: others })(payload), undefined)
  t.equal(makeLinkEvent({ baseUrl: null, deployments })(payload), undefined)
})

t.test('a link has no character at which chats end an address, and is left out if it is very long', async (t) => {
  const [, , created] = examples
  const write = (branch: string) =>
    link(describeEvent('BranchCreated', repository, { ...created?.details, branch }).payload)
  t.match(write('a (b) *c*!'), /\/discovery\/weather\/a%20%28b%29%20%2Ac%2A%21$/)
  t.match(write('x'.repeat(900)), /x$/)
  t.equal(write('x'.repeat(1_000)), undefined)
})

t.test('a commit is named by its author, its first line and the time', async (t) => {
  const now = new Date('2026-11-21T16:18:00Z')
  const writtenAt = new Date('2026-11-21T16:16:40Z')
  const author = 'Jan Holm <jan@example.org>'
  t.equal(
    nameCommit({ message: 'Use CF names\n\nAll of them', author, writtenAt }, now),
    ', by Jan Holm in "Use CF names", 16:16 UTC',
  )
  t.equal(nameCommit({ message: 'Say "no"', author: null, writtenAt }, now), `, in "Say 'no'", 16:16 UTC`)
  t.equal(nameCommit({ message: ' ', author: null, writtenAt: new Date(0) }, now), ', 1970-01-01 00:00 UTC')
  const long = nameCommit({ message: 'm'.repeat(500), author: 'a'.repeat(500), writtenAt }, now)
  t.ok(long.length < 200, 'however long its texts are')
})
