/** Positions in drawings are written with one digit after the point. */
export function roundTenth(value: number): number {
  return Math.round(value * 10) / 10
}
