import { contract, listRoutes } from '@floe/contract'
import { t } from 'tap'
import { z } from 'zod'

const { webhooks, chats, deliveries } = contract

/** Lists the schemas of a route's JSON bodies. Problems, pages and empty answers have other types than schemas and are left out. */
function listBodies(body: unknown, responses: Record<number, unknown>): z.ZodType[] {
  return [body, ...Object.values(responses)].filter((schema) => schema instanceof z.ZodType)
}

t.test('every body of webhooks, chats and deliveries has a valid example', async (t) => {
  const routes = [...listRoutes({ webhooks, chats, deliveries })]
  for (const [id, route] of routes) {
    for (const schema of listBodies('body' in route ? route.body : undefined, route.responses)) {
      const { id: name, examples } = schema.meta() ?? {}
      t.ok(Array.isArray(examples) && examples.length > 0, `${id} ${name}`)
      // Parsing drops a member that the schema does not have.
      for (const example of z.array(z.unknown()).parse(examples)) {
        t.strictSame(schema.parse(example), example, `${id} ${name}`)
      }
    }
  }
})
