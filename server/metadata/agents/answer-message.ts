// Answers a message of the Model Context Protocol that came over HTTP (Streamable HTTP). Its library decides what the headers of the
// protocol mean; Floe keeps no session and sends no stream, so that any replica can answer any message.
import { mediaTypes } from '@floe/contract'
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { waitOrAbort } from '@floe/storage/waiting'

/** A message and the headers that came with it. */
export type ReceivedMessage = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal
}

/** What to answer: JSON, or nothing. */
export type MessageAnswer = { readonly status: number; readonly body: string | undefined }

/** Headers of the protocol that the library reads. */
const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/**
 * Answers one message with a server that is made for it.
 *
 * @throws the reason of the signal when that aborts
 */
export async function answerMessage(
  { headers, body, signal }: ReceivedMessage,
  makeServer: () => Server,
): Promise<MessageAnswer> {
  const request = new Request('http://floe.invalid/', { method: 'POST', headers: selectHeaders(headers), signal })
  const isLegacy = await isLegacyRequest(request, body)
  const response = await waitOrAbort(
    isLegacy ? answerLegacy(request, body, makeServer()) : answerModern(request, body, makeServer),
    signal,
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : text }
}

/** Answers by the version of 2026 and later. Streams of changes are refused: what is listed never changes while the service runs. */
async function answerModern(request: Request, parsedBody: unknown, makeServer: () => Server): Promise<Response> {
  const handler = createMcpHandler(makeServer, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody })
}

/** Answers by the versions of 2025, which most agents speak. */
async function answerLegacy(request: Request, parsedBody: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const close = () => void server.close()
  request.signal.addEventListener('abort', close, { once: true })
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    request.signal.removeEventListener('abort', close)
    await server.close()
  }
}

/** Every caller gets JSON, so it does not matter whether it said that it would also take a stream. */
function selectHeaders(headers: ReceivedMessage['headers']): Record<string, string> {
  const sent = protocolHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  return {
    'content-type': mediaTypes.json,
    accept: `${mediaTypes.json}, ${mediaTypes.events}`,
    ...Object.fromEntries(sent),
  }
}
