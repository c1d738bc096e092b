// The documentation that the service serves is made from the OpenAPI document, so each member has to be explained
// there.
import { t } from 'tap'
import document from '@floe/contract/openapi.json' with { type: 'json' }

/** A JSON Schema, as far as this test looks into it. */
type Schema = { readonly [keyword: string]: unknown }

/** What object stores send. Their documentation explains it. */
const foreign = new Set(['S3Event', 'S3TestEvent', 'SnsMessage', 'EventBridgeEvent', 'EventGridEvents', 'PubSubPush'])

/** Whether a member is explained: where it stands, in one of its forms, or where its schema is. */
function isExplained({ description, $ref, anyOf }: Schema): boolean {
  return description !== undefined || $ref !== undefined || (Array.isArray(anyOf) && anyOf.some(isExplained))
}

/** Lists the members below a place in a document that nothing explains. */
function listUnexplained(place: unknown, path: string): string[] {
  if (typeof place !== 'object' || place === null) return []
  return Object.entries(place).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'examples') return []
    const isMember = path.endsWith('/properties') && !isExplained(Object(value))
    return [...(isMember ? [`${path}/${name}`] : []), ...listUnexplained(value, `${path}/${name}`)]
  })
}

t.test('each body and answer is explained in OpenAPI, and each of its members', async (t) => {
  const schemas = Object.entries<Schema>(document.components.schemas)
  t.strictSame(
    schemas.filter(([, { description }]) => description === undefined),
    [],
  )
  const own = schemas.filter(([name]) => !foreign.has(name))
  t.ok(own.length > 40)
  t.strictSame(listUnexplained(Object.fromEntries(own), ''), [])
})
