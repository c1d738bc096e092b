// The directory of a saved file: what the file holds, and where. It is read before every answer from the file, and zod would take longer
// than all the rest of that.
//
//   text repository · text id · number nodes · number object bytes · number datasets length · number of blocks · for each
//   block: text first group · number stored length.   Numbers are u32; texts are UTF-8 behind their length.

/** What a file holds. */
export type FileDirectory = {
  readonly repository: string
  readonly id: string
  readonly nodes: number
  /** Size of the decompressed object. */
  readonly objectBytes: number
  /** Stored length of the list of datasets. */
  readonly datasetsLength: number
  /** The blocks of groups in the order of the file, with the path of their first group. */
  readonly blocks: readonly { readonly first: string; readonly length: number }[]
}

/** Writes a directory. */
export function writeDirectory({ repository, id, nodes, objectBytes, datasetsLength, blocks }: FileDirectory): Buffer {
  return Buffer.concat([
    writeText(repository),
    writeText(id),
    ...[nodes, objectBytes, datasetsLength, blocks.length].map(writeNumber),
    ...blocks.flatMap(({ first, length }) => [writeText(first), writeNumber(length)]),
  ])
}

/** Reads a directory. Throws RangeError when it is cut short. */
export function readDirectory(bytes: Buffer): FileDirectory {
  let position = 0
  const readNumber = () => {
    const number = bytes.readUInt32LE(position)
    position += 4
    return number
  }
  const readText = () => {
    const length = readNumber()
    position += length
    return bytes.toString('utf8', position - length, position)
  }
  const [repository, id] = [readText(), readText()]
  const [nodes, objectBytes, datasetsLength, count] = [readNumber(), readNumber(), readNumber(), readNumber()]
  const blocks = []
  for (let index = 0; index < count; index++) blocks.push({ first: readText(), length: readNumber() })
  return { repository, id, nodes, objectBytes, datasetsLength, blocks }
}

/** Writes a number as the files of saved snapshots have it: a u32. */
export function writeNumber(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

function writeText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([writeNumber(bytes.length), bytes])
}
