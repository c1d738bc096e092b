/** Lists the lines of a text, trimmed and without empty ones. */
export function listLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
