// Draws boxes and arrows as SVG. Everything is an attribute, because pages forbid styles in other files, and the
// picture brings its own light background, because an image does not take the colours of the page around it.

const ink = '#1f2933'
const faint = '#52606d'
const lineHeight = 18

type Point = readonly [x: number, y: number]

/** Lines of text in a frame; the first is bold. */
type Box = {
  readonly kind: 'box'
  readonly at: Point
  readonly size: Point
  readonly lines: readonly string[]
  readonly fill: 'plain' | 'floe' | 'bad'
}
/** A line through points with a head at its end. */
type Arrow = { readonly kind: 'arrow'; readonly points: readonly Point[]; readonly isDashed: boolean }
/** Lines of text without a frame. */
type Label = {
  readonly kind: 'label'
  readonly at: Point
  readonly lines: readonly string[]
  readonly anchor: 'start' | 'middle'
}

/** A part of a diagram. */
export type Part = Box | Arrow | Label

/** A diagram. `description` says in words what the picture shows. */
export type Diagram = {
  readonly title: string
  readonly description: string
  readonly size: Point
  readonly parts: readonly Part[]
}

const fills: Readonly<Record<Box['fill'], string>> = { plain: '#ffffff', floe: '#d9ecf7', bad: '#f9dedc' }

export function box(at: Point, size: Point, lines: readonly string[], fill: Box['fill'] = 'plain'): Part {
  return { kind: 'box', at, size, lines, fill }
}

export function arrow(points: readonly Point[], isDashed = false): Part {
  return { kind: 'arrow', points, isDashed }
}

export function label(at: Point, lines: readonly string[], anchor: Label['anchor'] = 'middle'): Part {
  return { kind: 'label', at, lines, anchor }
}

const arrowHead =
  '<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">' +
  `<path d="M0 0 10 5 0 10z" fill="${faint}"/></marker>`

/** Writes a diagram as the text of an SVG file. */
export function drawDiagram({ title, description, size: [width, height], parts }: Diagram): string {
  const attributes = [
    `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `role="img" aria-labelledby="title description"`,
    `font-family="system-ui, sans-serif" font-size="13.5" fill="${ink}"`,
  ].join(' ')
  return `<svg ${attributes}>
<title id="title">${escapeText(title)}</title>
<desc id="description">${escapeText(description)}</desc>
<defs>${arrowHead}</defs>
<rect width="${width}" height="${height}" rx="8" fill="#f5f7fa"/>
${parts.map(drawPart).join('\n')}
</svg>
`
}

function drawPart(part: Part): string {
  if (part.kind === 'arrow') {
    const points = part.points.map((point) => point.join()).join(' ')
    const dashes = part.isDashed ? ' stroke-dasharray="5 4"' : ''
    const attributes = `fill="none" stroke="${faint}" stroke-width="1.5"${dashes} marker-end="url(#head)"`
    return `<polyline points="${points}" ${attributes}/>`
  }
  if (part.kind === 'label') {
    const { at, lines, anchor } = part
    return lines
      .map((line, index) =>
        drawText([at[0], at[1] + index * lineHeight], line, `text-anchor="${anchor}" fill="${faint}"`),
      )
      .join('\n')
  }
  const { at, size, lines, fill } = part
  const top = at[1] + size[1] / 2 - ((lines.length - 1) * lineHeight) / 2 + 5
  const texts = lines.map((line, index) =>
    drawText(
      [at[0] + size[0] / 2, top + index * lineHeight],
      line,
      index === 0 ? 'text-anchor="middle" font-weight="bold"' : 'text-anchor="middle"',
    ),
  )
  const area = `x="${at[0]}" y="${at[1]}" width="${size[0]}" height="${size[1]}"`
  const frame = `<rect ${area} rx="6" fill="${fills[fill]}" stroke="${faint}"/>`
  return [frame, ...texts].join('\n')
}

function drawText([x, y]: Point, text: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeText(text)}</text>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
