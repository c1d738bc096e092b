import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import { z } from 'zod'

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const Span = z.looseObject({ traceId: z.string(), name: z.string(), kind: z.number(), attributes: z.array(Attribute) })
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

/** A span as it is sent. */
export type CollectedSpan = z.output<typeof Span>

/** A collector of OpenTelemetry on loopback. */
export async function startCollector(t: Test) {
  const spans: CollectedSpan[] = []
  const collector = createServer(
    (request, response) =>
      void take(request).then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')),
  )
  const take = async (request: IncomingMessage) => {
    const { resourceSpans } = Export.parse(await json(request))
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
  }
  collector.listen(0, '127.0.0.1')
  t.teardown(() => collector.close().closeAllConnections())
  await once(collector, 'listening')
  const address = collector.address()
  if (address === null || typeof address === 'string') throw new TypeError('it listens on a port')
  return { endpoint: `http://127.0.0.1:${address.port}/v1/traces`, spans }
}
