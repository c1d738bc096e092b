// Which form of an answer a caller gets, and what the answer says of that.
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

/** The part of a reply that setting `Vary` needs. ts-rest's type of the whole reply does not fit Fastify 5's. */
export type VaryingReply = { getHeader(name: string): unknown; header(name: string, value: string): unknown }

/** Adds request headers to `Vary` and keeps those that are already there. */
export function addVary(reply: VaryingReply, ...names: readonly string[]): void {
  const header = reply.getHeader('vary')
  const present = typeof header === 'string' ? header.split(/, */) : []
  const known = new Set(present.map((name) => name.toLowerCase()))
  reply.header('vary', [...present, ...names.filter((name) => !known.has(name))].join(', '))
}
