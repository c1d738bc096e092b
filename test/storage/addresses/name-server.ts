import { createSocket } from 'node:dgram'
import type { Test } from 'tap'

/** What a name server says of a name: its IPv4 addresses, or a failure. */
export type NameRecords = Readonly<Record<string, readonly string[] | 'SERVFAIL'>>

const codes = { found: 0, SERVFAIL: 2, notFound: 3 }

/**
 * Starts a name server on loopback that knows these names. It says nothing about `silent` names.
 *
 * @returns its address with its port, and the names that were asked for, in order, each once
 */
export async function startNameServer(t: Test, records: NameRecords, silent: readonly string[] = []) {
  const asked = new Set<string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = readQuestion(query)
    asked.add(name)
    if (silent.includes(name)) return
    const record = records[name]
    const addresses = typeof record === 'object' && type === 1 ? record : []
    const code = record === undefined ? codes.notFound : record === 'SERVFAIL' ? codes.SERVFAIL : codes.found
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    // Each answer points to the name of the question: type A, class IN, 60 seconds, 4 bytes.
    const answers = addresses.map((text) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...text.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.teardown(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/** Reads the question after the header: labels, each after its length, then type and class. */
function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
