// docs/using/checks.md says what is true: its command fits the contract, and its program posts a report.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CheckResult } from '@floe/contract'
import { createApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { findPython } from '../../find-python.ts'
import { fixtures, startServer } from '../../server/start-server.ts'

const page = await readFile(new URL('../../../docs/using/checks.md', import.meta.url), 'utf8')

t.test('the body of the command fits the contract', async (t) => {
  const [, body = ''] = /-d '(.*)'$/m.exec(page) ?? []
  t.ok(CheckResult.safeParse(JSON.parse(body)).success)
})

const python = findPython('icechunk, requests, xarray')

t.test('the program posts a report of the head', { skip: python.skip }, async (t) => {
  const [, program = ''] = /^```python\n(.*?)^```/ms.exec(page) ?? []
  const server = await startServer(t)
  const key = await createApiKey(server.db, { org: 'acme', role: 'checker', repos: ['weather'] }, new Date())
  const env = { ...process.env, FLOE_META: server.meta, FLOE_API_KEY: key, ARCHIVE: join(fixtures, 'weather') }
  await promisify(execFile)(python.command, ['-c', program], { env })
  const { items } = await (await server.get('checks/weather/main')).json()
  t.match(items, [
    { name: 'gaps-of-temperature', state: 'passed', text: /^\d+\.\d % of temperature is NaN$/ },
    { name: 'opens', state: 'passed' },
  ])
})
