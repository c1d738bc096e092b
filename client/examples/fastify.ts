// Receives notifications with Fastify.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 node client/examples/fastify.ts
import { env } from 'node:process'
import { createReceiver, toFastifyPlugin } from '@floe/client/receiver'
import Fastify from 'fastify'

const receive = createReceiver({
  secretToken: env['FLOE_SECRET_TOKEN'],
  signingSecrets: [env['FLOE_SIGNING_SECRET'] ?? ''],
  onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
    if (isTest) return
    console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
  },
})

const app = Fastify()
app.register(toFastifyPlugin(receive), { prefix: '/floe' })

console.log(`listening on ${await app.listen({ port: Number(env['PORT'] ?? 3000), host: '127.0.0.1' })}`)
