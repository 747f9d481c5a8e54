// The server's clock as a client knows it. A Java server tells its age once a second; between two tellings the
// client's own ticks of physics count on, but never past the next telling that is due.

import { Fault, LOST } from './lines.mjs'

const BETWEEN_TELLINGS = 20
const STANDS_STILL_MS = 60_000
const LOOK_MS = 1_000
const MOST_BEHIND_TICKS = 2

export class Ticks {
  #told = null
  #since = 0
  #toldTwice = false
  #latest = 0
  #moved = Date.now()

  constructor (bot) {
    bot.on('time', () => {
      globalThis.toldClock?.tell(bot.time.age) // where there is one, the bot lives through the tick now
      this.#tell(bot.time.age)
    })
    bot.on('physicsTick', () => { this.#since++ })
  }

  #tell (age) {
    if (this.#told !== null && age <= this.#told) return // a server that does not tell: our own count goes on
    this.#toldTwice = this.#told !== null
    this.#told = age
    this.#since = 0
  }

  get now () {
    const ahead = this.#toldTwice ? Math.min(this.#since, BETWEEN_TELLINGS - 1) : this.#since
    const now = (this.#told ?? 0) + ahead
    if (now > this.#latest) [this.#latest, this.#moved] = [now, Date.now()]
    return this.#latest // never back, though the next telling may be behind what was counted
  }

  /** Whether the server has told its age at all: until then what is counted may leap. */
  get told () { return this.#told !== null }

  /** Whether the server has told no new tick for a minute. */
  get standsStill () {
    return this.now <= this.#latest && Date.now() - this.#moved > STANDS_STILL_MS
  }
}

/** Resolves after so many ticks; rejects when `signal` is aborted, with its reason. */
export function wait (bot, ticks, signal = null) {
  const end = bot.ticks.now + ticks
  return watch(bot, ['physicsTick', 'time'], () => bot.ticks.now >= end, () => false, signal).then(() => {})
}

/** Resolves when all of the bots have come to the tick to which one has, or are behind by more than the network may be. */
export function together (bots, signal = null) {
  const tick = Math.max(...bots.map(bot => bot.ticks.now))
  const there = bot => until(bot, () => bot.ticks.now >= tick, MOST_BEHIND_TICKS, signal).catch(() => {})
  return Promise.all(bots.map(there))
}

/** Resolves with true as soon as `condition` holds, with false when so many ticks have passed. */
export function until (bot, condition, ticks, signal = null) {
  const end = bot.ticks.now + ticks
  return watch(bot, ['physicsTick', 'time'], condition, () => bot.ticks.now >= end, signal)
}

/**
 * The same for what the server answers, in ticks of the client's own: where this process was late, it first reads
 * what has come meanwhile, the answer with it.
 */
export function answered (bot, condition, ticks, signal = null) {
  let left = ticks
  return watch(bot, ['physicsTick'], condition, () => left-- <= 0, signal)
}

function watch (bot, events, holds, isLate, signal) {
  return new Promise((resolve, reject) => {
    const finish = (settle, value) => {
      for (const name of events) bot.removeListener(name, look)
      clearInterval(timer)
      bot.removeListener('end', ended)
      signal?.removeEventListener('abort', aborted)
      settle(value)
    }
    const aborted = () => finish(reject, signal.reason)
    const ended = () => finish(reject, new Fault('gone', `${bot.username} is no longer on the server`, LOST))
    const look = () => {
      if (holds()) finish(resolve, true)
      else if (isLate()) finish(resolve, false)
    }
    const stopped = () => { if (bot.ticks.standsStill) finish(reject, new Fault('timeout', 'the server tells no new tick for a minute')) }
    const timer = setInterval(stopped, LOOK_MS)
    if (signal?.aborted) return aborted()
    for (const name of events) bot.on(name, look)
    bot.on('end', ended)
    signal?.addEventListener('abort', aborted)
    look()
  })
}
