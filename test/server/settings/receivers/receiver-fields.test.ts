import type { Receiver } from '@floe/client'
import type { ReceiverKind } from '@floe/contract/lists'
import { dropSecrets } from '@floe/storage/database'
import { t } from 'tap'
import { type FieldValues, findFaults, readValues } from '../../../../server/settings/fields/field-values.ts'
import {
  dropsStoredSecrets,
  listFields,
  makeSigningSecret,
  readReceiver,
} from '../../../../server/settings/receivers/receiver-fields.ts'
import { exampleWebhook } from './example-webhook.ts'

type Opened = {
  readonly kind?: ReceiverKind
  readonly scope?: 'repository' | 'organisation'
  readonly saved?: Receiver
}

/** Opens a form, and types values into it. */
function open({ kind = 'webhook', scope = 'repository', saved }: Opened, typed: FieldValues = {}) {
  const form = { kind, scope, saved }
  const values = { ...readReceiver(form), ...typed }
  const fields = listFields(form, values)
  return {
    values,
    names: fields.map(({ name }) => name),
    fields,
    body: () => readValues(fields, values),
    faults: findFaults(fields, values),
  }
}

t.test('a new webhook asks for what receivers get by default, unless it is changed', async (t) => {
  t.match(open({}).body(), { events: ['NewCommit'], branches: ['main'], paths: ['**'], include_changes: false })
  t.notOk(open({ kind: 'chat' }).names.includes('include_changes'))
  t.strictSame(open({ kind: 'chat' }, { url: 'https://chat.example.org/hook', alias: 'team' }).faults, {})
  t.hasOwnProps(open({}).faults, ['url', 'alias'])
})

t.test('only a receiver of an organisation selects repositories, searches and notices', async (t) => {
  for (const kind of ['webhook', 'chat'] as const) {
    const [own, organisation] = [open({ kind }), open({ kind, scope: 'organisation' })]
    t.strictSame(
      organisation.names.filter((name) => !own.names.includes(name)),
      ['repos', 'search'],
    )
    const offersNotices = ({ fields }: typeof own) =>
      fields.some(({ options = [] }) => options.some(({ value }) => value === 'ReceiverDisabled'))
    t.notOk(offersNotices(own))
    t.ok(offersNotices(organisation))
    t.match(organisation.body(), { repos: ['**'], search: null })
  }
})

t.test('kinds and verdicts are asked for if an event has them', async (t) => {
  t.notOk(open({}).names.some((name) => name === 'kinds' || name === 'compatibility'))
  t.ok(open({}, { events: 'NewCommit\nSchemaChanged' }).names.includes('compatibility'))
  for (const events of ['ExpectationUnmet', 'ExpectationMet']) t.ok(open({}, { events }).names.includes('kinds'))
})

t.test('a least severity is asked for with alerts, and begins with all', async (t) => {
  t.notOk(open({}).names.includes('severity'))
  for (const kind of ['webhook', 'chat'] as const) {
    t.match(open({ kind }, { events: 'ExpectationUnmet' }).body(), { severity: null })
    t.match(open({ kind }, { events: 'ExpectationUnmet', severity: 'critical' }).body(), { severity: 'critical' })
  }
})

t.test('a saved receiver is shown, and of its secrets only that they are stored', async (t) => {
  const saved = exampleWebhook({ branches: ['main', 'release/*'], paths: ['a, b'], include_changes: true })
  const { values, fields, names } = open({ saved })
  t.match(values, { branches: 'main\nrelease/*', paths: 'a, b', include_changes: 'true' })
  t.notOk(names.includes('signing_secret'))
  t.strictSame(
    fields.flatMap(({ stored }) => (stored ? [stored] : [])),
    [
      { legend: 'Stored Secret Token', isDropped: false },
      { legend: 'Stored headers: Authorization', isDropped: false },
    ],
  )
  const moved = open({ saved }, { url: 'https://elsewhere.example.org/hook' })
  t.ok(moved.fields.every(({ stored }) => stored?.isDropped ?? true))
  const empty = open({ saved: exampleWebhook({ has_secret_token: false, header_names: [] }) })
  t.ok(empty.fields.every(({ stored }) => stored === undefined))
})

// The page warns before it saves. It has the rule a second time, because a browser cannot load code of the database.
t.test('the form and the service agree on when a Secret Token and headers are dropped', async (t) => {
  const saved = 'https://example.org/hook'
  const urls = {
    [saved]: false,
    'HTTPS://Example.ORG:443/hook': false,
    'https://example.org/hook?of=weather': false,
    'https://example.org/hook#top': false,
    'https://example.org/a/../hook': false,
    'https://example.org/hook/': true,
    'https://example.org/Hook': true,
    'https://example.org/': true,
    'https://example.org:8443/hook': true,
    'https://other.example.org/hook': true,
  }
  for (const [url, isDropped] of Object.entries(urls)) {
    t.equal(dropsStoredSecrets(url, saved), isDropped, url)
    const before = { url: saved, secretToken: 'sealed', headers: { Authorization: 'sealed' } }
    t.strictSame(dropSecrets(before, { url }), isDropped ? { secretToken: null, headers: {} } : {}, url)
  }
})

t.test('each signing secret of the form is a new one of 32 bytes', async (t) => {
  const secrets = Array.from({ length: 9 }, makeSigningSecret)
  t.equal(new Set(secrets).size, 9)
  for (const secret of secrets) t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
})
