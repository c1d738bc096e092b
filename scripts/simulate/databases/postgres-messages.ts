// Messages between a client and a server of PostgreSQL: a letter, the length of what follows, and that.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

/** A message: its letter, and all of its bytes. */
export type PostgresMessage = { readonly type: string; readonly bytes: Buffer }

/** Bytes of the letter and of the length. */
const headBytes = 5

/** Splits bytes into complete messages, and the beginning of another one. */
export function splitMessages(bytes: Buffer): { readonly messages: PostgresMessage[]; readonly rest: Buffer } {
  const messages = []
  let at = 0
  while (bytes.length - at >= headBytes) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    messages.push({ type: String.fromCharCode(bytes.readUInt8(at)), bytes: bytes.subarray(at, end) })
    at = end
  }
  return { messages, rest: bytes.subarray(at) }
}

/** Reads the texts of a message, each of which ends with NUL, behind a number of other bytes. */
export function readTexts({ bytes }: PostgresMessage, otherBytes = 0): readonly string[] {
  return bytes
    .subarray(headBytes + otherBytes)
    .toString('latin1')
    .split('\0')
}

/** Reads the parameters of the first message of a client, which has no letter. */
export function readStartup(startup: Buffer): ReadonlyMap<string, string> {
  const texts = startup.subarray(8).toString('latin1').split('\0')
  return new Map(texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? '']] : [])))
}

export function writeMessage(type: string, content = ''): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${content}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

/** Writes an error of the server. */
export function writeError(code: string, message: string): Buffer {
  return writeMessage('E', `SERROR\0VERROR\0C${code}\0M${message}\0\0`)
}
