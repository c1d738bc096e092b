import type { IncomingMessage } from 'node:http'
import accepts from 'accepts'

/**
 * Whether the caller would rather read a page than JSON: browsers say so, programs do not. Takes the raw request, because some
 * refusals are answered before Fastify has decorated its own.
 */
export function prefersHtml({ raw }: { readonly raw: IncomingMessage }): boolean {
  return accepts(raw).type(['json', 'html']) === 'html'
}
