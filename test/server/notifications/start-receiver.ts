// Receivers on loopback for tests: an HTTPS server with a certificate of the test authority, or a bare TCP server for
// what HTTPS cannot say.
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { makeAddressRules } from '@floe/storage/addresses'
import type { Test } from 'tap'
import { systemTiming, type Timing } from '../../../server/timing.ts'
import { openPoster, type PosterOptions, type PostRequest } from '../../../server/notifications/post/post.ts'
import type { ReceiverProxy } from '../../../server/notifications/receivers/receiver-proxy.ts'

const readCertificate = (file: string) => readFileSync(new URL(`certificates/${file}`, import.meta.url), 'utf8')

export const readIdentity = (name: string) => ({
  cert: readCertificate(`${name}.pem`),
  key: readCertificate(`${name}.key.pem`),
})

/** The file of the authority that signed the receivers' certificates, for `notifications.extraCaFile`. */
export const testAuthorityFile = fileURLToPath(new URL('certificates/authority.pem', import.meta.url))

/** Its content. */
export const testAuthority = readFileSync(testAuthorityFile, 'utf8')

export type Cleanup = { teardown: (end: () => unknown) => void }

/**
 * @param port by default one that is free
 * @returns the port on `host`
 */
export async function startReceiver(
  t: Cleanup,
  listener: RequestListener,
  name: 'receiver' | 'other' | 'expired' = 'receiver',
  host = '127.0.0.1',
  port = 0,
): Promise<number> {
  const server = createServer(readIdentity(name), listener)
  t.teardown(() => server.closeAllConnections())
  return listen(t, server, host, port)
}

/**
 * A receiver that speaks HTTP/2 with whoever offers it, and HTTP/1.1 with others.
 *
 * @returns the port on 127.0.0.1
 */
export async function startHttp2Receiver(
  t: Cleanup,
  listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<number> {
  return listen(t, createSecureServer({ ...readIdentity('receiver'), allowHTTP1: true }, listener))
}

/**
 * A receiver that speaks TLS, but not necessarily HTTP.
 *
 * @returns the port on 127.0.0.1
 */
export async function startTlsReceiver(
  t: Cleanup,
  onConnection: (socket: TLSSocket) => void,
  options: TlsOptions = {},
): Promise<number> {
  return listen(
    t,
    createTlsServer({ ...readIdentity('receiver'), noDelay: true, ...options }, destroyAtEnd(t, onConnection)),
  )
}

/** @returns the port on 127.0.0.1 */
export async function startTcpReceiver(t: Cleanup, onConnection: (socket: Socket) => void): Promise<number> {
  return listen(t, createTcpServer(destroyAtEnd(t, onConnection)))
}

function destroyAtEnd<Connection extends Socket>(t: Cleanup, onConnection: (socket: Connection) => void) {
  return (socket: Connection) => {
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    onConnection(socket)
  }
}

export async function listen(t: Cleanup, server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  // A TCP server that listens has an address and a port.
  return (server.address() as AddressInfo).port
}

let usualProxy: ReceiverProxy | undefined

/** Lets all posters of this process use a proxy, unless they have another one. */
export function useProxy(proxy: ReceiverProxy): void {
  usualProxy = proxy
}

/** A test of what holds without a proxy alone. */
export function testDirectly(t: Test, name: string, run: (t: Test) => Promise<void>): void {
  if (usualProxy === undefined) void t.test(name, run)
}

type TestPosterOptions = Partial<Omit<PosterOptions, 'timing'>> & { readonly timing?: Partial<Timing> }

/** A poster that may reach loopback, knows `receiver.test` and trusts the test authority. */
export function openTestPoster(t: Cleanup, { timing, ...options }: TestPosterOptions = {}) {
  const poster = openPoster({
    rules: makeAddressRules(['127.0.0.0/8']),
    resolveHost: async () => ['127.0.0.1'],
    extraCa: testAuthority,
    proxy: usualProxy,
    // Longer than an exchange on loopback takes, also on a busy machine.
    limitMs: 30_000,
    ...options,
    timing: { ...systemTiming, after, ...timing },
  })
  t.teardown(() => poster.close())
  return poster
}

/** Waits that do not keep the process from its end. */
const after = (ms: number, callback: () => void) => {
  const timer = setTimeout(callback, ms).unref()
  return () => clearTimeout(timer)
}

/** A time limit that is over when a test says so. Of several that have begun and not ended, it is the first one. */
export function makeTimeLimit() {
  const ends = new Set<() => void>()
  const after = (_ms: number, callback: () => void) => {
    ends.add(callback)
    return () => void ends.delete(callback)
  }
  const endTime = () => {
    const [end] = ends
    end?.()
  }
  return { timing: { after }, endTime }
}

/** Writes a request to `url` with a body of JSON. */
export const writePost = (url: string, headers: Record<string, string> = {}): PostRequest => ({
  url: new URL(url),
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"event":"NewCommit"}',
})

/** Makes one exchange with the receiver at a port of 127.0.0.1. */
export const postTo = (t: Cleanup, port: number, options?: TestPosterOptions) =>
  openTestPoster(t, options).post(writePost(`https://127.0.0.1:${port}/`))
