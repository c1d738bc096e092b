const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Replaces the decimal digits of all scripts, which Python reads like ASCII digits. */
export function toAsciiDigits(text: string): string {
  return text.replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    // Unicode lists the ten digits of a script in order. Up to five such tens follow each other.
    let start = code
    while (start > 0 && isDigit(start - 1)) start--
    return String((code - start) % 10)
  })
}
