// What deploy/Dockerfile says about its containers, tried with the built program of this project.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { t } from 'tap'
import { deploy, readImage, readStages } from './dockerfile.ts'
import { fixtures, floe, startService } from './start-service.ts'

const image = await readImage()
const stages = await readStages()

t.test('a container is not root, and the directory of its database is its own', (t) => {
  t.match(image.user, /^[1-9]\d*:[1-9]\d*$/)
  const runs = stages
    .at(-1)
    ?.instructions.filter(({ name }) => name === 'RUN')
    .map(({ text }) => text)
  t.ok(runs?.includes(`mkdir /data && chown ${image.user} /data`))
  t.equal(image.environment['FLOE_DATABASE'], 'sqlite:/data/floe.db')
  t.end()
})

// Proves: a container of `deploy/Dockerfile` starts and reports its health
t.test('the command serves, and the health check tells whether it does', async (t) => {
  t.equal(image.command[0], 'floe')
  const configuration = await readFile(new URL('floe.yaml', deploy), 'utf8')
  t.match(configuration, 'scan: /repositories')
  const cwd = t.testdir({ 'floe.yaml': configuration.replace('/repositories', fixtures) })
  const command = image.command.slice(1).map((word) => word.replace('/etc/floe/', `${cwd}/`))
  const environment = { ...image.environment, FLOE_DATABASE: `sqlite:${cwd}/floe.db` }
  const service = await startService(t, [process.execPath, floe, ...command], { cwd, environment })

  const [, ...args] = image.healthCheck
  t.equal(image.healthCheck[0], 'node')
  const check = (origin: string) => {
    const here = args.map((word) => word.replace('http://127.0.0.1:8080', origin))
    return promisify(execFile)(process.execPath, here)
  }
  await check(service.origin)
  t.equal(await service.stop(), 0)
  await t.rejects(check(service.origin), { code: 1 })
})
