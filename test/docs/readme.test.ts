// The examples of README.md and docs/http.md, against what `npm start` serves.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const shown = 'http://127.0.0.1:8080'
const flags = ['--conditions=@floe/source']

/** The demonstration at a port of its own. @returns its origin */
async function startDemonstration(t: Test): Promise<string> {
  const script = fileURLToPath(new URL('../../scripts/demonstration.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, FLOE_LISTEN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  if (!child.stdout) throw new TypeError('the demonstration has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin] = /^listening on (\S+)/.exec(line) ?? []
    if (origin !== undefined) return origin
  }
  throw new Error('the demonstration ended')
}

const origin = await startDemonstration(t)

for (const file of ['README.md', 'docs/http.md']) {
  t.test(`the requests of ${file} are answered as it says`, async (t) => {
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
    const examples = [...text.matchAll(/^curl (\S+)\n# (.+)$/gm)]
    t.ok(examples.length > 1, `${examples.length} examples`)
    for (const [, address = '', answer = ''] of examples) {
      const response = await fetch(address.replace(shown, origin))
      t.equal(await response.text(), answer, address)
    }
  })
}

t.test('the program of README.md runs', async (t) => {
  const text = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [, program = ''] = /```ts\n(.*?)```/s.exec(text) ?? []
  t.match(program, shown)
  const path = join(t.testdir({ 'example.ts': program.replace(shown, origin) }), 'example.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, path])
  t.match(stdout, /^\{.*time: 16/s)
})
