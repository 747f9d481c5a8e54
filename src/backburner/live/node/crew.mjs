// The bots: one for each body, joined by name, and told apart from all other players.

import { clearTimeout as clearRealTimeout, setTimeout as setRealTimeout } from 'node:timers' // not as a clock of ours has them, which may be faster

import { Fault, oneLine, send } from './lines.mjs'
import { mineflayer, Movements, newer, pathfinder, protocol, protocolOf, versionOf } from './packages.mjs'
import { answered, Ticks } from './ticks.mjs'

const PING_MS = 10_000
const PONG_MS = 1_000
const FIRST_TICKS = 60
const MOST_CHAT = 50
const OP_LEVEL = 24 // with this status and the four after it a server tells players what they may

const OLDEST = '1.13' // before, commands are spelt otherwise
const NEWEST = mineflayer.latestSupportedVersion
const KNOWN = `they know ${OLDEST} to ${NEWEST}`

const known = version => !newer(OLDEST, version) && !newer(version, NEWEST)

export class Crew {
  #bots = new Map()
  #why = new Map()
  #told = 0
  server = {} // where the bots are, and who they are: what another process needs to come back

  /** The bot of this name; a fault that says why where it is not there. */
  get (name) {
    const bot = this.#bots.get(name)
    if (bot) return bot
    throw this.#why.get(name) ?? new Fault('bad-request', `no bot is called ${name}; there are ${[...this.#bots.keys()].join(', ') || 'none'}`)
  }

  all () { return [...this.#bots.values()] }

  get first () {
    const [bot] = this.#bots.values()
    if (!bot) throw [...this.#why.values()][0] ?? new Fault('bad-request', 'no bot has joined')
    return bot
  }

  /** Why a bot was lost, which is more than that it is gone. */
  reasonOf (fault) {
    const known = [...this.#why.values()]
    return known.find(each => each.kind !== 'gone') ?? known[0] ?? fault
  }

  owns (username) { return this.#bots.has(username) || this.#why.has(username) }

  /** After each answer as much chat is told again. */
  answered () { this.#told = 0 }

  /** Let every bot that is not there join; all of them stand in the world when this resolves. */
  async join ({ host, port, version, auth, bots, timeoutMs }) {
    await meet(host, port, version)
    this.server = { host, port, version, auth, bots }
    const missing = bots.filter(name => !this.#bots.has(name))
    const joined = await Promise.allSettled(missing.map(name => this.#enter(name, { host, port, version, auth, timeoutMs })))
    const failed = joined.find(result => result.status === 'rejected')
    // The first that is named commands, whoever was let in first.
    this.#bots = new Map([...bots, ...this.#bots.keys()].filter(name => this.#bots.has(name)).map(name => [name, this.#bots.get(name)]))
    if (!failed) return
    if (missing.length === bots.length) this.leave() // else those that were there already stay
    throw failed.reason
  }

  async #enter (name, { host, port, version, auth, timeoutMs }) {
    const clock = globalThis.toldClock
    const options = { host, port, version, auth, username: name, viewDistance: 'short', hideErrors: true, logErrors: false }
    const bot = mineflayer.createBot({ ...options, checkTimeoutInterval: 60_000, keepAlive: !clock })
    if (clock) bot._client.on('keep_alive', ({ keepAliveId }) => clock.done(() => bot._client.write('keep_alive', { keepAliveId })))
    const why = { fault: null }
    bot.on('error', error => { why.fault ??= new Fault('gone', oneLine(`${name}: ${error.message || error.code}`)) })
    bot.on('kicked', reason => { why.fault = kicked(name, reason) })
    bot.once('inject_allowed', () => bot.loadPlugin(pathfinder))
    bot.ticks = new Ticks(bot)
    bot._client.on('entity_status', ({ entityId, entityStatus }) => {
      if (entityId === bot.entity?.id && entityStatus >= OP_LEVEL && entityStatus <= OP_LEVEL + 4) bot.opLevel = entityStatus - OP_LEVEL
    })
    await new Promise((resolve, reject) => {
      const late = () => reject(why.fault ?? new Fault('timeout', `${name} did not come into the world within ${timeoutMs / 1000} s`))
      const timer = setRealTimeout(late, timeoutMs)
      const settle = (call, value) => { clearRealTimeout(timer); call(value) }
      bot.once('spawn', () => settle(resolve))
      bot.once('end', reason => settle(reject, why.fault ?? new Fault('gone', oneLine(`${name} was not let in: ${reason}`))))
    }).catch(error => { bot.end(); throw error })
    await answered(bot, () => bot.ticks.told, FIRST_TICKS)
    this.#settleIn(bot, why)
  }

  #settleIn (bot, why) {
    const name = bot.username
    this.#bots.set(name, bot)
    this.#why.delete(name)
    bot.heard = []
    bot.setMaxListeners(200)
    bot.on('messagestr', text => { bot.heard = [...bot.heard.slice(-9), oneLine(text)] })
    bot.on('chat', (from, text) => { if (bot === this.#bots.values().next().value) this.#chat(from, text) })
    bot.on('end', reason => this.#lost(name, why.fault ?? new Fault('gone', oneLine(`${name} lost the server: ${reason}`))))
    const movements = new Movements(bot)
    Object.assign(movements, { canDig: false, allow1by1towers: false, scafoldingBlocks: [] })
    bot.pathfinder.setMovements(movements)
    bot.pathfinder.thinkTimeout = 60_000
  }

  #lost (name, fault) {
    if (!this.#bots.delete(name)) return
    this.#why.set(name, fault)
    send({ event: fault.kind, bot: name, why: fault.message })
  }

  #chat (from, text) {
    if (this.owns(from) || this.#told++ >= MOST_CHAT) return
    send({ event: 'chat', from: oneLine(from), text: oneLine(text) })
  }

  /** All bots leave; nothing is told of it. */
  leave () {
    const bots = this.all()
    this.#bots.clear()
    this.#why.clear()
    for (const bot of bots) bot.quit('backburner leaves')
  }
}

function kicked (name, reason) {
  const words = oneLine(typeof reason === 'string' ? reason.replace(/^\{"text":"(.*)"\}$/, '$1') : JSON.stringify(reason))
  const kind = /outdated|version|incompatible/i.test(words) ? 'version' : 'kicked'
  return new Fault(kind, oneLine(`the server sent ${name} away: ${words}`))
}

/** Ask the server who it is; a fault where none answers, or one that bots cannot play on, or are not to. */
async function meet (host, port, version) {
  const ours = protocolOf(version)
  if (ours === null || !known(version)) throw new Fault('version', `bots do not know Minecraft ${version}: ${KNOWN}`)
  let theirs
  try {
    const told = await protocol.ping({ host, port, version, closeTimeout: PING_MS, noPongTimeout: PONG_MS })
    theirs = told.version
  } catch (error) {
    throw new Fault('gone', oneLine(`no Minecraft server answers at ${host}:${port} (${error.message || error.code}): see that it runs, and that this is its port`))
  }
  if (!theirs || theirs.protocol === ours) return
  const name = versionOf(theirs.protocol)
  const how = name && known(name) ? `version=${name} behind the server has bots speak that` : `bots do not know that one: ${KNOWN}`
  throw new Fault('version', oneLine(`the server runs Minecraft ${theirs.name} (protocol ${theirs.protocol}), not ${version} (${ours}): ${how}`))
}
