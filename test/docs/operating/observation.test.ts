// The dashboard and the alert rules name metrics that exist, with labels that they have, and the page about logs names
// lines that exist.
import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { basic, startServer } from '../../server/start-server.ts'

const read = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
})

/** Words of PromQL, and of the program that reads the metrics. */
const words = new Set('sum by rate increase max max_over_time histogram_quantile topk le up job instance'.split(' '))

/** The names that a server's metrics have, and those of all their labels. */
async function listNames(t: Test): Promise<ReadonlySet<string>> {
  const { origin, adminKey } = await startServer(t, { hasOperator: true })
  const text = await (await fetch(`${origin}/metrics`, { headers: { authorization: basic('acme', adminKey) } })).text()
  const page = await read('internals/metrics.md')
  const labels = [...page.matchAll(/`floe_\w+\{([\w,]+)\}/g)].flatMap(([, list = '']) => list.split(','))
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
  )
  return new Set([...types, ...labels])
}

/** The names in an expression, without texts and times. */
function listWords(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"|\[[^\]]*\]/g, '')
  return [...bare.matchAll(/[a-z_]\w*/gi)].map(([word]) => word).filter((word) => !words.has(word))
}

// Proves: the dashboard and the alerts use names of metrics that exist
t.test('every metric and label of the alert rules and the dashboard exists', async (t) => {
  const names = await listNames(t)
  const { groups } = Rules.parse(parse(await read('operating/alerts.yaml')))
  const { panels } = Dashboard.parse(JSON.parse(await read('operating/dashboard.json')))
  const rules = groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ of: alert, expr })))
  const targets = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr })))
  t.ok(rules.length > 10 && targets.length > 20)
  for (const { of, expr } of [...rules, ...targets]) {
    const used = listWords(expr)
    t.ok(used.length > 0 || expr.startsWith('up'), of)
    for (const word of used) t.ok(names.has(word), `${of}: ${word}`)
  }
})

t.test('the table of log lines has what the service writes', async (t) => {
  const [, section = ''] = (await read('internals/metrics.md')).split('## Logs')
  const cells = [...section.matchAll(/^\| (`.+?`) \| (?:info|warn|error) \|/gm)].map(([, cell = '']) => cell)
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`(.+?)`/g)].map(([, message = '']) => message))
  t.ok(listed.length > 15)
  const server = fileURLToPath(new URL('../../../server', import.meta.url))
  const files = await Array.fromAsync(
    glob('{catalog,expectations,http,main,notifications,observation}/**/*.ts', { cwd: server }),
  )
  const sources = await Promise.all(files.map((file) => readFile(`${server}/${file}`, 'utf8')))
  const source = sources.join('\n').replaceAll(/\$\{[^}]*\}/g, '…')
  for (const message of listed) t.ok(source.includes(`'${message}'`) || source.includes(`\`${message}\``), message)
  const written = [...source.matchAll(/log\.(?:info|warn|error)\(\s*(?:[^'`;]*,\s+)?(['`])(.+?)\1/g)].map(
    ([, , message = '']) => message,
  )
  t.ok(written.length > 5)
  // Other lines are about single requests, or say all that there is to know.
  const others = [
    'request',
    'traces could not be sent',
    '`floe check` lists the other mistakes in the configuration',
    '`floe check` lists the other expectations of which nobody is told',
  ]
  t.strictSame(
    written.filter((message) => ![...listed, ...others].includes(message)),
    [],
  )
})

const promtool = process.env['FLOE_TEST_PROMTOOL'] ?? 'promtool'
const run = promisify(execFile)
const isInstalled = await run(promtool, ['--version']).then(
  () => true,
  () => false,
)

t.test('promtool accepts the alert rules and the metrics', { skip: !isInstalled && 'no promtool' }, async (t) => {
  await run(promtool, [
    'check',
    'rules',
    fileURLToPath(new URL('../../../docs/operating/alerts.yaml', import.meta.url)),
  ])
  const { origin, adminKey } = await startServer(t)
  const text = await (await fetch(`${origin}/metrics`, { headers: { authorization: basic('acme', adminKey) } })).text()
  const check = run(promtool, ['check', 'metrics'])
  check.child.stdin?.end(text)
  const { stdout, stderr } = await check.catch((error: { stdout: string; stderr: string }) => error)
  // It finds fault with names of prom-client.
  const faults = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('floe_') || line.startsWith('error'))
  t.strictSame(faults, [])
})
