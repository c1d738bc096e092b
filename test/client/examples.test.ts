// Runs the unchanged examples of the documentation with Node against a running server.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { type RunningServer, startServer } from '../server/start-server.ts'

type Place = Pick<RunningServer, 'origin' | 'apiKey'>

/** Runs the first example below a line of a client's file, with the address and key of a server, and returns what it prints. */
async function runExample(t: Test, file: string, { origin, apiKey }: Place, below = ''): Promise<string> {
  const text = await readFile(new URL(`../../client/${file}`, import.meta.url), 'utf8')
  const [, example = ''] = /```ts\n(.*?)```/s.exec(text.slice(text.indexOf(below)).replaceAll(/^ \* ?/gm, '')) ?? []
  t.match(example, "baseUrl: 'https://floe.example.org/v1'")
  const program = example.replace('https://floe.example.org', origin).replace('your-api-key', apiKey)
  const path = join(t.testdir({ 'example.ts': program }), 'example.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@floe/source', path])
  return stdout
}

t.test('the example of the README runs', async (t) => {
  const printed = await runExample(t, 'README.md', await startServer(t))
  t.match(printed, /^wind\/speed \[\s+'wind_speed',/m)
  t.match(printed, /no\/such branch/)
})

t.test('the example of administration in the README runs', async (t) => {
  const { origin, adminKey } = await startServer(t)
  const printed = await runExample(t, 'README.md', { origin, apiKey: adminKey }, '## Administration')
  t.match(printed, /^[0-9a-f-]{36} whsec_\S+$/m)
})

t.test("the example of the package's documentation runs", async (t) => {
  t.match(await runExample(t, 'index.ts', await startServer(t)), /^\{ .*time: \d+/)
})
