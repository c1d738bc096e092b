// Builds what deploy/Dockerfile describes, without a container engine: a directory stands for the file system of each
// stage.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'
import { askService } from '../server/main/ask-service.ts'
import { deploy, describeImage, type Instruction, readStages, type Stage } from './dockerfile.ts'
import { fixtures, startService } from './start-service.ts'

t.setTimeout(1_800_000)

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Longest time for one command, in milliseconds. */
const commandTimeoutMs = 1_200_000

/**
 * Stands for `npm ci`, which has installed this project before its tests run: compares the copied manifests with the
 * lock file, copies what is installed, and does what `npm ci` does after it.
 */
const install = [
  'npm ci --dry-run --ignore-scripts',
  `tar -C "${root}" -c --exclude=.cache node_modules | tar -x`,
  'npm run prepare',
].join(' && ')

const { getuid, getgid } = process
const me = `${getuid?.()}:${getgid?.()}`

/** The patterns of deploy/Dockerfile.dockerignore. */
async function readIgnored(): Promise<string[]> {
  const file = await readFile(new URL('Dockerfile.dockerignore', deploy), 'utf8')
  return file.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** Does what one stage says, in its directory. Paths of the stage begin with that directory. */
class StageDirectory {
  readonly #path: string
  readonly #stages: ReadonlyMap<string, string>
  #cwd: string

  constructor(path: string, stages: ReadonlyMap<string, string>) {
    this.#path = path
    this.#stages = stages
    this.#cwd = path
  }

  async follow({ name, text }: Instruction): Promise<void> {
    if (name === 'WORKDIR') {
      this.#cwd = join(this.#path, text)
      await mkdir(this.#cwd, { recursive: true })
    }
    if (name === 'COPY') await this.#copy(text)
    if (name === 'RUN') await this.#run(text)
  }

  async #copy(text: string): Promise<void> {
    const [, stage, from = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? []
    if (stage === undefined) {
      const ignored = await readIgnored()
      const isKept = (path: string) => !ignored.some((pattern) => matchesGlob(relative(root, path), pattern))
      await cp(join(root, from), join(this.#cwd, to), { recursive: true, filter: isKept, verbatimSymlinks: true })
      return
    }
    const target = join(this.#path, to)
    await mkdir(dirname(target), { recursive: true })
    await cp(join(this.#stages.get(stage) ?? '', from), target, { recursive: true, verbatimSymlinks: true })
  }

  async #run(command: string): Promise<void> {
    const here = command
      .replaceAll(/(?<=\s)\/(?=\w)/g, `${this.#path}/`)
      .replace(/(?<=chown )\d+:\d+/, me)
      .replace('npm ci', install)
    const options = { cwd: this.#cwd, timeout: commandTimeoutMs, maxBuffer: 50_000_000 }
    await promisify(execFile)('sh', ['-c', here], options)
  }
}

/** @returns the directory of the last stage */
async function build(directory: string, stages: readonly Stage[]): Promise<string> {
  const built = new Map<string, string>()
  let path = directory
  for (const [index, { name, instructions }] of stages.entries()) {
    path = join(directory, `stage-${index}`)
    // Where the base image has it.
    await mkdir(join(path, 'usr/local/bin'), { recursive: true })
    const stage = new StageDirectory(path, built)
    for (const instruction of instructions) await stage.follow(instruction)
    built.set(name, path)
  }
  return path
}

t.test('the image can be built, and serves without what built it', { timeout: 1_500_000 }, async (t) => {
  // Outside of the project, whose packages would be found from a directory inside.
  const directory = await mkdtemp(join(tmpdir(), 'floe-image-'))
  t.teardown(() => rm(directory, { recursive: true }))
  const stages = await readStages()
  const path = await build(directory, stages)
  const last = stages.at(-1)
  if (last === undefined) throw new TypeError('there is no stage')
  await rm(join(directory, 'stage-0'), { recursive: true })

  const { environment, command } = describeImage(last)
  const configuration = await readFile(new URL('floe.yaml', deploy), 'utf8')
  await mkdir(join(path, 'etc/floe'), { recursive: true })
  await writeFile(join(path, 'etc/floe/floe.yaml'), configuration.replace('/repositories', fixtures))
  const data = join(path, 'data')
  const inside = { ...environment, FLOE_DATABASE: `sqlite:${data}/floe.db` }
  const [program = '', ...args] = command
  const floe = join(path, 'usr/local/bin', program)
  const run = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const env = { PATH: process.env['PATH'], ...inside, ...variables }
    const { stdout } = await promisify(execFile)(floe, words, { cwd: data, env })
    return stdout.trim()
  }

  const key = await run(['keys', 'create', '--org', 'acme', '--role', 'reader'])
  const here = args.map((word) => word.replace('/etc/', `${path}/etc/`))
  const service = await startService(t, [floe, ...here], { cwd: data, environment: inside })
  const headers = { authorization: `Bearer ${key}` }
  const meta = `${service.origin}/v1/services/demo/acme/_meta`
  for (const address of [
    'datasets/weather/main/forecast/info',
    'datasets/weather/main/forecast/',
    'docs',
    'openapi.json',
  ]) {
    t.equal((await askService(`${meta}/${address}`, { headers })).status, 200, address)
  }
  t.equal(await service.stop(), 0)

  const fail = async (words: readonly string[], variables: Readonly<Record<string, string>>) =>
    run(words, variables).then(
      () => 'nothing failed',
      (error: unknown) => String(error),
    )
  const nowhere = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }
  t.match(
    await fail(['inspect', 's3://bucket/repository'], nowhere),
    /floe: s3:\/\/bucket\/repository/,
    'the SDK is there',
  )
  const database = { FLOE_DATABASE: 'postgres://floe@127.0.0.1:9/floe' }
  t.match(await fail(['keys', 'list', '--org', 'acme'], database), 'ECONNREFUSED', 'the driver is there')
})
