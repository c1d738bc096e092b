// `npm start`: serves the sample repositories in a public and in a private deployment.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiKey, openDatabase } from '@floe/storage/database'
import { explainFailure } from '../server/main/commands/explain-failure.ts'
import { writeTo } from '../server/main/commands/terminal.ts'
import { loadConfig } from '../server/main/configuration/load-config.ts'
import { runServer } from '../server/main/run-server.ts'

const samples = fileURLToPath(new URL('../test/fixtures/repositories/', import.meta.url))
const org = 'acme'
const { out, err } = writeTo(process.stdout, process.stderr)

/** Serves until `stop`. The database is in `directory`. */
async function demonstrate(directory: string, stop: AbortSignal): Promise<void> {
  const config = await loadConfig(undefined, process.env, {
    database: `sqlite:${directory}/floe.db`,
    deployments: [
      { name: 'demo', org, public: true },
      { name: 'private', org },
    ],
    orgs: {
      [org]: {
        repositories: ['weather', 'weather-v1', 'satellite'].map((name) => ({ name, location: samples + name })),
      },
    },
  })
  const key = await makeKey(config.database)
  await runServer(config, {
    stop,
    checksAnswers: true,
    isInteractive: process.stderr.isTTY,
    out: (listening) => {
      const [origin = ''] = /http\S+/.exec(listening) ?? []
      out(listening + writeGuide(origin, key))
    },
  })
}

async function makeKey(database: string): Promise<string> {
  const db = await openDatabase(database)
  try {
    return await createApiKey(db, { org, role: 'admin', repos: null, name: 'demonstration' }, new Date())
  } finally {
    await db.destroy()
  }
}

function writeGuide(origin: string, key: string): string {
  const demo = `${origin}/v1/services/demo/${org}/_meta`
  const locked = `${origin}/v1/services/private/${org}/_meta`
  return `
Browse the sample repositories   ${demo}/
Read the documentation           ${demo}/docs
                                 ${demo}/redoc
Ask from a shell                 curl ${demo}/discovery

Administer a repository          ${origin}/v1/orgs/${org}/repos/weather/settings
                                 (user name ${org}, password ${key})

The same behind credentials      curl -u ${org}:${key} ${locked}/discovery

Stop with Ctrl-C.
`
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const directory = await mkdtemp(join(tmpdir(), 'floe-'))
try {
  await demonstrate(directory, stop.signal)
} catch (error) {
  const explanation = explainFailure(error)
  if (explanation === undefined) throw error
  err(`${explanation}\n`)
  process.exitCode = 1
} finally {
  await rm(directory, { recursive: true })
}
