// A server whose receivers are real ones on loopback, and a receiver that keeps what it gets.
import { TestResult } from '@floe/contract'
import type { Test } from 'tap'
import { openLog } from '../../../server/observation/open-log.ts'
import { toLoopback } from '../main/commands/floe-process.ts'
import { startReceiver } from '../notifications/start-receiver.ts'
import { type RunningServer, type ServerOptions, startServer } from '../start-server.ts'

/** A server that may send to loopback. */
export function startAdministration(t: Test, options: ServerOptions = {}): Promise<RunningServer> {
  return startServer(t, { ...options, notifications: { ...toLoopback, ...options.notifications } })
}

/** A server that may send to loopback, and a function that tests a receiver with it. */
export async function startWithCheck(t: Test) {
  const server = await startAdministration(t)
  const check = async (body: object) => {
    const tested = { kind: 'webhook', ...body }
    const response = await server.administer('POST', 'repos/weather/receivers/test', tested)
    t.equal(response.status, 200)
    return TestResult.parse(await response.json())
  }
  return { server, check }
}

/** A log as the service has it, and its lines. */
export function collectLog() {
  const lines: string[] = []
  return { lines, log: openLog('warn', { destination: { write: (line) => void lines.push(line) } }) }
}

/** A request as the receiver got it. */
type Received = { readonly headers: Record<string, string | undefined>; readonly body: string }

/** A receiver that answers as `answer` says at the time. */
export async function receive(t: Test, answer: { status: number; body?: string; headers?: Record<string, string> }) {
  const requests: Received[] = []
  const port = await startReceiver(t, (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      requests.push({ headers, body })
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  return { origin: `https://127.0.0.1:${port}`, requests }
}
