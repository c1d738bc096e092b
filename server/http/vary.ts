/** What setting `Vary` needs of a reply. ts-rest types Fastify's own reply by the order of Fastify 4's parameters. */
export type VaryingReply = { getHeader(name: string): unknown; header(name: string, value: string): unknown }

/** Adds request headers to `Vary`; those that other parts of the service have named stay. */
export function addVary(reply: VaryingReply, ...names: readonly string[]): void {
  const header = reply.getHeader('vary')
  const present = typeof header === 'string' ? header.split(/, */) : []
  const known = new Set(present.map((name) => name.toLowerCase()))
  reply.header('vary', [...present, ...names.filter((name) => !known.has(name))].join(', '))
}
