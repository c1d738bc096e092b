// Each route tells callers what they get, and the API documentation can be tried out with what is prefilled.
import { contract, listRoutes } from '@floe/contract'
import { t } from 'tap'
import { z } from 'zod'

const routes = [...listRoutes(contract)]

/** Lists the parameters of a route by name. */
function listParameters(schemas: readonly unknown[]): [name: string, schema: z.ZodType][] {
  return schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : []))
}

t.test('each route has a short summary, and a description in whole sentences', async (t) => {
  t.ok(routes.length > 50)
  for (const [id, { summary = '', description = '' }] of routes) {
    t.match(summary, /^[A-Z].{3,65}[^.]$/, id)
    t.match(description, /^[A-Z][^]{20,}\.$/, id)
    t.notOk(description.startsWith(summary), `${id} says more than its summary`)
  }
})

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
