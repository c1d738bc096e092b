// `floe types` on repositories that official Icechunk wrote, from a location and from a service.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { startPlainServer } from '../../../../client/start-plain-server.ts'
import { fixtures, startServer } from '../../../start-server.ts'
import { runHere } from '../run-here.ts'

// Proves: `floe types` writes the same about a location and about a service that serves it
t.test('a location and a service give the same bytes', async (t) => {
  const { origin, apiKey } = await startServer(t)
  const selection = ['--ref', 'main', '--ref', 'v1.0']
  const local = await runHere(['types', fixtures, ...selection])
  const service = ['--url', `${origin}/v1`, '--deployment', 'tiles', '--org', 'acme']
  const remote = await runHere(['types', ...service, ...selection], { FLOE_API_KEY: apiKey })
  t.equal(local.code, 0, local.err)
  t.equal(remote.code, 0, remote.err)
  t.match(local.out, /^export interface WeatherForecast /m)
  t.equal(remote.out, local.out)
  t.strictSame(listLeftOut(remote.err), listLeftOut(local.err), 'the same is left out')
  t.match(local.err, 'floe: warning: left out types main packing/scale-list-of-two: ')
  t.match(local.err, 'floe: warning: left out satellite v1.0: ')
  const again = await runHere(['types', `${fixtures}/`, '--ref', 'v1.0', '--ref', 'main'])
  t.equal(again.out, local.out, 'in any order')
})

function listLeftOut(printed: string): string[] {
  return [...printed.matchAll(/left out (.*?): /g)].map(([, name = '']) => name).sort()
}

t.test('a repository is named after its directory, and has the names, types and units of its variables', async (t) => {
  const { code, out, err } = await runHere(['types', join(fixtures, 'weather')])
  t.equal(code, 0, err)
  t.match(out, '    temperature: { type: "float64", role: "data", units: "degC", standard_name: "air_temperature"')
  t.match(out, /^export type Datasets = \{\n {2}weather: \{\n {4}main: \{\n {6}forecast: WeatherForecast,\n/m)
  t.match(
    out,
    /^export const datasets: Datasets = \{\n {2}weather: \{\n {4}main: \{\n {6}forecast: weatherForecastContract,/m,
  )
})

t.test('--repo selects repositories by patterns', async (t) => {
  const { out } = await runHere(['types', fixtures, '--repo', 'weather*', '--repo', 'sat?llite'])
  t.strictSame(out.match(/^ {2}\S+: \{$/gm)?.slice(-3), ['  satellite: {', '  weather: {', '  "weather-v1": {'])
})

t.test('--contracts writes the contracts to a file, and the module has types only', async (t) => {
  const file = join(t.testdir(), 'contracts.json')
  const { out, err } = await runHere(['types', join(fixtures, 'weather'), '--contracts', file])
  t.equal(err, '')
  t.notMatch(out, 'export const')
  const contracts = JSON.parse(await readFile(file, 'utf8'))
  t.match(contracts.weather.main.forecast.variables.temperature, { type: 'float64', units: 'degC' })
  const refused = await runHere(['types', join(fixtures, 'weather'), '--contracts', t.testdirName])
  t.match(refused, { code: 1, err: /cannot be written/ })
})

t.test('a wrong command line is refused, and so is a location without datasets', async (t) => {
  const location = join(fixtures, 'weather')
  t.match(await runHere(['types']), { code: 2, err: /types needs LOCATION or --url/ })
  t.match(await runHere(['types', location, '--url', 'http://127.0.0.1:1/v1']), { code: 2, err: /LOCATION or --url/ })
  t.match(await runHere(['types', '--url', 'http://127.0.0.1:1/v1']), { code: 2, err: /--org and --deployment/ })
  t.match(await runHere(['types', location, '--ref', 'nowhere']), {
    code: 1,
    out: '',
    err: /left out weather nowhere: .*\n.*there are no datasets/s,
  })
  t.match(await runHere(['types', fixtures, '--repo', 'nope']), { code: 1, out: '', err: /there are no datasets/ })
  t.match(await runHere(['types', join(t.testdir(), 'nothing')]), { code: 1, out: '' })
})

t.test('a failure of the service ends the command', async (t) => {
  const origin = await startPlainServer(t, (_request, response) => void response.writeHead(500).end('no'))
  const service = ['--url', `${origin}/v1`, '--deployment', 'tiles', '--org', 'acme']
  t.match(await runHere(['types', ...service]), { code: 1, out: '', err: /Unexpected answer with status 500/ })
  const { origin: real } = await startServer(t)
  const refused = ['--url', `${real}/v1`, '--deployment', 'tiles', '--org', 'acme', '--key', 'wrong']
  t.match(await runHere(['types', ...refused]), { code: 1, out: '', err: /Credentials needed/ })
})
