import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Test } from 'tap'

/** Counts the requests that reach a handler of Fastify. Cached answers do not. */
export function countHandled(t: Test): () => number {
  let handled = 0
  const increase = () => void handled++
  subscribe('tracing:fastify.request.handler:start', increase)
  t.teardown(() => unsubscribe('tracing:fastify.request.handler:start', increase))
  return () => handled
}
