// Receives notifications with Express.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 node client/examples/express.ts
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { createReceiver } from '@floe/client'
import express from 'express'

const receive = createReceiver({
  secretToken: env['FLOE_SECRET_TOKEN'],
  signingSecrets: [env['FLOE_SIGNING_SECRET'] ?? ''],
  onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
    if (isTest) return
    console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
  },
})

const app = express()

// The signature is over the bytes as they came, so Express must not parse them.
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 answers for what an async handler throws
app.post('/floe', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  // Only set-cookie, which no request has, is an array.
  const headers = request.headers as Record<string, string>
  const answer = await receive(new Request('http://localhost/floe', { method: 'POST', headers, body: request.body }))
  response
    .status(answer.status)
    .set(Object.fromEntries(answer.headers))
    .send(await answer.text())
})

const server = app.listen(Number(env['PORT'] ?? 3000), '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  const { address, port } = server.address() as AddressInfo
  console.log(`listening on http://${address}:${port}`)
})
