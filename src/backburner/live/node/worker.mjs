// Bots on a Minecraft server, led by JSON lines: a request a line comes in, exactly one answer to it goes out, and
// between them events that nobody asked for. docs/live.md of the Python package has the contract.
//
//     cd FOLDER-WITH-node_modules && node .../worker.mjs
//
// When stdin ends, what was changed on the server is put back if that can be, bots leave, and the process ends, within half a
// minute at the latest.

import { Console } from 'node:console'
import { isAbsolute } from 'node:path'
import { setTimeout as setRealTimeout } from 'node:timers' // not as a clock of ours has it, which may be faster

globalThis.console = new Console(process.stderr) // stdout belongs to the lines; libraries print where they like

const { Fault, LOST, choice, flag, list, mapping, oneLine, place, readLines, send, text, whole, word } = await import('./lines.mjs')
const { versions } = await import('./packages.mjs')
const { Crew } = await import('./crew.mjs')
const { Ground } = await import('./ground.mjs')
const { Acting } = await import('./acting.mjs')
const { VERBS } = await import('./verbs.mjs')
const { observe } = await import('./sight.mjs')
const { survey } = await import('./survey.mjs')
const { wait } = await import('./ticks.mjs')

const LEAVING_MS = 2_500
const LAST_MS = 30_000
const GOODBYE_MS = 100
const WIDEST = 128
const LONGEST_TICKS = 100_000

const crew = new Crew()
const ground = new Ground(crew)
const acting = new Acting(crew, ground)
const STILL = new Set(['hello', 'observe', 'survey', 'say']) // requests in which no time need pass
let under = 0 // others that are being carried out

// --- requests ------------------------------------------------------------------------------------------------

function farm (request) {
  const { from, to } = Object.fromEntries(mapping(request.area, 'area', place))
  if (!from || !to || !from.every((n, i) => n <= to[i] && to[i] - n < WIDEST)) {
    throw new Fault('bad-request', `area goes from the lowest to the highest corner, less than ${WIDEST} blocks a side`)
  }
  const at = (thing, name) => cells(thing.at, `${name}.at`)
  return {
    area: { from, to },
    blocks: list(request.blocks ?? [], 'blocks', (thing, name) => ({ block: word(thing.block, `${name}.block`), at: at(thing, name) })),
    mobs: list(request.mobs ?? [], 'mobs', (thing, name) => ({ mob: word(thing.mob, `${name}.mob`), at: at(thing, name) })),
    starts: mapping(request.starts ?? {}, 'starts', cells),
    rules: mapping(request.rules ?? {}, 'rules', word),
    pad: flag(request.pad ?? false, 'pad'),
    wild: flag(request.wild ?? false, 'wild')
  }
}

function cells (value, name) {
  place(value, name).forEach((n, i) => whole(n, `${name}[${i}]`, -30_000_000, 30_000_000))
  return value
}

function call (value, name) {
  const verb = choice(value.verb, `${name}.verb`, [...VERBS.keys()])
  if (value.code) {
    const error = value.error ? text(value.error, `${name}.error`) : null
    const refused = { code: word(value.code, `${name}.code`), error, kind: error && 'refused' }
    return { bot: word(value.bot, `${name}.bot`), verb, things: [], refused }
  }
  const things = list(value.things ?? [], `${name}.things`, word)
  if (things.length !== VERBS.get(verb).things) throw new Fault('bad-request', `${name}: ${verb} is about ${VERBS.get(verb).things} things, not ${things.length}`)
  return { bot: word(value.bot, `${name}.bot`), verb, things }
}

/** A path, or null where none is named. */
function file (value) {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || !isAbsolute(value) || value.length > 4096) throw new Fault('bad-request', 'file is no absolute path')
  return value
}

const ticks = (value, name) => whole(value, name, 0, LONGEST_TICKS)

