/**
 * Options that keep Fastify from loading its compiler of JSON Schemas, which takes 40 ms. The contract checks requests
 * with zod.
 */
export const withoutSchemas = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } }

function refuseSchemas(): never {
  throw new TypeError('routes have no JSON Schemas here')
}
