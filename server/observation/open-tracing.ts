// Sends traces of requests to a collector by the OpenTelemetry protocol. Loads the packages of OpenTelemetry only if a
// collector is configured.
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Span } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import { dropQuery, hideSecrets } from './hide-secrets.ts'
import manifest from '../package.json' with { type: 'json' }

export type Tracing = {
  /** Makes a span for each request. Register it before all routes and hooks. */
  readonly plugin: FastifyPluginCallback
  /** Sends the remaining spans and ends tracing. */
  readonly close: () => Promise<void>
}

/** Longest wait for the collector, in milliseconds. */
const exportTimeoutMs = 5_000

/**
 * Opens tracing. Requests never wait for the collector; spans that it does not accept are dropped.
 *
 * @param onError called when the collector fails
 */
export async function openTracing(
  {
    endpoint,
    sampleRatio,
  }: {
    /** Address of the collector, which takes traces over HTTP, such as `http://127.0.0.1:4318/v1/traces`. */
    readonly endpoint: string
    /** Fraction of the requests that are traced, from 0 to 1. */
    readonly sampleRatio: number
  },
  onError: (error: unknown) => void,
): Promise<Tracing> {
  const [{ FastifyOtelInstrumentation }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, core, api] =
    await Promise.all([
      import('@fastify/otel'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
      import('@opentelemetry/api'),
    ])
  const ignore = () => {}
  const diagnostics = { error: onError, warn: ignore, info: ignore, debug: ignore, verbose: ignore }
  api.diag.setLogger(diagnostics, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true })
  const exporter = new OTLPTraceExporter({ url: endpoint, timeoutMillis: exportTimeoutMs })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'floe', 'service.version': manifest.version }),
    // Not `ParentBased`: callers may name their trace, but do not decide whether it is sampled.
    sampler: new sdk.TraceIdRatioBasedSampler(sampleRatio),
    spanProcessors: [hidingProcessor, new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  })
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    recordExceptions: false,
    requestHook: describeRequest,
  })
  instrumentation.setTracerProvider(provider)
  const close = async () => {
    await provider.shutdown().catch(onError)
    api.propagation.disable()
    api.diag.disable()
  }
  return { plugin: instrumentation.plugin(), close }
}

/** Names a span after its route, and gives it the id of the request in the log. */
function describeRequest(span: Span, { id, method, originalUrl, routeOptions: { url } }: FastifyRequest): void {
  span.updateName(url === undefined ? method : `${method} ${url}`)
  span.setAttribute('url.path', hideSecrets(dropQuery(originalUrl)))
  span.setAttribute('floe.request_id', id)
}

/** Hides secrets in the messages of errors, which can repeat what a caller has sent. */
const hidingProcessor: SpanProcessor = {
  onStart: () => {},
  onEnd: ({ status }) => {
    if (status.message !== undefined) status.message = hideSecrets(status.message)
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}
