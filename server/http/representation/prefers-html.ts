import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@floe/contract'
import Negotiator from 'negotiator'

/**
 * Whether the caller prefers HTML to JSON. Browsers do; programs do not say so. Takes the raw request, because some errors are
 * answered before Fastify has decorated its request.
 */
export function prefersHtml({ raw }: { readonly raw: IncomingMessage }): boolean {
  return new Negotiator(raw).mediaType([mediaTypes.json, mediaTypes.html]) === mediaTypes.html
}
