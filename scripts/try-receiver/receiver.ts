// An HTTPS server on loopback. The client's receiver answers its requests.
import { EventEmitter, on, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createReceiver } from '@floe/client'

/** A certificate, its private key, and the certificate of the authority that signed it, each as PEM. */
type Certificate = { readonly cert: string; readonly key: string; readonly authority: string }

/** Reads the tests' certificate for `127.0.0.1`. No machine trusts its authority. */
export async function readCertificate(): Promise<Certificate> {
  const read = (name: string) =>
    readFile(new URL(`../../test/server/notifications/certificates/${name}`, import.meta.url), 'utf8')
  return {
    cert: await read('receiver.pem'),
    key: await read('receiver.key.pem'),
    authority: await read('authority.pem'),
  }
}

/** The secrets that a webhook and its receiver share. */
export type SharedSecrets = { readonly secretToken: string; readonly signingSecret: string }

/** A request and the status of its answer. */
export type Arrival = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
}

/** A running receiver. */
export type LocalReceiver = {
  /** The Webhook URL. */
  readonly url: string
  /** Resolves with the next request, after it was answered. */
  readonly next: () => Promise<Arrival>
  readonly close: () => void
}

/**
 * Starts a receiver on a free port of 127.0.0.1.
 *
 * @param signal ends the waiting for requests
 */
export async function startReceiver(
  certificate: Certificate,
  secrets: SharedSecrets,
  signal: AbortSignal,
): Promise<LocalReceiver> {
  const receive = createReceiver({
    secretToken: secrets.secretToken,
    signingSecrets: [secrets.signingSecret],
    onNewCommit() {},
  })
  const answered = new EventEmitter()
  // Buffers requests until `next` is called.
  const arrivals = on(answered, 'arrival', { signal })
  const server = createServer(certificate, (incoming, outgoing) => {
    answer(receive, incoming, outgoing).then(
      (arrival) => answered.emit('arrival', arrival),
      (error) => answered.emit('error', error),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/floe`,
    next: async () => {
      const { value } = await arrivals.next()
      // The emitter emits only arrivals, one at a time.
      return value?.[0] as Arrival
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(
  receive: ReturnType<typeof createReceiver>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Arrival> {
  // Only set-cookie, which no request has, is an array.
  const headers = incoming.headers as Record<string, string>
  const body = new Uint8Array(await buffer(incoming))
  const response = await receive(new Request('https://127.0.0.1/floe', { method: 'POST', headers, body }))
  const { status } = response
  outgoing.writeHead(status, Object.fromEntries(response.headers)).end(await response.text())
  return { headers, body: new TextDecoder().decode(body), status }
}
