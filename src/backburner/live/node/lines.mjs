// What goes over stdin and stdout: one JSON object a line, each of bounded size, and the faults that an answer may name.

export const KINDS = ['gone', 'kicked', 'stuck', 'timeout', 'refused', 'version', 'bad-request']
export const LONGEST_LINE = 1 << 20
const LONGEST_TEXT = 300
const LONGEST_LIST = 8192

/** The code of a fault that says no more than that a bot is gone; who leads it knows why. */
export const LOST = 'lost'

/** Something that went wrong in a way that the other side has a word for; `code`: why an action cannot be, in one. */
export class Fault extends Error {
  constructor (kind, message, code = null) {
    super(message)
    this.kind = kind
    this.code = code
  }
}

/** A text in one line, cut to a bounded length. */
export function oneLine (text) {
  const flat = String(text).replace(/\s+/g, ' ').trim()
  return flat.length > LONGEST_TEXT ? flat.slice(0, LONGEST_TEXT - 1) + '…' : flat
}

/** A place as it is told, to a hundredth of a block. */
export const rounded = position => position.toArray().map(n => Math.round(n * 100) / 100)

/** How many there are of each item. */
export function counted (items) {
  const found = {}
  for (const { name, count } of items) found[name] = (found[name] ?? 0) + count
  return found
}

export function send (message) {
  process.stdout.write(JSON.stringify(message) + '\n')
}

/** Call `take` with every line of stdin, and with null for one that is longer than allowed. */
export function readLines (take, ended) {
  let kept = ''
  let skipping = false
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', text => {
    const lines = (kept + text).split('\n')
    kept = lines.pop()
    for (const line of lines) {
      take(skipping || line.length > LONGEST_LINE ? null : line)
      skipping = false
    }
    if (kept.length > LONGEST_LINE) [kept, skipping] = ['', true]
  })
  process.stdin.on('end', ended)
  process.stdin.on('error', ended)
}

// --- what a request may hold -----------------------------------------------------------------------------------

function check (good, name, what, value) {
  if (!good) throw new Fault('bad-request', oneLine(`${name} is ${JSON.stringify(value)?.slice(0, 80)}, not ${what}`))
  return value
}

export const text = (value, name) =>
  check(typeof value === 'string' && value.length > 0 && value.length <= LONGEST_TEXT, name, 'a short text', value)

/** The name of a block, mob or item: what may go into a command. */
export const word = (value, name) => check(typeof value === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(value), name, 'a name', value)

export const whole = (value, name, low, high) =>
  check(Number.isInteger(value) && value >= low && value <= high, name, `a whole number from ${low} to ${high}`, value)

export const flag = (value, name) => check(typeof value === 'boolean', name, 'true or false', value)

export const choice = (value, name, words) => check(words.includes(value), name, `one of ${words.join(', ')}`, value)

export function list (value, name, each) {
  check(Array.isArray(value) && value.length <= LONGEST_LIST, name, `a list of at most ${LONGEST_LIST}`, value)
  return value.map((item, i) => each(item, `${name}[${i}]`))
}

export function mapping (value, name, each) {
  const good = value !== null && typeof value === 'object' && !Array.isArray(value)
  check(good && Object.keys(value).length <= 64, name, 'an object with at most 64 fields', value)
  return new Map(Object.entries(value).map(([key, item]) => [word(key, `${name}'s field`), each(item, `${name}.${key}`)]))
}

/** A place [x, y, z] inside the world. */
export function place (value, name) {
  const good = Array.isArray(value) && value.length === 3 && value.every(n => Number.isFinite(n) && Math.abs(n) < 30_000_000)
  return check(good, name, 'a place [x, y, z]', value)
}
