import { Transform } from 'node:stream'

const lineFeed = 10

/**
 * Passes on messages, one per line. Drops messages longer than `maxBytes`, and calls `onTooLong` at the end of each.
 * Keeps no more than `maxBytes` of an unfinished line.
 */
export function limitMessages(maxBytes: number, onTooLong: () => void): Transform {
  let kept: Buffer[] = []
  let length = 0
  const keep = (part: Buffer) => {
    length += part.length
    if (length <= maxBytes) kept.push(part)
    else kept = []
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        keep(chunk.subarray(start, end + 1))
        if (length <= maxBytes) this.push(Buffer.concat(kept))
        else onTooLong()
        kept = []
        length = 0
        start = end + 1
      }
      keep(chunk.subarray(start))
      done()
    },
  })
}
