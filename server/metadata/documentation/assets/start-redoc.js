// Starts Redoc on the address that the page carries.
import { init } from '../redoc/redoc.standalone.js'

const place = document.getElementById('documentation')
// Absolute: if the address of the page contains credentials, browsers refuse to load a relative one.
init(new URL(place.dataset.openapi, location.href).href, { disableTelemetry: true }, place)
