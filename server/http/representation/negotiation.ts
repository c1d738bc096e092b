// Decides between HTML and JSON, and sets `Vary`.
import type { IncomingMessage } from 'node:http'
import { mediaTypes } from '@floe/contract'
import Negotiator from 'negotiator'

/**
 * Whether the caller prefers HTML to JSON, as browsers do. Reads the raw request, because some errors are answered
 * before Fastify has prepared its own.
 */
export function prefersHtml({ raw }: { readonly raw: IncomingMessage }): boolean {
  return new Negotiator(raw).mediaType([mediaTypes.json, mediaTypes.html]) === mediaTypes.html
}

/** The members of a reply that `addVary` needs. ts-rest and Fastify 5 have different types for a reply. */
export type VaryingReply = { getHeader(name: string): unknown; header(name: string, value: string): unknown }

/** Adds names of request headers, in lower case, to `Vary`. */
export function addVary(reply: VaryingReply, ...names: readonly string[]): void {
  const header = reply.getHeader('vary')
  const present = typeof header === 'string' ? header.split(/, */) : []
  const presentNames = new Set(present.map((name) => name.toLowerCase()))
  reply.header('vary', [...present, ...names.filter((name) => !presentNames.has(name))].join(', '))
}
