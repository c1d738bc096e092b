// Receives notifications in Cloudflare Workers.
// With Hono, pass on the raw request: app.post('/floe', (c) => receive(c.req.raw, c.env))
import { createReceiver } from '@floe/client/receiver'

type Env = { readonly FLOE_SECRET_TOKEN: string; readonly FLOE_SIGNING_SECRET: string }

function receive(request: Request, env: Env): Promise<Response> {
  const receiver = createReceiver({
    secretToken: env.FLOE_SECRET_TOKEN,
    signingSecrets: [env.FLOE_SIGNING_SECRET],
    onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
      if (isTest) return
      console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
    },
  })
  return receiver(request)
}

// oxlint-disable-next-line import/no-default-export -- the form that Workers look for
export default { fetch: receive }
