import type { SearchConditions } from '@floe/contract/lists'
import { parseConditions } from '../../search/match/parse-conditions.ts'

/** Lists the conditions of a receiver's search that no dataset can be compared with, with what they must be. */
export function listMalformedConditions(search: SearchConditions): readonly { name: string; message: string }[] {
  const malformed: { name: string; message: string }[] = []
  parseConditions(search, (name, message) => malformed.push({ name, message }))
  return malformed
}
