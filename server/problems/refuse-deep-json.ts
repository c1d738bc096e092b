import { explainInvalidRequest } from './validation-problem.ts'

/** How many lists and objects a body may nest. Those that the contract and object stores describe nest less. */
const maxDepth = 64

const quote = 0x22
const backslash = 0x5c

/**
 * Refuses a text of JSON that nests too deep before it is parsed: a parser takes 60 ms for 400,000 lists in each other.
 * A text that is no JSON is left to the parser.
 *
 * @throws RequestProblem `invalid-request`
 */
export function refuseDeepJson(text: string): void {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isInString = !isInString
    else if (isInString) at += Number(code === backslash)
    // "[" and "{", "]" and "}" differ in one bit.
    else if ((code | 0x20) === 0x7b) depth++
    else if ((code | 0x20) === 0x7d) depth--
    if (depth > maxDepth)
      throw explainInvalidRequest([{ pointer: '/body', message: `nests more than ${maxDepth} lists and objects` }])
  }
}
