/**
 * Orders two strings by their UTF-8 bytes, the order of every list in Floe. UTF-16 code units order alike but for
 * surrogates, which stand for the code points above U+FFFF and must come after U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return aboveSurrogates(left) - aboveSurrogates(right)
  }
  return a.length - b.length
}

function aboveSurrogates(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
