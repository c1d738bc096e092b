import { listLines } from './list-lines.ts'

/** Reads headers from lines such as `Name: value`; null if one has no name or no value, or a name is there twice. */
export function readHeaders(lines: string): Readonly<Record<string, string>> | null {
  const headers = listLines(lines).map((line) => {
    const [name = '', ...rest] = line.split(':')
    return [name.trim(), rest.join(':').trim()] as const
  })
  const isWhole = headers.every((header) => !header.includes(''))
  return isWhole && new Set(headers.map(([name]) => name)).size === headers.length ? Object.fromEntries(headers) : null
}