const requests = {
  hello: () => versions(),

  async join (request) {
    const bots = list(request.bots, 'bots', word)
    if (!bots.length || bots.length > 8 || new Set(bots).size < bots.length) throw new Fault('bad-request', 'bots are one to eight different names')
    await crew.join({
      host: text(request.host, 'host'),
      port: whole(request.port, 'port', 1, 65535),
      version: text(request.version ?? '1.16.5', 'version'),
      auth: choice(request.auth ?? 'offline', 'auth', ['offline', 'microsoft']),
      bots,
      timeoutMs: whole(request.timeout_ms ?? 60_000, 'timeout_ms', 1, 600_000)
    })
    return { version: crew.first.version, bots: Object.fromEntries(bots.map(name => [name, crew.get(name).entity.position.toArray()])) }
  },

  async prepare (request) {
    const wanted = farm(request)
    return ground.prepare(wanted, flag(request.dry_run ?? true, 'dry_run'), file(request.file))
  },

  observe: request => observe(crew, ground, list(request.kinds ?? [], 'kinds', word)),

  survey: request => survey(crew, ground, whole(request.margin ?? 4, 'margin', 0, 32)),

  async act (request) {
    const calls = list(request.calls, 'calls', call)
    calls.forEach(({ bot }) => crew.get(bot))
    if (new Set(calls.map(each => each.bot)).size < calls.length) throw new Fault('bad-request', 'calls name a bot twice')
    return acting.play({
      calls,
      before: ticks(request.before ?? 0, 'before'),
      after: ticks(request.after ?? 0, 'after'),
      lasts: ticks(request.lasts ?? 0, 'lasts'),
      timeout: ticks(request.timeout_ticks ?? 1200, 'timeout_ticks'),
      renew: choice(request.renew ?? 'never', 'renew', ['never', 'during', 'after']),
      until: choice(request.until ?? 'all', 'until', ['all', 'error']),
      putWaits: ticks(request.put_waits ?? 0, 'put_waits'),
      noWay: list(request.no_way ?? [], 'no_way', word),
      handTicks: ticks(request.hand_ticks ?? 0, 'hand_ticks'),
      stacks: whole(request.stacks ?? 16, 'stacks', 1, 64)
    })
  },

  async wait (request) {
    const most = ticks(request.ticks, 'ticks')
    await wait(crew.first, most)
    return { tick: crew.first.ticks.now }
  },

  async say (request) {
    crew.get(word(request.bot, 'bot')).chat(text(request.text, 'text').replace(/^\/+/, ''))
    return {}
  },

  async restore (request) {
    acting.stop()
    const changes = request.changes ? list(request.changes, 'changes', change) : null
    return ground.restore(changes, file(request.file))
  },

  async leave () {
    await putBack(LEAVING_MS)
    crew.leave()
    return {}
  }
}

/** A change as `prepare` listed it, given back to another process. */
function change (value, name) {
  const kind = choice(value.kind, `${name}.kind`, ['block', 'mob', 'rule', 'move'])
  const state = state => { if (!/^\w+(\[[\w=,]*\])?$/.test(state)) throw new Fault('bad-request', `${name} names no block`); return state }
  if (kind === 'block') return { kind, at: cells(value.at, `${name}.at`), was: state(value.was), becomes: state(value.becomes) }
  if (kind === 'rule') return { kind, rule: word(value.rule, `${name}.rule`), was: word(value.was, `${name}.was`), becomes: word(value.becomes, `${name}.becomes`) }
  if (kind === 'move') return { kind, bot: word(value.bot, `${name}.bot`), was: place(value.was, `${name}.was`), becomes: place(value.becomes, `${name}.becomes`) }
  return { kind, at: cells(value.at, `${name}.at`), was: null, becomes: word(value.becomes, `${name}.becomes`), tag: value.tag === undefined ? null : word(value.tag, `${name}.tag`) }
}

// --- the lines -----------------------------------------------------------------------------------------------

async function answer (line) {
  let id = null
  try {
    const request = read(line)
    id = request.id
    const carry = Object.hasOwn(requests, request.do) ? requests[request.do] : null
    if (!carry) throw new Fault('bad-request', oneLine(`no request is called ${request.do}; there are ${Object.keys(requests).join(', ')}`))
    send({ id, ok: true, ...(await inTime(request.do, () => carry(request))) })
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault('refused', oneLine(error.message ?? error))
    const { kind, message } = fault.code === LOST ? crew.reasonOf(fault) : fault
    send({ id, ok: false, error: oneLine(message), kind })
  }
  crew.answered()
}

/** On a clock that is told, time passes only while something is to be done. */
async function inTime (name, work) {
  const clock = globalThis.toldClock
  if (!clock) return work()
  if (STILL.has(name)) return clock.aside(work).finally(() => { if (!under) clock.stand() })
  clock.go()
  under++
  try {
    return await work()
  } finally {
    if (--under === 0) clock.stand()
  }
}

function read (line) {
  if (line === null) throw new Fault('bad-request', 'a line is longer than 1 MiB')
  let request
  try { request = JSON.parse(line) } catch { throw new Fault('bad-request', 'a line is no JSON') }
  if (request === null || typeof request !== 'object' || !Number.isInteger(request.id)) throw new Fault('bad-request', 'a request is an object with a whole number as its id')
  return request
}

/** Whatever was changed and has not been put back yet is, as far as it can be in so long. */
async function putBack (ms) {
  acting.stop()
  const late = new Promise(resolve => setRealTimeout(resolve, ms).unref())
  if (crew.all().length) await Promise.race([ground.restore().catch(() => {}), late])
}

/** Nobody leads this process any more: perhaps it was killed. */
async function end () {
  globalThis.toldClock?.free()
  globalThis.toldClock?.go()
  await putBack(LAST_MS)
  crew.leave()
  setRealTimeout(() => process.exit(0), GOODBYE_MS)
}

process.on('uncaughtException', error => console.error(error))
process.on('unhandledRejection', error => console.error(error))
process.stdout.on('error', () => process.exit(1))
readLines(answer, end)
