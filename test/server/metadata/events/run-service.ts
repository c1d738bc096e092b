// A service as its command runs it, on repositories in a directory.
import { loadConfig } from '../../../../server/main/configuration/load-config.ts'
import type { ConfigInput } from '../../../../server/main/configuration/schema.ts'
import { runServer } from '../../../../server/main/run-server.ts'
import type { Timing } from '../../../../server/timing.ts'
import type { Test } from 'tap'
import { noOverload } from '../../start-server.ts'

/** A running service. */
export type RunningService = {
  readonly origin: string
  /** Address of the metadata routes of the public deployment `open` of `acme`, without a trailing slash. */
  readonly meta: string
  /** Stops it as SIGTERM does; resolves when it has stopped. */
  readonly stop: () => Promise<void>
}

/**
 * Runs a service until the end of the test.
 *
 * @param timing by default that of the machine
 */
export async function runService(
  t: Test,
  database: string,
  repositories: string,
  { notifications, timing }: { notifications?: ConfigInput['notifications']; timing?: Timing } = {},
): Promise<RunningService> {
  const config = await loadConfig(
    undefined,
    {},
    {
      listen: { host: '127.0.0.1', port: 0 },
      database,
      encryptionKey: Buffer.alloc(32, 7).toString('base64'),
      deployments: [{ name: 'open', org: 'acme', public: true }],
      orgs: { acme: { repositories: [{ scan: repositories }] } },
      notifications,
    },
  )
  const end = new AbortController()
  const listening = Promise.withResolvers<string>()
  const out = (text: string) => listening.resolve(text.replace('listening on ', '').trim())
  const running = runServer(config, { stop: end.signal, out, overloadLimits: noOverload }, timing)
  const stop = async () => {
    end.abort()
    await running
  }
  t.teardown(stop)
  const origin = await Promise.race([listening.promise, running.then(() => '')])
  return { origin, meta: `${origin}/v1/services/open/acme/_meta`, stop }
}
