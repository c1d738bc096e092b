// The published JSON Schema says the same as the zod schema that it is made from.
import { readFile } from 'node:fs/promises'
import { CommitsUnavailableReason, EventName, NewCommit, Notification } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { t } from 'tap'
import { mutatedText, notification, notificationText } from './notifications.ts'
import { checkProperty } from '../check-property.ts'

const schemaFile = new URL('../../contract/notification.schema.json', import.meta.url)

/** Compiles the schema, or that of one event in it. */
async function compileSchema(event?: EventName) {
  const ajv = addFormats.default(new Ajv2020({ strict: true }))
  const { $id, $defs, ...root } = JSON.parse(await readFile(schemaFile, 'utf8'))
  return ajv.compile({ $id, $defs, ...(event === undefined ? root : { $ref: `#/$defs/${event}` }) })
}

t.test('the error about a wrong payload names the actual fault', async (t) => {
  const validate = await compileSchema('NewCommit')
  const faultsOf = (details: object) => {
    validate({ ...notification, details: { ...notification.details, ...details } })
    return validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  }
  t.strictSame(faultsOf({ snapshot_id: 'p874' }), ['/details/snapshot_id pattern'])
  t.strictSame(faultsOf({ repo_name: '' }), ['/details/repo_name minLength'])
  t.strictSame(faultsOf({ written_at: undefined }), ['/details required'])
  t.match(faultsOf({ commits_unavailable_reason: 'bored' })?.[0], /^\/details\/commits_unavailable_reason /)
  t.match(faultsOf({ commits: null })?.at(-1), '/details oneOf')
})

t.test('the schema is a choice of all events', async (t) => {
  const { schema } = await compileSchema()
  const oneOf = EventName.options.map((name) => ({ $ref: `#/$defs/${name}` }))
  t.match(schema, { $id: 'urn:floe:schema:notification', oneOf })
})

t.test('the JSON Schema and zod agree on branches and tags that were created or deleted', async (t) => {
  const validate = await compileSchema()
  const judge = (value: unknown) => {
    const isAccepted = validate(value)
    t.equal(Notification.safeParse(value).success, isAccepted, JSON.stringify(value))
    return isAccepted
  }
  const { examples } = JSON.parse(await readFile(schemaFile, 'utf8'))
  t.strictSame([...new Set(examples.map(({ event }: Notification) => event))], EventName.options)
  for (const { event, details } of examples.filter((one: Notification) => /^(?:Branch|Tag)/.test(one.event))) {
    const { snapshot_id: now, previous_snapshot_id: before, branch, tag, ...others } = details
    t.ok(judge({ event, details: { ...details, added: 1 } }))
    t.notOk(judge({ event, details: { ...others, branch, tag, snapshot_id: before, previous_snapshot_id: now } }))
    t.notOk(
      judge({
        event,
        details: { ...others, branch: tag, tag: branch, snapshot_id: now, previous_snapshot_id: before },
      }),
    )
    t.notOk(judge({ event, details: { ...details, repo_id: undefined } }))
  }
})

t.test('the JSON Schema and zod agree on notices and expectations', async (t) => {
  const validate = await compileSchema()
  const { examples } = JSON.parse(await readFile(schemaFile, 'utf8'))
  const notices = examples.filter(({ event }: Notification) => /^(Re|Expectation)/.test(event))
  t.equal(notices.length, 4 + 2 * expectationKindNames.length)
  for (const { event, details } of notices) {
    t.ok(validate({ event, details: { ...details, added: 1 } }))
    for (const name of Object.keys(details)) {
      const value = { event, details: { ...details, [name]: undefined } }
      t.notOk(validate(value), `${event} without ${name}`)
      t.notOk(Notification.safeParse(value).success)
    }
  }
})

/** Adds a field to each object in a value. */
function addFields(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => addFields(item))
  if (typeof value !== 'object' || value === null) return value
  const grown = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, addFields(field, name)]))
  return name !== undefined && mapNames.has(name) ? grown : { ...grown, added: 1 }
}

/** Fields whose values are maps: they have no fields of their own. */
const mapNames: ReadonlySet<string> = new Set(['figures', 'ignore'])

t.test('fields that a later version adds are accepted, and other events are not described', async (t) => {
  const validate = await compileSchema()
  const text = await readFile(schemaFile, 'utf8')
  t.notOk(text.includes('"additionalProperties": false'), 'no object is closed')
  for (const example of JSON.parse(text).examples) {
    const grown = addFields(example)
    t.ok(validate(grown), example.event)
    t.ok(Notification.safeParse(grown).success, example.event)
  }
  t.notOk(validate({ event: 'TagCreated', details: {} }))
})

// Proves: the JSON Schema has the same rules
t.test('the JSON Schema and zod agree on each combination of previous head, commits and reason', async (t) => {
  const validate = await compileSchema()
  const { details } = notification
  const accepted: unknown[] = []
  for (const previous_snapshot_id of [null, details.previous_snapshot_id])
    for (const commits of [null, [], details.commits])
      for (const commits_unavailable_reason of [null, 'bored', ...CommitsUnavailableReason.options]) {
        const combination = { previous_snapshot_id, commits, commits_unavailable_reason }
        const value = { ...notification, details: { ...details, ...combination } }
        const isAccepted = validate(value)
        t.equal(NewCommit.safeParse(value).success, isAccepted, JSON.stringify(combination))
        if (isAccepted) accepted.push(commits_unavailable_reason)
      }
  t.strictSame(new Set(accepted), new Set([null, ...CommitsUnavailableReason.options]))
})

// `endOnFailure`, because shrinking a counterexample takes minutes and the first one found is clear enough.

t.test('the JSON Schema and zod accept every notification', async (t) => {
  const validate = await compileSchema()
  t.ok(validate(notification))
  await checkProperty(
    2_000,
    fc.property(notificationText, (text) => {
      const value: unknown = JSON.parse(text)
      return validate(value) && NewCommit.safeParse(value).success
    }),
    { endOnFailure: true },
  )
})

t.test('the JSON Schema and zod refuse the same values', async (t) => {
  const validate = await compileSchema()
  const verdicts = { accepted: 0, refused: 0 }
  await checkProperty(
    10_000,
    fc.property(mutatedText, (text) => {
      const value: unknown = JSON.parse(text)
      const isAccepted = validate(value)
      verdicts[isAccepted ? 'accepted' : 'refused'] += 1
      return NewCommit.safeParse(value).success === isAccepted
    }),
    { endOnFailure: true },
  )
  const enough = (verdicts.accepted + verdicts.refused) / 10
  t.ok(verdicts.accepted > enough && verdicts.refused > enough, JSON.stringify(verdicts))
})
