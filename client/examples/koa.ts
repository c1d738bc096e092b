// Receives notifications with Koa.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 node client/examples/koa.ts
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'
import { createReceiver, toNodeListener } from '@floe/client/receiver'
import Koa from 'koa'

const receive = createReceiver({
  secretToken: env['FLOE_SECRET_TOKEN'],
  signingSecrets: [env['FLOE_SIGNING_SECRET'] ?? ''],
  onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
    if (isTest) return
    console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
  },
})

const listen = toNodeListener(receive)
const app = new Koa()

// Before any parser, because the signature is over the bytes as they came.
app.use(async (context, next) => {
  if (context.path !== '/floe') return next()
  // The listener answers, not Koa.
  context.respond = false
  listen(context.req, context.res)
})

const server = app.listen(Number(env['PORT'] ?? 3000), '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  const { address, port } = server.address() as AddressInfo
  console.log(`listening on http://${address}:${port}`)
})
