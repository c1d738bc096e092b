// The API documentation can be tried out with what is prefilled.
import { contract, listRoutes } from '@floe/contract'
import { t } from 'tap'
import { z } from 'zod'

const routes = [...listRoutes(contract)]

/** Lists the parameters of a route by name. */
function listParameters(schemas: readonly unknown[]): [name: string, schema: z.ZodType][] {
  return schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : []))
}

t.test('each parameter has a description, and an example that it accepts', async (t) => {
  let count = 0
  for (const [id, { pathParams, query, headers }] of routes) {
    for (const [name, schema] of listParameters([pathParams, query, headers])) {
      const { description, examples } = z.toJSONSchema(schema, { io: 'input' })
      t.ok(description, `${id}: ${name} is described`)
      const [example] = examples ?? []
      t.not(example, undefined, `${id}: ${name} has an example`)
      t.ok(schema.safeParse(example).success, `${id}: ${name} accepts its example`)
      count++
    }
  }
  t.ok(count > 100)
})
