// `npm run check:package`: checks the packages that would be published. It builds and packs contract and client, installs them in an empty
// project outside of this one, imports them with plain Node, and compiles the README's example against their types. Needs the package
// registry.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const rooms = ['contract', 'client']
const consumer = await mkdtemp(join(tmpdir(), 'floe-consumer-'))
try {
  await pack()
  await install()
  run(consumer, process.execPath, ['imports.js'])
  run(consumer, join(root, 'node_modules/.bin/tsc'), ['-p', '.'])
  console.log('the packages can be installed, imported and compiled against')
} finally {
  await rm(consumer, { recursive: true })
}

async function pack(): Promise<void> {
  for (const room of rooms) await rm(join(root, room, 'dist'), { recursive: true, force: true })
  run(root, 'npm', ['run', 'build'])
  const workspaces = rooms.map((room) => `--workspace=@floe/${room}`)
  run(root, 'npm', ['pack', '--pack-destination', consumer, ...workspaces])
}

async function install(): Promise<void> {
  const tarballs = (await readdir(consumer)).map((name) => `./${name}`)
  const [, example = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(root, 'client/README.md'), 'utf8')) ?? []
  const files = {
    'package.json': JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
    'imports.js': `
      import { contract, NewCommit } from '@floe/contract'
      import schema from '@floe/contract/notification.schema.json' with { type: 'json' }
      import { createClient } from '@floe/client'
      const floe = createClient({ baseUrl: 'http://127.0.0.1:9/v1', deployment: 'tiles', org: 'acme', retries: 0 })
      const error = await floe.repositories().catch((reason) => reason)
      if (error.name !== 'NetworkError') throw error
      if (!contract.discovery || !NewCommit || !schema.$schema) throw new Error('something is not exported')`,
    'example.ts': example,
    'types.ts': `
      import { createAdminClient, createClient, type DatasetInfo, type Versioned, type Webhook } from '@floe/client'
      import { contract, type NewCommit } from '@floe/contract'
      const floe = createClient({ baseUrl: '', deployment: 'tiles', org: 'acme' })
      const info: DatasetInfo = await floe.info({ repo: 'weather', ref: 'main' })
      const type: string | undefined = info.variables['time']?.type
      const path: '/v1/schemas/notification.json' = contract.documents.notificationSchema.path
      export const author = (commit: NewCommit): string => commit.details.author_id
      const admin = createAdminClient({ baseUrl: '', org: 'acme' })
      const { value, etag }: Versioned<Webhook> = await admin.webhooks.get({ repo: 'weather', id: '' })
      await admin.webhooks.update({ repo: 'weather', id: value.id }, { secret_token: null }, { ifMatch: etag })
      // @ts-expect-error -- there is no such state
      await admin.deliveries.list({ repo: 'weather', state: 'lost' })
      // @ts-expect-error -- a ref is needed
      await floe.info({ repo: 'weather' })
      // @ts-expect-error -- there is no such variable member
      export const facts = [type, path, info.variables['time']?.shape]`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2024',
        lib: ['ES2024', 'DOM'],
        module: 'NodeNext',
        // No types of Node's, as in a program for browsers.
        types: [],
        // The declarations of @ts-rest/core 3.53 do not fit zod 4.
        skipLibCheck: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
      },
    }),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(consumer, name), text)
  run(consumer, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs])
}

function run(cwd: string, command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}
