// The example for Python: python/generate.sh writes a client from the OpenAPI document, python/floe.py wraps it. And
// the models of another generator.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t, type Test } from 'tap'
import { startServer } from '../server/start-server.ts'
import { installFromPyPI, run } from './install.ts'

t.setTimeout(900_000)

const example = fileURLToPath(new URL('../../python/', import.meta.url))
const program = fileURLToPath(new URL('call_service.py', import.meta.url))
const requirements = await readFile(join(example, 'requirements.txt'), 'utf8')
const packages = requirements.split('\n').filter((line) => /^\w/.test(line))
const { root, skip } = await installFromPyPI('openapi-python-client', packages)
const python = `${root}/bin/python`

/**
 * Generates the client. Returns what the generator printed, and a function that runs Python beside the client and its
 * wrapper.
 */
async function generate(t: Test) {
  const directory = t.testdir()
  const environment = { ...process.env, PYTHON: python, PYTHONPATH: `${directory}:${example}` }
  const { stdout, stderr } = await run(join(example, 'generate.sh'), [directory], directory, environment)
  const call = async (...args: string[]) =>
    (await run(python, args, directory, { ...environment, PYTHONDONTWRITEBYTECODE: '1' })).stdout.trim()
  return { printed: `${stdout}${stderr}`.trim(), directory, call }
}

t.test(
  'openapi-python-client generates without a warning, and its client calls the service',
  { skip, timeout: 300_000 },
  async (t) => {
    const server = await startServer(t)
    const { printed, directory, call } = await generate(t)
    t.strictSame(printed, `Generating ${directory}/floe_client`)

    const answer = async (path: string) => (await server.get(path)).json()
    const info = await answer('datasets/weather/main/wind/speed/info')
    t.strictSame(JSON.parse(await call(program, server.origin, server.apiKey)), {
      repositories: await answer('discovery'),
      refs: await answer('discovery/weather'),
      info,
      units: info.variables.wind_speed.attributes.units,
      dict: await answer('datasets/weather/main/wind/speed/dict'),
      keys: await answer('datasets/weather/main/wind/speed/keys'),
      again: 304,
      problem: '/problems/repository-not-found',
    })
  },
)

// Proves: the example for Python returns the schema of a dataset, or raises the problem
t.test(
  'the wrapper for Python returns the schema of a dataset, or says why not',
  { skip, timeout: 300_000 },
  async (t) => {
    const server = await startServer(t)
    const { call } = await generate(t)
    const base = `${server.origin}/v1`
    const open = (args: readonly string[], options: Readonly<Record<string, string>> = {}) =>
      call('-c', callWrapper, JSON.stringify([base, ...args]), JSON.stringify(options))
    const answer = async (path: string) => (await server.get(path)).json()

    const speed = await answer('datasets/weather/main/wind/speed/dict')
    for (const group of ['wind/speed', '/wind/speed/']) {
      t.strictSame(JSON.parse(await open(['open', 'acme', 'weather'], { group })), speed, `no key, ${group}`)
    }
    const login = { api_key: server.apiKey }
    t.strictSame(JSON.parse(await open(['tiles', 'acme', 'weather', 'main', 'wind/speed'], login)), speed, 'a key')
    const branch = await answer('datasets/weather/feature%2Fone/dict')
    t.strictSame(
      JSON.parse(await open(['tiles', 'acme', 'weather', 'feature/one'], login)),
      branch,
      'the root of a branch',
    )
    t.equal(await open(['tiles', 'acme', 'weather']), '/problems/unauthorized')
    t.equal(await open(['open', 'acme', 'weather', 'mian']), '/problems/ref-not-found')

    const page = await readFile(new URL('../../docs/using/http.md', import.meta.url), 'utf8')
    const [, documented = ''] = /^```python\n(.*?)^```/ms.exec(page) ?? []
    const printed = await call('-c', documented.replace('http://127.0.0.1:8080/v1', base).replace('"demo"', '"open"'))
    t.equal(`# ${printed}`, documented.trim().split('\n').at(-1), 'the documented program prints what it says')
  },
)

/** Prints the schema, or the type of the problem. */
const callWrapper = `
import json, sys, floe
args, options = (json.loads(text) for text in sys.argv[1:])
try:
    print(json.dumps(floe.open_dataset_schema(*args, **options)))
except floe.FloeError as error:
    assert str(error) == error.problem.detail
    print(error.problem.type_)
`

const models = await installFromPyPI('datamodel-code-generator', [
  'datamodel-code-generator==0.89.0',
  'pydantic==2.14.4',
])

t.test('the models of datamodel-code-generator can be used', { skip: models.skip, timeout: 300_000 }, async (t) => {
  const directory = t.testdir()
  const pythonOfModels = `${models.root}/bin/python`
  const document = fileURLToPath(new URL('../../contract/openapi.json', import.meta.url))
  const options = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel']
  const generate = ['-m', 'datamodel_code_generator', '--input', document, '--output', `${directory}/models.py`]
  await run(pythonOfModels, [...generate, ...options], directory)
  const use = `
import models
models.SnsMessage(Type='Notification', TopicArn='arn:aws:sns:eu-north-1:1:floe', Message='', Token='a1')
print(models.RepositoryStatus(availability='archived', since=None, reason=None).availability)
`
  const { stdout } = await run(pythonOfModels, ['-c', use], directory)
  t.equal(stdout.trim(), 'archived', 'a new value of a list is accepted')
})
