// Shows the area of a search on its map, and draws it there with mouse or finger. Without this script, its fields
// remain, with which the keyboard does the same.

const map = document.querySelector('.map')
const svg = map.querySelector('svg')
const rectangle = svg.querySelector('.area')
const fields = [...map.querySelectorAll('[name=bbox]')]
const [clear] = map.querySelectorAll('[type=button]')

/** Where the pointer went down, and the values of the fields then; undefined while it is up. */
let start

for (const element of map.querySelectorAll('fieldset [hidden]')) element.hidden = false
for (const field of fields) field.addEventListener('input', show)
clear.addEventListener('click', () => write(['', '', '', '']))

svg.classList.add('drawable')
svg.addEventListener('pointerdown', (event) => {
  if (!event.isPrimary || event.button !== 0) return
  start = { ...locate(event), before: fields.map(({ value }) => value) }
  // A drag can end beyond the map: there, the Earth goes on.
  svg.setPointerCapture(event.pointerId)
})
svg.addEventListener('pointermove', (event) => {
  if (start === undefined || !event.isPrimary) return
  const end = locate(event)
  const [west, east] = [Math.min(start.x, end.x), Math.max(start.x, end.x)]
  const [south, north] = [Math.min(start.y, end.y), Math.max(start.y, end.y)]
  // Less is a click.
  if (east - west > 2 && north - south > 2)
    write(east - west < 360 ? [turn(west), south, turn(east), north] : [-180, south, 180, north])
})
svg.addEventListener('pointerup', () => (start = undefined))
svg.addEventListener('pointercancel', () => {
  // The browser scrolls the page instead.
  if (start) write(start.before)
  start = undefined
})

/** The longitude and latitude below a pointer, in whole degrees. */
function locate({ clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse())
  return { x: Math.round(x), y: Math.max(-90, Math.min(90, Math.round(-y))) }
}

/** The same meridian between -180 and 180. */
function turn(longitude) {
  return Math.abs(longitude) <= 180 ? longitude : longitude - 360 * Math.floor((longitude + 180) / 360)
}

function write(values) {
  for (const [place, field] of fields.entries()) field.value = values[place]
  show()
}

/** Draws the area of the fields as the server does; nothing if they are no box. */
function show() {
  const [west, south, east, north] = fields.map((field) => (field.validity.valid ? field.valueAsNumber : NaN))
  const isBox = south <= north && !isNaN(west + east)
  const isRound = east - west >= 360
  const width = isRound ? 360 : Math.max(2, east - west - 360 * Math.floor((east - west) / 360))
  const height = Math.max(2, north - south)
  const x = isRound ? -180 : west - 360 * Math.floor((west + 180) / 360)
  const values = isBox ? { x, y: Math.min(-north, 90 - height), width, height } : { width: 0, height: 0 }
  for (const [name, value] of Object.entries(values)) rectangle.setAttribute(name, value)
}
