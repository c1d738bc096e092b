/** Lists what people type one per line, without empty lines. */
export function listLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
