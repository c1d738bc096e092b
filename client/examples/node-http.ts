// Receives notifications with Node alone.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 node client/examples/node-http.ts
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { Readable } from 'node:stream'
import { createReceiver } from '@floe/client'

const receive = createReceiver({
  secretToken: env['FLOE_SECRET_TOKEN'],
  signingSecrets: [env['FLOE_SIGNING_SECRET'] ?? ''],
  onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
    if (isTest) return
    console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
  },
})

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.method !== 'POST') {
    outgoing.writeHead(405, { allow: 'POST' }).end()
    return
  }
  const init = {
    method: 'POST',
    // Only set-cookie, which no request has, is an array.
    headers: incoming.headers as Record<string, string>,
    // Node's stream type differs from the one that Request expects; at run time they are the same class.
    body: Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>,
    duplex: 'half',
  }
  const response = await receive(new Request('http://localhost/floe', init))
  // Discard the unread rest of a refused body: it would block the next request on this connection.
  if (!response.ok) outgoing.setHeader('connection', 'close')
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
server.listen(Number(env['PORT'] ?? 3000), '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  const { address, port } = server.address() as AddressInfo
  console.log(`listening on http://${address}:${port}`)
})
