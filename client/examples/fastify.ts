// Receives notifications with Fastify.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... PORT=3000 node client/examples/fastify.ts
import { env } from 'node:process'
import { createReceiver } from '@floe/client'
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

// The signature is over the bytes as they came, so Fastify must not parse them.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.post<{ Body: Buffer<ArrayBuffer> }>('/floe', (request) => {
  // Only set-cookie, which no request has, is an array.
  const headers = request.headers as Record<string, string>
  return receive(new Request('http://localhost/floe', { method: 'POST', headers, body: request.body }))
})

console.log(`listening on ${await app.listen({ port: Number(env['PORT'] ?? 3000), host: '127.0.0.1' })}`)
