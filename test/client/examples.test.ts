// Runs the unchanged examples of the client's documentation with Node against a running server.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { type RunningServer, startServer } from '../server/start-server.ts'

type Place = Pick<RunningServer, 'origin' | 'apiKey'>

const readClientFile = (file: string) => readFile(new URL(`../../client/${file}`, import.meta.url), 'utf8')

/** Returns the part of the README below a heading; without one, the part above the first heading. */
async function readSection(heading = ''): Promise<string> {
  const sections = (await readClientFile('README.md')).split(/^## /m)
  return sections.find((section) => section.startsWith(heading)) ?? ''
}

/** Runs the examples of a text as one program, with the address and key of a server, and returns what it prints. */
async function runExamples(t: Test, text: string, { origin, apiKey }: Place): Promise<string> {
  const examples = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, example = '']) => example)
  const program = examples
    .join('\n')
    .replaceAll('https://floe.example.org', origin)
    .replaceAll('your-api-key', apiKey)
    .replaceAll("deployment: 'demo'", "deployment: 'tiles'")
  const path = join(t.testdir({ 'example.ts': program }), 'example.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@floe/source', path])
  return stdout
}

t.test('the first examples of the README run', async (t) => {
  const printed = await runExamples(t, await readSection(), await startServer(t))
  t.match(printed, /^wind\/speed \[\s+'wind_speed',/m)
  t.match(printed, /no\/such branch/)
})

t.test('the examples of administration in the README run', async (t) => {
  const { origin, adminKey } = await startServer(t)
  const printed = await runExamples(t, await readSection('Administration'), { origin, apiKey: adminKey })
  t.match(printed, /^[0-9a-f-]{36} whsec_\S+$/m)
})

t.test("the example of the package's documentation runs", async (t) => {
  const text = (await readClientFile('index.ts')).replaceAll(/^ \* ?/gm, '')
  t.match(await runExamples(t, text, await startServer(t)), /^\{ .*time: \d+/)
})
