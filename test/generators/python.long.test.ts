// What others generate from the OpenAPI document for Python: a client and models.
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { installFromPyPI, run } from './install.ts'

t.setTimeout(900_000)

const document = fileURLToPath(new URL('../../contract/openapi.json', import.meta.url))
const program = fileURLToPath(new URL('call_service.py', import.meta.url))
// openapi-python-client formats with ruff, which is installed beside Python.
const { root, skip } = await installFromPyPI('python-generators', [
  'openapi-python-client==0.29.1',
  'datamodel-code-generator==0.89.0',
  'pydantic==2.14.4',
])
const python = `${root}/bin/python`

t.test(
  'openapi-python-client generates without a warning, and its client calls the service',
  { skip, timeout: 300_000 },
  async (t) => {
    const server = await startServer(t)
    const directory = t.testdir()
    const path = `${root}/bin:${process.env['PATH'] ?? ''}`
    const env = { ...process.env, PATH: path, PYTHONPATH: directory, PYTHONDONTWRITEBYTECODE: '1' }
    const options = ['--fail-on-warning', '--meta', 'none', '--path', document]
    const generate = ['-m', 'openapi_python_client', 'generate', ...options]
    const { stdout, stderr } = await run(python, [...generate, '--output-path', 'generated_client'], directory, env)
    t.strictSame(`${stdout}${stderr}`.trim(), 'Generating generated_client')
    const called = await run(python, [program, server.origin, server.apiKey], directory, env)

    const answer = async (path: string) => (await server.get(path)).json()
    const info = await answer('datasets/weather/main/wind/speed/info')
    t.strictSame(JSON.parse(called.stdout), {
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

t.test('the models of datamodel-code-generator can be used', { skip, timeout: 300_000 }, async (t) => {
  const directory = t.testdir()
  // Its other formatters take longer than all the rest.
  const options = ['--output-model-type', 'pydantic_v2.BaseModel', '--formatters', 'builtin']
  const files = ['--input', document, '--input-file-type', 'openapi', '--output', `${directory}/models.py`]
  await run(python, ['-m', 'datamodel_code_generator', ...files, ...options], directory)
  const use = `
import models
models.SnsMessage(Type='Notification', TopicArn='arn:aws:sns:eu-north-1:1:floe', Message='', Token='a1')
print(models.RepositoryStatus(availability='archived', since=None, reason=None).availability)
`
  const { stdout } = await run(python, ['-c', use], directory)
  t.equal(stdout.trim(), 'archived', 'a new value of a list is accepted')
})
