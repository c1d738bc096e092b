// docs/using/good.md says what is true: its pipeline writes a bad run, readers of `main@good` keep the run before, the
// repair moves them, and the chat gets two lines.
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApiKey } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { findPython, type FoundPython } from '../../find-python.ts'
import { receive, startAdministration } from '../../server/administration/start-administration.ts'
import { waitUntil } from '../../server/wait-until.ts'

const page = await readFile(new URL('../../../docs/using/good.md', import.meta.url), 'utf8')
const findBlock = (beginning: RegExp) => {
  const found = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].find(([, , block = '']) => beginning.test(block))
  return found?.[2] ?? ''
}

/** Stands for `archive.py` where icechunk is missing: each run is the next commit that official Icechunk wrote. */
const standIn = `
import json, os, shutil
archive = os.environ["ARCHIVE"]
runs = os.path.join(archive, "runs.json")

def write_run(temperatures):
    known = json.load(open(runs)) if os.path.exists(runs) else {}
    ref = os.path.join(archive, "refs", f"tag.s{len(known) + 1}", "ref.json")
    shutil.copy(ref, os.path.join(archive, "refs", "branch.main", "ref.json"))
    snapshot = json.load(open(ref))["snapshot"]
    json.dump({**known, snapshot: temperatures}, open(runs, "w"))
    return snapshot

def find_missing(snapshot):
    return [step for step, value in enumerate(json.load(open(runs))[snapshot]) if value != value]
`

async function runPipeline(t: Test, python: FoundPython, archiveModule: string) {
  const directory = t.testdir({ 'archive.py': archiveModule, 'pipeline.py': findBlock(/^# pipeline\.py/) })
  const archive = join(directory, 'archives/forecast')
  if (archiveModule === standIn) {
    await cp(new URL('../../fixtures/changes/v1', import.meta.url), archive, { recursive: true })
  } else await mkdir(archive, { recursive: true })
  const sources = [{ kind: 'scan' as const, store: openLocalStore(join(directory, 'archives')) }]
  const server = await startAdministration(t, { sources })
  const chat = await receive(t, { status: 200 })
  await server.notifier.start()
  const key = await createApiKey(server.db, { org: 'acme', role: 'checker', repos: ['forecast'] }, new Date())
  const env = { ...process.env, FLOE_META: server.meta, FLOE_API_KEY: key, ARCHIVE: archive }
  const run = async (...temperatures: string[]) => {
    const args = [join(directory, 'pipeline.py'), ...temperatures]
    const { stdout } = await promisify(execFile)(python.command, args, { env })
    t.equal((await server.administer('POST', 'repos/forecast/refresh')).status, 200)
    return stdout.trim()
  }
  const readGood = async () => {
    const { headers, status } = await server.get('discovery/forecast/main@good')
    return [status, headers.get('floe-snapshot'), headers.get('floe-behind')]
  }
  const administer = async (path: string, body: object | string) => {
    const answer = await server.administer('POST', `repos/forecast/${path}`, body)
    t.equal(answer.status, 201, await answer.text())
  }

  const first = await run('280', '281', '282')
  await administer('expectations', /-d '(.*)'$/m.exec(page)?.[1] ?? '')
  await waitUntil(async () => (await readGood())[0] === 200)
  t.strictSame(await readGood(), [200, first, '0'])
  const filter: object = JSON.parse(findBlock(/^\{ "events"/))
  await administer('receivers', { kind: 'chat', service: 'slack', alias: 'team', url: `${chat.origin}/`, ...filter })
  await run('280', 'nan', '282')
  t.strictSame(await readGood(), [200, first, '1'])
  const repaired = await run('280', '281', '282')
  t.strictSame(await readGood(), [200, repaired, '0'])
  await waitUntil(() => chat.requests.length >= 2)
  const [failed = '', moved = ''] = findBlock(/^CHECK FAILED/).split('\n')
  const lines = chat.requests.map(({ body }) => String(JSON.parse(body).text))
  t.equal(lines.length, 2)
  t.match(lines[0], failed)
  t.match(lines[1], moved.replace(/\w{20}/, repaired))
}

const withRequests = findPython('requests')
t.test('the pipeline publishes, fails and repairs', { skip: withRequests.skip }, async (t) => {
  await runPipeline(t, withRequests, standIn)
})

const withIcechunk = findPython('icechunk, requests, xarray')
t.test('the same with official Icechunk', { skip: withIcechunk.skip }, async (t) => {
  await runPipeline(t, withIcechunk, findBlock(/^# archive\.py/))
})

t.test('recipes have at most 15 lines', async (t) => {
  for (const beginning of [/^jobs:/, /^@task\.sensor/, /^@dagster/]) {
    const lines = findBlock(beginning).trimEnd().split('\n')
    t.ok(lines.length > 5 && lines.length <= 15, String(beginning))
  }
})
