/** A line of the text format of Prometheus. */
type Line = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** Reads the text format of Prometheus. */
export function readMetrics(text: string): readonly Line[] {
  return [...text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value = '']) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text]),
    ),
    value: Number(value),
  }))
}

/** The value of the line with these labels. Throws if there is none. */
export function readValue(lines: readonly Line[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const found = lines.find(
    (line) => line.name === name && Object.entries(labels).every(([label, value]) => line.labels[label] === value),
  )
  if (found === undefined) throw new Error(`there is no ${name} with ${JSON.stringify(labels)}`)
  return found.value
}
