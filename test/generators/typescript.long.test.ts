import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { installFromNpm, run } from './install.ts'

t.setTimeout(900_000)

const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']
const { root, skip } = await installFromNpm('openapi-typescript', packages)

/** No `skipLibCheck`: the generated declarations must be right too. */
const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', types: [] }

/** A program of somebody who has the generated types and no more. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './service.js'

export async function callService(baseUrl: string, key: string) {
  const headers = { authorization: 'Bearer ' + key }
  const floe = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl, headers })
  const repositories: string[] = need(await floe.GET('/v1/services/tiles/acme/_meta/discovery'))
  const refs: { branches: string[]; tags: string[] } = need(
    await floe.GET('/v1/services/tiles/acme/_meta/discovery/{repo}', { params: { path: { repo: 'weather' } } }),
  )
  const path = { repo: 'weather', ref: 'main', group: 'wind/speed' }
  const info = await floe.GET('/v1/services/tiles/acme/_meta/datasets/{repo}/{ref}/{group}/info', { params: { path } })
  const dimensions: Record<string, number> = need(info).dimensions
  const units: unknown = need(info).variables['wind_speed']?.attributes['units']
  const dict = await floe.GET('/v1/services/tiles/acme/_meta/datasets/{repo}/{ref}/{group}/dict', { params: { path } })
  const dtype: string | undefined = need(dict).data_vars['wind_speed']?.dtype
  const etag = info.response.headers.get('etag') ?? ''
  const { response: again } = await floe.GET('/v1/services/tiles/acme/_meta/datasets/{repo}/{ref}/{group}/info', {
    params: { path, header: { 'If-None-Match': etag } },
  })
  const { error } = await floe.GET('/v1/services/tiles/acme/_meta/discovery/{repo}', {
    params: { path: { repo: 'nowhere' } },
  })
  const problem: '/problems/repository-not-found' | undefined =
    error?.type === '/problems/repository-not-found' ? error.type : undefined
  return { repositories, refs, dimensions, units, dtype, again: again.status, problem }
}

function need<Body>({ data, error }: { data?: Body; error?: { detail: string } }): Body {
  if (data === undefined) throw new Error(error?.detail)
  return data
}
`

t.test(
  'what openapi-typescript generates compiles strictly and calls the service',
  { skip, timeout: 300_000 },
  async (t) => {
    const server = await startServer(t)
    // Below the installation, where the program finds its packages.
    const directory = root
    await writeFile(join(directory, 'service.json'), await (await server.get('openapi.json')).text())
    await writeFile(join(directory, 'call-service.ts'), program)
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['call-service.ts'] }))
    const bin = (name: string, ...args: string[]) =>
      run(process.execPath, [`${root}/node_modules/.bin/${name}`, ...args], directory)
    await bin('openapi-typescript', 'service.json', '--output', 'service.ts')
    await bin('tsc')

    const { callService } = (await import(pathToFileURL(join(directory, 'call-service.js')).href)) as {
      callService: (origin: string, key: string) => Promise<unknown>
    }
    const [refs, info, dict] = await Promise.all(
      ['discovery/weather', 'datasets/weather/main/wind/speed/info', 'datasets/weather/main/wind/speed/dict'].map(
        async (path) => (await server.get(path)).json(),
      ),
    )
    t.strictSame(await callService(server.origin, server.apiKey), {
      repositories: await (await server.get('discovery')).json(),
      refs,
      dimensions: info.dimensions,
      units: info.variables.wind_speed.attributes.units,
      dtype: dict.data_vars.wind_speed.dtype,
      again: 304,
      problem: '/problems/repository-not-found',
    })
  },
)
