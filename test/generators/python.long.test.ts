import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { installFromPyPI, run } from './install.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromPyPI('openapi-python-client', ['openapi-python-client==0.29.1'])
const document = fileURLToPath(new URL('../../contract/openapi.json', import.meta.url))
const program = fileURLToPath(new URL('call_service.py', import.meta.url))

t.test(
  'openapi-python-client generates without a warning, and its client calls the service',
  { skip, timeout: 300_000 },
  async (t) => {
    const server = await startServer(t)
    const directory = t.testdir()
    // The generator runs ruff, which was installed with it.
    const environment = { ...process.env, PATH: `${root}/bin:${process.env['PATH'] ?? ''}` }
    const python = (...args: string[]) =>
      run(`${root}/bin/python`, args, directory, { ...environment, PYTHONPATH: `${directory}/client` })
    const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning']
    const generated = await run(
      `${root}/bin/python`,
      [...generate, '--path', document, '--output-path', 'client'],
      directory,
      environment,
    )
    t.strictSame(`${generated.stdout}${generated.stderr}`.trim(), 'Generating client')

    const { stdout } = await python(program, server.origin, server.apiKey)
    const answer = async (path: string) => (await server.get(path)).json()
    const info = await answer('datasets/weather/main/wind/speed/info')
    t.strictSame(JSON.parse(stdout), {
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
