// Receives notifications with Google Cloud Functions, whose framework passes the raw bytes of a body on as `rawBody`.
// Run: FLOE_SECRET_TOKEN=... FLOE_SIGNING_SECRET=whsec_... npx functions-framework --target=floe
import { env } from 'node:process'
import { createReceiver, toNodeListener } from '@floe/client/receiver'
import { http } from '@google-cloud/functions-framework'

const receive = createReceiver({
  secretToken: env['FLOE_SECRET_TOKEN'],
  signingSecrets: [env['FLOE_SIGNING_SECRET'] ?? ''],
  onNewCommit({ repo_name, snapshot_id }, { id, isTest }) {
    if (isTest) return
    console.log(`${id}: ${repo_name} is now at ${snapshot_id}`)
  },
})

http('floe', toNodeListener(receive))
