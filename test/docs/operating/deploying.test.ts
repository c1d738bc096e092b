// The commands of docs/operating/deploying.md, as far as they run without an engine, a cluster and systemd.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = await readFile(join(root, 'docs/operating/deploying.md'), 'utf8')
const blocks = [...page.matchAll(/^```\n(.*?)^```/gms)].map(([, block = '']) => block.replaceAll(/\\\n\s*/g, ''))
const commands = blocks.flatMap((block) => block.split('\n').filter((line) => line !== ''))

const run = async (command: string, variables: Readonly<Record<string, string>> = {}) => {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root, env })
  return stdout.trim()
}

t.test('files of the project that the commands name exist', (t) => {
  const files = commands.flatMap((command) => command.match(/(?<=[ /=])deploy\/[\w./]+/g) ?? [])
  t.ok(files.length > 6, `${files.length} files`)
  for (const file of files) t.ok(existsSync(join(root, file)), file)
  t.end()
})

t.test('the program that is run inside a container makes a key', async (t) => {
  const inside = commands.flatMap((command) => / exec .*?\bfloe (?:-- )?(floe .+)$/.exec(command)?.[1] ?? [])
  t.equal(inside.length, 3)
  for (const [index, command] of inside.entries()) {
    const database = `sqlite:${t.testdir()}/${index}.db`
    t.match(await run(`npx ${command}`, { FLOE_DATABASE: database }), /^floe_[0-9a-f]{16}_\S+$/, command)
  }
})

const hasKubectl = await run('kubectl version --client && openssl version').then(
  () => true,
  () => false,
)
t.test('the Secret has what the service needs', { skip: !hasKubectl && 'there is no kubectl' }, async (t) => {
  const create = commands.find((command) => command.startsWith('kubectl create secret'))
  const secret = parse(await run(`${create} --dry-run=client --output=yaml`))
  t.match(secret, { kind: 'Secret', metadata: { name: 'floe' } })
  const decode = (name: string) => Buffer.from(secret.data[name], 'base64').toString()
  t.match(decode('FLOE_DATABASE'), /^postgres:\/\//)
  t.equal(Buffer.from(decode('FLOE_ENCRYPTION_KEY'), 'base64').length, 32)
})
