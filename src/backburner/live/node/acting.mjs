// A joint step: all calls at the same time, some ticks before and after, and nobody waits for ever.

import { Fault, oneLine } from './lines.mjs'
import { together, wait } from './ticks.mjs'
import { VERBS } from './verbs.mjs'

const LETTING_GO_TICKS = 5

/** Runs calls; one for each bot at a time. A call that runs on is stopped by the next one for its bot. */
export class Acting {
  #crew
  #ground
  #running = new Map() // bot's name to what stops its call, and when that has let go of the bot
  #stops = 0 // how often everything was stopped
  #late = [] // results of calls that ran on from an earlier step

  constructor (crew, ground) {
    this.#crew = crew
    this.#ground = ground
  }

  /**
   * Carry out `calls`. `renew`: when killed mobs and mined blocks stand again: `during` (once the calls have looked
   * for what they are about), `after` them, or `never`. `until`: the step ends when `all` calls have, or with the
   * first `error`, the others then running on. `lasts`: so long takes the step by the rules. All calls begin `since`
   * the same tick, whoever hears of it last.
   */
  async play ({ calls, before, after, lasts, timeout, renew, until, putWaits, handTicks, stacks, noWay }) {
    const first = this.#crew.first
    const tick = first.ticks.now
    const stops = this.#stops
    await wait(first, before)
    await together(this.#crew.all())
    this.#goesOn(stops)
    const [claimed, since] = [new Set(), Math.max(...this.#crew.all().map(bot => bot.ticks.now))]
    const begun = calls.map(call => this.#begin(call, { claimed, since, timeout, putWaits, handTicks, stacks, noWay }))
    if (renew === 'during') await this.#ground.renew()
    const failing = ({ result, ended }) => ended.then(() => { if (until === 'error' && result.error) throw result })
    await Promise.all(begun.map(failing)).catch(() => {})
    this.#goesOn(stops)
    const renewing = renew === 'after' ? this.#ground.renew() : null
    renewing?.catch(() => {}) // until it is waited for
    await wait(first, restOf(after, lasts - (first.ticks.now - tick)))
    await renewing
    const results = begun.map(call => call.result)
    const late = this.#late.filter(result => !result.running)
    this.#late = [...this.#late, ...results].filter(result => result.running)
    return { tick, ended: first.ticks.now, calls: results.map(result => ({ ...result })), late }
  }

  #begin (call, shared) {
    const { bot: name, verb, things, refused } = call
    const result = { bot: name, verb, ok: false, lines: [], error: null, kind: null, code: null, ticks: 0, running: true }
    const say = line => result.lines.push(oneLine(line))
    const vain = (line, code) => { say(line); result.code = code }
    const stop = new AbortController()
    const before = this.#running.get(name)
    before?.stop.abort(new Fault('timeout', `${name} has something else to do`))
    if (refused) return { result: Object.assign(result, refused, { running: false }), ended: Promise.resolve() }
    const bot = this.#crew.get(name)
    const began = bot.ticks.now
    const turn = { stop, free: null }
    this.#running.set(name, turn)
    const ended = this.#carryOut(bot, verb, { ...shared, things, turn, before, say, vain })
      .then(() => { result.ok = result.code === null })
      .catch(error => Object.assign(result, faultOf(error, this.#crew, name)))
      .finally(() => Object.assign(result, { running: false, ticks: bot.ticks.now - began }))
    return { result, ended }
  }

  async #carryOut (bot, verb, { turn, before, timeout, ...options }) {
    const { stop } = turn
    const { signal } = stop
    const job = { bot, crew: this.#crew.all(), ground: this.#ground, signal, ...options }
    const { find, go } = VERBS.get(verb)
    const found = find(job) // before anything is waited for: in the order of the calls
    if (found === null) return
    const late = new AbortController()
    wait(bot, timeout, late.signal)
      .then(() => stop.abort(new Fault('timeout', `${verb} of ${bot.username} took longer than ${timeout} ticks`)))
      .catch(() => {})
    const stopped = new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const lost = new Promise((resolve, reject) => bot.once('end', () => reject(new Fault('gone', `${bot.username} is gone`))))
    try {
      turn.free = letGo(before, bot).then(() => {
        job.since = Math.max(job.since, bot.ticks.now)
        return go(job, found)
      })
      await Promise.race([turn.free, stopped, lost])
    } finally {
      late.abort('over')
      stop.abort('over')
    }
  }

  /** A fault where everything was stopped meanwhile: then nothing begins, nor stands again, any more. */
  #goesOn (stops) {
    if (stops !== this.#stops) throw new Fault('refused', 'the episode is over')
  }

  stop () {
    this.#stops++
    for (const { stop } of this.#running.values()) stop.abort(new Fault('timeout', 'the episode is over'))
    this.#running.clear()
  }
}

/** Resolves when the call before has let go of its bot, or is given up: its end would stop the next way. */
const letGo = (before, bot) => before?.free ? Promise.race([before.free.catch(() => {}), wait(bot, LETTING_GO_TICKS)]) : Promise.resolve()

/** For so many ticks bots wait at the end: so that the step ends when it is to, if that is about as long as `after`. */
const restOf = (after, left) => Math.abs(left - after) <= after / 2 ? left : after

function faultOf (error, crew, name) {
  if (!crew.all().some(bot => bot.username === name)) {
    try { crew.get(name) } catch (why) { return { error: why.message, kind: why.kind } }
  }
  const kind = error instanceof Fault ? error.kind : /timeout|not fire|respond/i.test(error.message) ? 'timeout' : 'refused'
  return { error: oneLine(error.message ?? error), kind, code: error instanceof Fault ? error.code : null }
}
