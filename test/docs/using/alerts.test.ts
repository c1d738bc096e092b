// docs/using/alerts.md leads from nothing to messages in a chat: its commands are run, and its lines arrive.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { findPython } from '../../find-python.ts'
import { findFreePort } from '../../../scripts/free-port.ts'
import { root } from '../list-documents.ts'

const page = await readFile(join(root, 'docs/using/alerts.md'), 'utf8')

/** The code blocks of a language below a heading, up to the next heading. */
function blocks(language: string, heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [text = ''] = section.split(/^## /m)
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
}

/** A folder with the samples in it, as a copy of this project has them, and how the page's commands run there. */
async function openFolder(t: Test) {
  const cwd = t.testdir({ test: t.fixture('symlink', join(root, 'test')) })
  const port = String(await findFreePort())
  const fill = (text: string) => text.replace(/^npm ci && /, '').replaceAll('9000', port)
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    FLOE_LISTEN_PORT: '0',
  }
  // Without npx, which takes a second.
  const command = (line: string) => fill(line).replace(/^npx (?=floe )/, '')
  return {
    write: (name: string, text: string) => writeFile(join(cwd, name), fill(text)),
    run: async (line: string) => (await promisify(execFile)('sh', ['-c', command(line)], { cwd, env })).stdout,
    start: (line: string) => {
      const child = spawn('sh', ['-c', `exec ${command(line)}`], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
      t.teardown(() => end(child))
      return child.stdout
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const closed = once(child, 'close')
  child.kill()
  await closed
}

/** What the page shows, as a pattern: `...` stands for anything. */
function toPattern(line: string): RegExp {
  const parts = line.split('...').map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}`)
}

const reset = `
import icechunk
repository = icechunk.Repository.open(icechunk.local_filesystem_storage("repos/weather"))
repository.reset_branch("main", next(iter(list(repository.ancestry(branch="main"))[1:])).id)
`
const python = findPython('icechunk')

t.test('a reader who follows the page gets its messages in a chat', async (t) => {
  const folder = await openFolder(t)
  const [samples = '', contract = '', chat = '', started = ''] = blocks('sh', 'Set it up')
  const [configuration = ''] = blocks('yaml', 'Set it up')
  const [check = '', serve = ''] = started.split('\n')
  await folder.run(samples.trim())
  await folder.run(contract.trim())
  await folder.write('floe.yaml', configuration)

  const found = await folder.run(check)
  t.notMatch(found, /nobody is told|FAILED|links/)
  t.match(found, 'ok      receiver acme data team')

  const arriving = createInterface({ input: folder.start(chat.trim()) })
  const messages: string[] = []
  arriving.on('line', (line) => messages.push(line))
  folder.start(serve).resume()
  const expected = blocks('', 'What arrives')[0]?.trim().split('\n') ?? []
  t.equal(expected.length, 3)
  while (messages.length < expected.length) await once(arriving, 'line')
  for (const line of expected) {
    const arrived = messages.some((message) => toPattern(line).test(message))
    t.ok(arrived, `${line}\n${messages.join('\n')}`)
  }

  await t.test('also of a branch that is reset', { skip: python.skip }, async (t) => {
    await folder.write('reset.py', reset)
    const before = messages.length
    await folder.run(`${python.command} reset.py`)
    while (messages.length === before) await once(arriving, 'line')
    t.match(messages.at(-1), toPattern(blocks('', 'Gone')[0]?.trim() ?? ''))
  })
})

t.test('the table has lines as Floe writes them', async (t) => {
  const files = ['expectations/kinds/*.ts', 'events/event-lines.ts']
  const paths = await Array.fromAsync(glob(files, { cwd: join(root, 'server') }))
  const sources = await Promise.all(paths.map((path) => readFile(join(root, 'server', path), 'utf8')))
  const cells = [...page.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(.+?)`/g)])
  t.ok(cells.length >= 10, `${cells.length} beginnings of lines`)
  for (const [, words = ''] of cells) {
    const isWritten = sources.some((source) => source.includes(`'${words}'`) || source.includes(`\`${words}: `))
    t.ok(isWritten, words)
  }
})
