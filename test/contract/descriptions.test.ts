// The documentation that the service serves is made from the OpenAPI document, so each member has to be explained there.
import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { z } from 'zod'

/** A JSON Schema, as far as this test looks into it. */
type Schema = {
  readonly $ref?: string | undefined
  readonly description?: string | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
  readonly items?: Schema | undefined
  readonly anyOf?: readonly Schema[] | undefined
  readonly additionalProperties?: boolean | Schema | undefined
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
  }),
)
const Document = z.object({ components: z.object({ schemas: z.record(z.string(), Schema) }) })

/** What object stores send. Their documentation explains it. */
const foreign = new Set(['S3Event', 'S3TestEvent', 'SnsMessage', 'EventBridgeEvent', 'EventGridEvents', 'PubSubPush'])

/** Whether a member is explained: where it stands, in one of its forms, or where its schema is. */
function isExplained(schema: Schema): boolean {
  return schema.description !== undefined || schema.$ref !== undefined || (schema.anyOf?.some(isExplained) ?? false)
}

/** The members in a schema that nothing explains. */
function* findUnexplained(schema: Schema, path: string): Generator<string> {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (!isExplained(member)) yield `${path}.${name}`
    yield* findUnexplained(member, `${path}.${name}`)
  }
  const { items, anyOf = [], additionalProperties } = schema
  const inner = [items, ...anyOf, typeof additionalProperties === 'object' ? additionalProperties : undefined]
  for (const part of inner) if (part !== undefined) yield* findUnexplained(part, path)
}

t.test('each body and answer is explained in OpenAPI, and each of its members', async (t) => {
  const text = await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8')
  const { schemas } = Document.parse(JSON.parse(text)).components
  t.strictSame(
    Object.keys(schemas).filter((name) => schemas[name]?.description === undefined),
    [],
  )
  const own = Object.entries(schemas).filter(([name]) => !foreign.has(name))
  t.ok(own.length > 40)
  t.strictSame(
    own.flatMap(([name, schema]) => [...findUnexplained(schema, name)]),
    [],
  )
})
