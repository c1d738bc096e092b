// Writes the page of the events: what each means, and the fields of its notification, from the contract.
import { createNotificationSchema } from '@floe/contract'
import { eventDefinitions, type EventName, eventNames, type EventSubject } from '@floe/contract/lists'
import type { JsonSchema } from '../collect-definitions.ts'

/** What the documentation calls the subjects of events. */
const subjects = {
  head: 'a head move',
  branch: 'a branch',
  tag: 'a tag',
  expectation: '[an expectation](expectations.md)',
  check: '[a check](checks.md)',
  good: '[good heads](good.md)',
  remark: '[notes and retractions](remarks.md)',
  service: '[Floe itself](receiving.md#notices-about-floe)',
} as const satisfies Record<EventSubject, string>

const introduction = `# Events

Webhooks, chats and [streams](http.md#events) [select](receiving.md#what-is-sent) these events by their names:

| event | about | meaning |
| --- | --- | --- |
`

/** The fields that all events have. */
const ofRepository: ReadonlySet<string> = new Set(['org_name', 'repo_name', 'repo_id'])

/** Settings of an expectation that its events repeat. The page of expectations explains them. */
const settings: ReadonlySet<string> = new Set(['kind', 'severity', 'within', 'remind'])

const beforeFields = `
## Fields

A notification is \`{ "event": ..., "details": { ... } }\`. All \`details\` have \`org_name\`, \`repo_name\` and
\`repo_id\`, which stays the same when the repository moves. The other fields depend on the event. The JSON Schema at
\`/v1/schemas/notification.json\` says the same to programs. Later versions may add fields and events.
`

// The schema is made by zod, which writes what the type says.
const schema = createNotificationSchema() as { readonly $defs: Readonly<Record<string, JsonSchema>> }

function resolve({ $ref, ...others }: JsonSchema): JsonSchema {
  return $ref === undefined ? others : { ...schema.$defs[$ref.slice($ref.lastIndexOf('/') + 1)], ...others }
}

/** Lists the fields that the details of an event always have, with what they mean, without those of the repository. */
function listFields(name: EventName): ReadonlyMap<string, string> {
  const details = resolve(schema.$defs[name]?.properties?.['details'] ?? {})
  const forms = details.properties ? [details] : (details.oneOf ?? []).filter(({ $ref }) => $ref).map(resolve)
  const [first = {}, ...others] = forms.map(({ properties = {} }) => properties)
  const shared = Object.keys(first).filter((field) => others.every((properties) => field in properties))
  return new Map(
    shared
      .filter((field) => !ofRepository.has(field))
      .map((field) => [field, joinMeanings([first, ...others].map((properties) => readMeaning(properties[field])))]),
  )
}

function readMeaning(field: JsonSchema = {}): string {
  const { description, anyOf = [] } = resolve(field)
  return description ?? anyOf.map(readMeaning).find((meaning) => meaning !== '') ?? ''
}

/** What all forms say: if they differ, their first sentence. */
function joinMeanings([first = '', ...others]: readonly string[]): string {
  return others.every((meaning) => meaning === first) ? first : first.replace(/\. .*/s, '')
}

/** Lists the events that share a table: those of a subject, but each kind of head move has its own. */
function listGroups(): EventName[][] {
  const groups = Object.groupBy(eventNames, (name) => {
    const { subject } = eventDefinitions[name]
    return subject === 'head' ? name : subject === 'tag' ? 'branch' : subject
  })
  return Object.values(groups)
}

/** How the contract says that a text is cut. */
const cutText = /\. At most ([\d,]+) characters \(Unicode code points\): a longer text is cut, and ends with `…`/

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Writes the meaning of a field in the events of a group, with the names of the events if it is not that of all. */
function writeMeaning(field: string, fields: ReadonlyMap<EventName, ReadonlyMap<string, string>>): string {
  const having = [...fields.keys()].filter((name) => fields.get(name)?.has(field))
  const byMeaning = Map.groupBy(having, (name) => fields.get(name)?.get(field) ?? '')
  return [...byMeaning]
    .map(([meaning, names]) => (names.length === fields.size ? meaning : `${code(names)}: ${meaning}`))
    .join('. ')
    .replace(cutText, ', cut at $1 characters')
    .replaceAll('|', '\\|')
}

function writeGroup(names: readonly EventName[]): string {
  const fields = new Map(names.map((name) => [name, listFields(name)] as const))
  const all = [...new Set([...fields.values()].flatMap((ofEvent) => [...ofEvent.keys()]))]
  const rows = all
    .filter((field) => !settings.has(field))
    .map((field) => `| \`${field}\` | ${writeMeaning(field, fields)} |`)
  const repeated = all.filter((field) => settings.has(field))
  if (repeated.length > 0) rows.push(`| ${code(repeated)} | As in the [expectation](expectations.md) |`)
  return `\n### ${code(names)}\n\n| field | meaning |\n| --- | --- |\n${rows.join('\n')}\n`
}

/** Writes docs/using/events.md. */
export function writeEventsPage(): string {
  const rows = Object.entries(eventDefinitions).map(
    ([name, { subject, meaning }]) => `| \`${name}\` | ${subjects[subject]} | ${meaning} |`,
  )
  return `${introduction}${rows.join('\n')}\n${beforeFields}${listGroups().map(writeGroup).join('')}`
}
