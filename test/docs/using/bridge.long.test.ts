// The bridge of docs/using/recipes.md hands events over to real brokers, and to the mock of librdkafka for Kafka.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Client } from '@floe/client'
import { t, type Test } from 'tap'
import { createTestClient } from '../../client/create-test-client.ts'
import { recordEvent } from '../../client/record-event.ts'
import { findPython } from '../../find-python.ts'
import { installFromNpm } from '../../generators/install.ts'
import { startServer } from '../../server/start-server.ts'
import { waitUntil } from '../../server/wait-until.ts'

t.setTimeout(900_000)

const page = await readFile(new URL('../../../docs/using/recipes.md', import.meta.url), 'utf8')
const [, section = ''] = page.split('\n## A bridge to MQTT, NATS or Kafka\n')
const [bridgeCode = '', mqttCode = '', natsCode = '', kafkaCode = ''] = [
  ...section.matchAll(/^```(?:ts|js)\n(.*?)^```/gms),
].map(([, code = '']) => code)

type Publish = (event: string, body: string) => Promise<unknown>
type Bridge = (floe: Client, publish: Publish, file: string, signal: AbortSignal) => Promise<void>

const installed = await installFromNpm('brokers', ['mqtt@5.16.0', '@nats-io/transport-node@3.4.0', 'kafkajs@2.2.4'])

/** Why nothing can be tried with a broker; false if it answers. */
async function findSkip(name: string, port: number): Promise<string | false> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return installed.skip
  } catch {
    return `no broker of ${name} answers at port ${port}`
  } finally {
    socket.destroy()
  }
}

/** Writes a module where the installed packages are found, and imports it. */
async function importThere(name: string, code: string) {
  const file = join(installed.root, name)
  await writeFile(file, code)
  return import(pathToFileURL(file).href)
}

/** Lets the bridge run twice. Each commit must arrive at the broker once, and in order. */
async function tryBridge(t: Test, publish: Publish, next: () => Promise<string>) {
  const directory = t.testdir({ 'bridge.ts': bridgeCode })
  const { bridge }: { bridge: Bridge } = await import(pathToFileURL(join(directory, 'bridge.ts')).href)
  const server = await startServer(t)
  const floe = createTestClient(server)
  const file = join(directory, 'last')
  await writeFile(file, '0')
  for (const messages of [['A', 'B'], ['C']]) {
    for (const message of messages) await recordEvent(server.db, 'weather', message)
    const end = new AbortController()
    const run = bridge(floe, publish, file, end.signal)
    for (const message of messages) t.match(JSON.parse(await next()), { details: { commit_message: message } })
    const last = messages.includes('C') ? '3' : '2'
    // The bridge writes the id after the broker has the event.
    await waitUntil(async () => (await readFile(file, 'utf8')) === last)
    end.abort(new Error('end'))
    await t.rejects(run, { message: 'end' })
  }
}

t.test('events arrive at a broker of MQTT', { skip: await findSkip('MQTT', 1883) }, async (t) => {
  const { client, publish } = await importThere('mqtt.mjs', mqttCode)
  t.teardown(() => client.endAsync())
  const arrived: string[] = []
  client.on('message', (_topic: string, body: Buffer) => void arrived.push(body.toString()))
  await client.subscribeAsync('floe/NewCommit')
  await tryBridge(t, publish, async () => {
    while (arrived.length === 0) await once(client, 'message')
    return arrived.shift() ?? ''
  })
  t.strictSame(arrived, [])
})

t.test('events arrive at a broker of NATS', { skip: await findSkip('NATS', 4222) }, async (t) => {
  const { client, publish } = await importThere('nats.mjs', natsCode)
  t.teardown(() => client.close())
  const messages = client.subscribe('floe.NewCommit')[Symbol.asyncIterator]()
  await client.flush()
  await tryBridge(t, publish, async () => (await messages.next()).value.string())
})

const python = findPython('confluent_kafka')
t.test('events arrive at a broker of Kafka', { skip: installed.skip || python.skip }, async (t) => {
  const program = fileURLToPath(new URL('kafka_broker.py', import.meta.url))
  const broker = spawn(python.command, [program], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => broker.kill())
  const lines = createInterface(broker.stdout)[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value ?? ''
  const { client, publish } = await importThere('kafka.mjs', kafkaCode.replace('127.0.0.1:9092', await next()))
  t.teardown(() => client.disconnect())
  await tryBridge(t, publish, next)
})
