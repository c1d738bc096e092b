const quote = 0x22
const backslash = 0x5c
const member = Buffer.from('"chunk_grid"')
const regularGrid = [':', '{', '"name"', ':', '"regular"'].map((token) => Buffer.from(token))

/**
 * Whether the document of an array has a regular chunk grid, as nearly all have. Reads only as far as it must, because
 * parsing takes ten times as long. False also for a document that is spelled in an unusual way, or is not valid.
 */
export function hasRegularGrid(document: Uint8Array): boolean {
  let depth = 0
  for (let position = 0; position < document.length; position++) {
    switch (document[position]) {
      case 0x7b: // {
      case 0x5b: // [
        depth++
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth--
        break
      case quote:
        if (depth === 1 && startsWith(document, position, member))
          return followsRegularGrid(document, position + member.length)
        position = findEnd(document, position)
        break
      default:
    }
  }
  return false
}

function followsRegularGrid(document: Uint8Array, start: number): boolean {
  let position = start
  for (const token of regularGrid) {
    while (isSpace(document[position])) position++
    if (!startsWith(document, position, token)) return false
    position += token.length
  }
  return true
}

/** The position of the quote that ends the text whose first quote is at `start`. */
function findEnd(document: Uint8Array, start: number): number {
  let position = start + 1
  while (position < document.length && document[position] !== quote)
    position += document[position] === backslash ? 2 : 1
  return position
}

function startsWith(document: Uint8Array, start: number, token: Uint8Array): boolean {
  for (let index = 0; index < token.length; index++) if (document[start + index] !== token[index]) return false
  return true
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
