// A process whose time passes only as it is told: `node --import told_clock.mjs`. Timers, Date and performance.now
// stand still between two tellings, and all that is due by then runs at the telling, in order. So a server and the
// bots on it take the very same ticks on any machine, as fast as it can, however many others use it.
//
// Until the first telling, and after `free`, time passes as everywhere. For tests against a server of ours: one that
// waits in each tick until everybody has answered it.

import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'

const TICK_MS = 50
const FREE_MS = 5
const PATIENCE_MS = 200

const real = { Date, setInterval, setTimeout, clearInterval, clearTimeout, perf: performance.now.bind(performance) }
const began = real.Date.now()
const beganPerformance = Math.floor(real.perf())
const due = new Map() // number of a timer to the timer; the earliest is looked for, as there are few
let now = 0
let last = 0

// --- timers --------------------------------------------------------------------------------------------------

class Timer {
  constructor (call, ms, rest, repeats) {
    this.every = Math.max(1, Math.floor(Number(ms) || 0))
    Object.assign(this, { call, rest, repeats, number: ++last, at: now + this.every })
    due.set(this.number, this)
  }

  ref () { return this }
  unref () { return this }
  hasRef () { return due.has(this.number) }
  refresh () { this.at = now + this.every; due.set(this.number, this); return this }
  close () { due.delete(this.number) }
  [Symbol.toPrimitive] () { return this.number }
}

const clear = timer => { due.delete(timer instanceof Timer ? timer.number : Number(timer)) }

function earliest () {
  let found = null
  for (const timer of due.values()) if (!found || timer.at < found.at || (timer.at === found.at && timer.number < found.number)) found = timer
  return found
}

function passTo (end) {
  for (let timer = earliest(); timer && timer.at <= end; timer = earliest()) {
    now = Math.max(now, timer.at)
    if (timer.repeats) timer.at = now + timer.every
    else due.delete(timer.number)
    try { timer.call(...timer.rest) } catch (error) { queueMicrotask(() => { throw error }) }
  }
  now = Math.max(now, end)
}

globalThis.setTimeout = (call, ms, ...rest) => new Timer(call, ms, rest, false)
globalThis.setInterval = (call, ms, ...rest) => new Timer(call, ms, rest, true)
globalThis.clearTimeout = globalThis.clearInterval = clear
globalThis.setTimeout[promisify.custom] = ms => new Promise(resolve => globalThis.setTimeout(resolve, ms))
performance.now = () => beganPerformance + now
globalThis.Date = class extends real.Date {
  constructor (...parts) {
    super(...(parts.length ? parts : [began + now]))
  }

  static now () { return began + now }
}

// --- who tells it, and who waits for whom ----------------------------------------------------------------------

let flowing = null
let latest = 0
let first = null // the tick that was told first, and when that was
let still = false
let waiting = [] // answers to the server that are kept back

function flow () {
  let before = real.perf()
  flowing ??= real.setInterval(() => {
    const after = real.perf()
    passTo(now + Math.floor(after - before))
    before += Math.floor(after - before)
  }, FREE_MS)
}

function answerAll () {
  for (const answer of waiting.splice(0)) answer()
}

globalThis.toldClock = {
  /** A tick has come: what is due until then runs. */
  tell (tick) {
    if (tick <= 0) return // said before the server knows
    if (flowing) flowing = real.clearInterval(flowing) ?? null
    if (tick < latest) first = null // another server
    latest = tick
    first ??= { tick, now }
    passTo(first.now + (tick - first.tick) * TICK_MS)
  },

  /** Time passes as everywhere from now on, unless it is told. */
  free: flow,

  /** Call `answer` when this process has done what the tick brought about; not while it stands still. */
  done (answer) {
    setImmediate(() => setImmediate(() => { waiting.push(answer); if (!still) answerAll() }))
  },

  /** No tick is answered, so that none follows, while nothing is to be done. */
  stand () { still = true },
  go () { still = false; answerAll() },

  /** Let something be done while time stands still; where it takes long, it may need ticks. */
  async aside (work) {
    const timer = real.setTimeout(() => this.go(), PATIENCE_MS)
    try { return await work() } finally { real.clearTimeout(timer) }
  },

  /** A timer by the real clock. */
  soon: (call, ms) => real.setTimeout(call, ms)
}

flow()
