import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { installFromNpm, run } from './install.ts'

t.setTimeout(900_000)

// Some of them work with the compiler of TypeScript 5. What they generate is compiled by ours, which takes a quarter of
// the time.
const { root, skip } = await installFromNpm('typescript-generators', [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'orval@8.38.0',
  '@hey-api/openapi-ts@0.99.0',
  '@kubb/cli@4.39.3',
  '@kubb/core@4.39.3',
  '@kubb/plugin-oas@4.39.3',
  '@kubb/plugin-ts@4.39.3',
  'typescript@5.9.3',
])
const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

/** Runs a program of Node.js, by default the one of an installed package. */
const runThere = (program = '', ...args: string[]) =>
  run(process.execPath, [resolve(root, 'node_modules/.bin', program), ...args], root)

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
    await writeFile(join(root, 'service.json'), await (await server.get('openapi.json')).text())
    await writeFile(join(root, 'call-service.ts'), program)
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['call-service.ts'] }))
    await runThere('openapi-typescript', 'service.json', '--output', 'service.ts')
    await runThere(compiler)

    const { callService } = (await import(pathToFileURL(join(root, 'call-service.js')).href)) as {
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

/** How the other generators are called. They write below the directory that has their name. */
const generators = {
  orval: {
    args: ['orval', '--config', 'orval.config.mjs'],
    config: `export default {
      service: { input: 'service.json', output: { target: 'orval/service.ts', client: 'fetch', urlEncodeParameters: true } },
    }`,
  },
  'hey-api': { args: ['openapi-ts', '--input', 'service.json', '--output', 'hey-api'], config: '' },
  kubb: {
    args: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
    config: `
      import { defineConfig } from '@kubb/core'
      import { pluginOas } from '@kubb/plugin-oas'
      import { pluginTs } from '@kubb/plugin-ts'
      export default defineConfig({
        root: '.', input: { path: 'service.json' }, output: { path: 'kubb', clean: true },
        plugins: [pluginOas({ validate: false }), pluginTs()],
      })`,
  },
}

for (const [name, { args, config }] of Object.entries(generators)) {
  t.test(`what ${name} generates compiles strictly`, { skip, timeout: 300_000 }, async (t) => {
    const document = await readFile(new URL('../../contract/openapi.json', import.meta.url))
    await writeFile(join(root, 'service.json'), document)
    await writeFile(join(root, `${name}.config.mjs`), config)
    const options = { strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] }
    const compilerOptions = {
      ...options,
      lib: ['es2022', 'dom', 'dom.iterable'],
      noEmit: true,
      allowImportingTsExtensions: true,
    }
    await writeFile(join(root, `${name}.tsconfig.json`), JSON.stringify({ compilerOptions, include: [name] }))
    await runThere(...args)
    await t.resolves(runThere(compiler, '--project', `${name}.tsconfig.json`))
  })
}
