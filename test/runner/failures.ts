// Picks what failed in a test file from the TAP that it printed.

/** A test point of TAP: whether it passed, its name, and why it was skipped. */
export type Point = { readonly ok: boolean; readonly name: string; readonly skipped: string | undefined }

/** Reads a test point, at any depth. */
export function readPoint(line: string): Point | undefined {
  const found = /^ *(not )?ok \d+(.*)$/.exec(line)
  if (found === null) return undefined
  const rest = found[2] ?? ''
  const text = /^ - (.*)$/.exec(rest)?.[1] ?? rest
  const [name = '', ...directives] = text.split(' # ')
  const skip = directives.find((directive) => /^skip\b/i.test(directive))
  return { ok: found[1] === undefined, name, skipped: skip?.slice('skip'.length).trim() }
}

/** Picks the failed points with their diagnostics and the names of their tests, and everything that the file printed besides TAP. */
export function pickFailures(lines: readonly string[]): string[] {
  const picked: string[] = []
  let headings: Heading[] = []
  let block: { readonly end: string; readonly isShown: boolean } | undefined
  let lastFailed = false
  const show = (line: string) => {
    for (const heading of headings.filter(({ isShown }) => !isShown)) {
      picked.push(heading.line)
      heading.isShown = true
    }
    picked.push(line)
  }
  for (const line of lines) {
    const indent = line.length - line.trimStart().length
    if (block !== undefined) {
      if (block.isShown) picked.push(line)
      if (line === block.end) block = undefined
    } else if (line.trim() === '---') {
      block = { end: line.replace('---', '...'), isShown: lastFailed }
      if (lastFailed) picked.push(line)
    } else if (/^ *# Subtest: /.test(line)) {
      headings = [...headings.filter((heading) => heading.indent < indent), { indent, line, isShown: false }]
    } else {
      const point = readPoint(line)
      // The point that closes a test repeats its name. What failed in it was shown before.
      const closes = headings.some(
        (heading) => heading.isShown && heading.indent === indent && heading.line.endsWith(`: ${point?.name}`),
      )
      lastFailed = point !== undefined && !point.ok && !closes
      headings = headings.filter((heading) => heading.indent <= indent)
      if (point === undefined ? !isBookkeeping(line) : lastFailed) show(line)
      if (point !== undefined) headings = headings.filter((heading) => heading.indent < indent)
    }
  }
  return picked
}

type Heading = { readonly indent: number; readonly line: string; isShown: boolean }

/** Whether a line is a plan, a time or a count. The end of the run shows their sums. */
function isBookkeeping(line: string): boolean {
  return /^ *(1\.\.\d+|TAP version \d+|# time=.*|# failed .*|# \{.*\}|)$/.test(line)
}
