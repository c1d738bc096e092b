// Receives notifications with Node alone.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 node client/examples/node-http.ts
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { createReceiver, toNodeListener } from '@floe/client/receiver'

const receive = createReceiver({
  secretToken: env['FLOE_SECRET_TOKEN'],
  signingSecrets: [env['FLOE_SIGNING_SECRET'] ?? ''],
  onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
    if (isTest) return
    console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
  },
})

const server = createServer(toNodeListener(receive))
server.listen(Number(env['PORT'] ?? 3000), '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  const { address, port } = server.address() as AddressInfo
  console.log(`listening on http://${address}:${port}`)
})
