// A real service in this process, on a copy of the sample repositories.
import { cp, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../server/main/configuration/load-config.ts'
import { runServer } from '../../server/main/run-server.ts'
import type { SharedSecrets } from './receiver.ts'

const fixtures = fileURLToPath(new URL('../../test/fixtures/', import.meta.url))

/** A running service. */
export type LocalService = {
  readonly origin: string
  /** The part of its `floe.yaml` that is about notifications. */
  readonly notifications: string
  /** Commits twice to `weather`, as Icechunk does: its `repo` object is replaced last. */
  readonly commit: () => Promise<void>
  /** Resolves when it has stopped. */
  readonly stop: () => Promise<void>
}

/** The receiver of a service, and the certificate of the authority to trust. */
type Webhook = SharedSecrets & { readonly url: string; readonly authority: string }

/** Starts a service with all its files in `directory`. Its configuration declares a webhook for `weather`. */
export async function startService(directory: string, webhook: Webhook, signal: AbortSignal): Promise<LocalService> {
  const repositories = join(directory, 'repositories')
  for (const name of ['weather', 'weather-v1', 'satellite']) {
    await cp(join(fixtures, 'repositories', name), join(repositories, name), { recursive: true })
  }
  const extraCaFile = join(directory, 'certificate.pem')
  await writeFile(extraCaFile, webhook.authority)
  const notifications = writeNotifications(webhook, extraCaFile)
  const file = join(directory, 'floe.yaml')
  await writeFile(file, `${writeSettings(directory, repositories)}${notifications}`)
  const { origin, stop } = await serve(file, signal)
  return { origin, notifications, stop, commit: () => commitTo(join(repositories, 'weather')) }
}

function writeSettings(directory: string, repositories: string): string {
  return `listen: { port: 0 }
database: ${JSON.stringify(`sqlite:${directory}/floe.db`)}
deployments: [{ name: demo, org: acme, public: true }]
orgs:
  acme:
    repositories: [{ scan: ${JSON.stringify(repositories)} }]
`
}

function writeNotifications({ url, secretToken, signingSecret }: Webhook, extraCaFile: string): string {
  return `notifications:
  allowPrivateNetworks: [127.0.0.0/8]
  extraCaFile: ${JSON.stringify(extraCaFile)}
  webhooks:
    - org: acme
      repo: weather
      alias: try-receiver
      url: ${url}
      secretToken: ${JSON.stringify(secretToken)}
      signingSecret: ${JSON.stringify(signingSecret)}
`
}

async function serve(file: string, signal: AbortSignal): Promise<Pick<LocalService, 'origin' | 'stop'>> {
  const stopping = new AbortController()
  const listening = Promise.withResolvers<string>()
  const running = runServer(await loadConfig(file, {}, {}), {
    stop: AbortSignal.any([signal, stopping.signal]),
    out: (line) => listening.resolve(line),
  })
  // A service that ends before it listens could not start.
  const line = await Promise.race([listening.promise, running])
  return {
    origin: /http\S+/.exec(line ?? '')?.[0] ?? '',
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

async function commitTo(repository: string): Promise<void> {
  const commits = join(fixtures, 'weather-commits')
  for (const folder of ['snapshots', 'transactions'])
    await cp(join(commits, folder), join(repository, folder), { recursive: true })
  await cp(join(commits, 'repo'), join(repository, 'repo.new'))
  await rename(join(repository, 'repo.new'), join(repository, 'repo'))
}
