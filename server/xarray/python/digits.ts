const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code))

/** The values of the digits that were read so far. Unicode has fewer than a thousand digits. */
const values = new Map<string, string>()

/** Replaces the decimal digits of all scripts, which Python reads like ASCII digits. */
export function toAsciiDigits(text: string): string {
  return text.replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
    const value = values.get(digit) ?? findValue(digit.codePointAt(0) ?? 0)
    values.set(digit, value)
    return value
  })
}

/** Unicode lists the ten digits of a script in order. Up to five such tens follow each other. */
function findValue(code: number): string {
  let start = code
  while (start > 0 && isDigit(start - 1)) start--
  return String((code - start) % 10)
}
