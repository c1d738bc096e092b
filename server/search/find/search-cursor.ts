import { z } from 'zod'

/** A dataset in the order of results. A page can begin after it. */
export type SearchCursor = {
  readonly rank: number
  readonly repo: string
  readonly branch: string
  /** Its position among the datasets of its branch. */
  readonly ordinal: number
}

const Cursor = z.tuple([z.int(), z.string(), z.string(), z.int().min(0)])

/** Writes the cursor of the next page, which begins after this result. */
export function writeCursor({ rank, repo, branch, ordinal }: SearchCursor): string {
  return Buffer.from(JSON.stringify([rank, repo, branch, ordinal])).toString('base64url')
}

/** Reads a cursor; undefined if the text is none. */
export function parseCursor(text: string): SearchCursor | undefined {
  try {
    const [rank, repo, branch, ordinal] = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { rank, repo, branch, ordinal }
  } catch {
    return undefined
  }
}
