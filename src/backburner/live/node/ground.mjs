// What is changed on the server, and how it is put back: by an operator's ordinary commands, inside one marked area.
//
// Every change is first listed, with what was there before; only then may it be made. Mobs carry a tag of this
// process, and only those are ever removed. Blocks that hold something are never replaced.

import { counted, Fault, oneLine, rounded } from './lines.mjs'
import { forget, keep } from './kept.mjs'
import { checkDry, checkFooting, isSolid, remarks } from './footing.mjs'
import { Vec3 } from './packages.mjs'
import { answered, wait } from './ticks.mjs'

const ANSWER_TICKS = 100
const AT_ONCE = 20
/** Blocks that hold something: they are never replaced, nor dug. */
export const HOLDING = /chest|furnace|smoker|barrel|hopper|shulker_box|dispenser|dropper|lectern|brewing_stand|spawner|sign|bed|jukebox|command_block|beehive|bee_nest/
const WIDE_SEARCH = 128
const PAD = 'grass_block'
const MOST_OF_A_PAD = 8000
const NEAR_MOB = 0.7
const NEAR_MOVE = 0.2 // a bot that stood close by is not there yet

const vec = at => new Vec3(...at)
const spelt = at => at.join(' ')
const same = (one, other) => one.every((n, i) => n === other[i])

export class Ground {
  #crew
  #tag = `backburner_${Math.floor(Math.random() * 2 ** 32).toString(16)}`
  #done = [] // changes that were made, the last one last
  #blocks = [] // { block, at }: what stands here by our hand, or stood before and is played with
  #mobs = [] // { mob, at, uuid }
  #area = null
  #wild = false
  #file = null // where the list of changes is kept until all of them are put back
  #watched = new WeakSet()
  #last = Promise.resolve() // the last making or putting back: one begins when the other has ended

  constructor (crew) { this.#crew = crew }

  get blocks () { return this.#blocks }
  get mobs () { return this.#mobs }
  get area () { return this.#area }

  // --- what may be touched ---------------------------------------------------------------------------------

  inside (at) {
    const cell = [Math.floor(at[0]), Math.floor(at[1]), Math.floor(at[2])]
    return this.#area !== null && cell.every((n, i) => n >= this.#area.from[i] && n <= this.#area.to[i])
  }

  /** Whether bots may dig or use the block at this place. */
  mayUse (position) {
    const at = position.toArray()
    return this.inside(at) && (this.#wild || this.#blocks.some(placed => same(placed.at, at)))
  }

  /** Which of the mobs that were placed this is, the first ones first; others come after them. */
  numberOf (entity) {
    const number = this.#mobs.findIndex(mob => mob.uuid === entity.uuid)
    return number < 0 ? this.#mobs.length : number
  }

  /**
   * Where blocks of a kind stand that bots may use, as this bot sees it, in the order in which they were placed. mineflayer's own search leaves out what is
   * near but in a chunk that touches the bot's by its corner alone.
   */
  blocksFor (bot, name) {
    if (!this.#wild) {
      const placed = this.#blocks.filter(each => each.block === name).map(each => vec(each.at))
      return placed.filter(at => bot.blockAt(at)?.name === name)
    }
    const id = bot.registry.blocksByName[name]?.id
    if (id === undefined) return []
    return bot.findBlocks({ matching: id, maxDistance: WIDE_SEARCH, count: 256 }).filter(at => this.mayUse(at))
  }

  /** Whether bots may kill this mob. */
  mayKill (entity) {
    return this.inside(entity.position.toArray()) && (this.#wild || this.#mobs.some(mob => mob.uuid === entity.uuid))
  }

  // --- preparing -------------------------------------------------------------------------------------------

  /** What a farm changes, and what is to be known of its ground; made unless it is a `dryRun`, and then the `tick` at which it stands. `file` has the list of changes before the first is made. */
  prepare (wanted, dryRun, file) {
    return this.#inTurn(async () => {
      const changes = await this.#plan(wanted)
      const notes = remarks(this.#crew, wanted)
      if (!dryRun) {
        this.#file = file
        this.#keep([...this.#done, ...changes])
        await this.#make(wanted, changes)
      }
      return { changes, notes, tick: dryRun ? null : this.#crew.first.ticks.now }
    })
  }

  /** The file has these changes; there is none where all is put back. */
  #keep (changes) {
    if (!this.#file) return
    if (changes.length) keep(this.#file, { ...this.#crew.server, changes })
    else forget(this.#file)
  }

  #inTurn (work) {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  /** List what a farm would change, with what is there now; a fault where that may not be. */
  async #plan ({ area, blocks, mobs, starts, rules, pad }) {
    const bot = this.#crew.first
    const all = [...blocks.map(b => b.at), ...mobs.map(m => m.at), ...starts.values()]
    const outside = all.find(at => !at.every((n, i) => n >= area.from[i] && n <= area.to[i]))
    if (outside) throw new Fault('bad-request', `${spelt(outside)} lies outside of the area ${spelt(area.from)} to ${spelt(area.to)}`)
    await bot.waitForChunksToLoad()
    const changes = blocks.flatMap(({ block, at }) => this.#blockChange(bot, block, at))
    if (pad) changes.unshift(...this.#padding(bot, area, blocks))
    else checkFooting(bot, { area, blocks, mobs, starts })
    for (const { mob, at } of mobs) changes.push({ kind: 'mob', at, was: null, becomes: mob, tag: this.#tag })
    for (const [rule, becomes] of rules) {
      const was = await this.#rule(bot, rule)
      if (was !== becomes) changes.push({ kind: 'rule', rule, was, becomes })
    }
    for (const [name, at] of starts) changes.push(this.#move(name, at))
    return changes
  }

  #blockChange (bot, block, at) {
    const there = bot.blockAt(vec(at))
    if (!there) throw new Fault('refused', `${bot.username} is too far away to see ${spelt(at)}; let it stand near first`)
    if (there.name === block) return []
    if (HOLDING.test(there.name)) throw new Fault('refused', `a ${there.name} stands at ${spelt(at)}, and what it holds could not be put back`)
    if (!bot.registry.blocksByName[block]) throw new Fault('bad-request', `Minecraft ${bot.version} has no block ${block}`)
    return [{ kind: 'block', at, was: stateOf(there), becomes: block }]
  }

  /** What makes flat, open ground of an area: a floor below it where there is none, and air in it, the highest first. */
  #padding (bot, area, blocks) {
    checkDry(bot, area)
    const { from, to } = area
    const found = []
    const placed = new Set(blocks.map(({ at }) => String(at)))
    const layer = function * (y) {
      for (let x = from[0]; x <= to[0]; x++) for (let z = from[2]; z <= to[2]; z++) yield [x, y, z]
    }
    for (const at of layer(from[1] - 1)) if (!isSolid(bot, at)) found.push(...this.#blockChange(bot, PAD, at))
    for (let y = to[1]; y >= from[1]; y--) {
      for (const at of layer(y)) if (!placed.has(String(at))) found.push(...this.#blockChange(bot, 'air', at))
    }
    if (found.length > MOST_OF_A_PAD) throw new Fault('refused', `a pad there changes ${found.length} blocks, more than ${MOST_OF_A_PAD}`)
    return found
  }

  async #rule (bot, rule) {
    const heard = await this.#asked(bot, `/gamerule ${rule}`, text => text.includes(rule))
    const value = heard?.match(/:\s*(\w+)$/)?.[1]
    if (!value) throw this.#refused(bot, `/gamerule ${rule}`)
    return value
  }

  #move (name, at) {
    const bot = this.#crew.get(name)
    const carried = bot.inventory.items().map(item => `${item.count} ${item.name}`)
    if (carried.length) throw new Fault('refused', oneLine(`${name} carries ${carried.join(', ')}; an episode begins with empty hands`))
    return { kind: 'move', bot: name, was: rounded(bot.entity.position), becomes: middle(at).toArray() }
  }

  /** Make these changes, and remember them; what was made is put back where one fails. */
  async #make ({ area, blocks, mobs, wild }, changes) {
    this.#area = area
    this.#wild = wild
    this.#blocks = blocks
    try {
      for (let i = 0; i < changes.length; i += AT_ONCE) await this.#makeSome(changes.slice(i, i + AT_ONCE))
    } catch (error) {
      await this.#restore().catch(() => {})
      throw error
    }
    this.#mobs.sort((one, other) => mobs.findIndex(m => same(m.at, one.at)) - mobs.findIndex(m => same(m.at, other.at)))
  }

  async #makeSome (changes) {
    const bot = this.#crew.first
    for (const change of changes) {
      this.#done.push(change)
      if (change.kind === 'mob') this.#expect(bot, change.becomes, change.at)
      else bot.chat(commandFor(change))
    }
    for (const change of changes) {
      if (!await answered(bot, () => this.#isMade(bot, change), ANSWER_TICKS)) throw this.#refused(bot, commandFor(change))
    }
  }

  #isMade (bot, change) {
    if (change.kind === 'block') return bot.blockAt(vec(change.at))?.name === change.becomes
    if (change.kind === 'mob') return this.#mobs.some(mob => same(mob.at, change.at) && mob.uuid !== null)
    if (change.kind === 'move') return this.#crew.get(change.bot).entity.position.distanceTo(vec(change.becomes)) < NEAR_MOVE
    return bot.heard.some(text => text.includes(change.rule) && text.endsWith(change.becomes))
  }

  #refused (bot, command) {
    const last = bot.heard.at(-1)
    return new Fault('refused', oneLine(`the server did not carry out ${command.slice(0, 80)}${last ? ` (it last said: ${last})` : ''}; make ${bot.username} an operator`))
  }

  async #asked (bot, command, wanted) {
    bot.heard = []
    bot.chat(command)
    await answered(bot, () => bot.heard.some(wanted), ANSWER_TICKS)
    return bot.heard.find(wanted) ?? null
  }

  // --- mobs ------------------------------------------------------------------------------------------------

  #expect (bot, mob, at) {
    this.#watch(bot)
    const known = this.#mobs.find(each => each.mob === mob && same(each.at, at))
    if (known) known.uuid = null
    else this.#mobs.push({ mob, at, uuid: null })
    const nbt = `{Tags:["${this.#tag}"],NoAI:1b,Silent:1b,PersistenceRequired:1b${mob === 'chicken' ? ',EggLayTime:1000000' : ''}}`
    bot.chat(`/summon minecraft:${mob} ${at[0] + 0.5} ${at[1]} ${at[2] + 0.5} ${nbt}`)
  }

  #watch (bot) {
    if (this.#watched.has(bot)) return
    this.#watched.add(bot)
    bot.on('entitySpawn', entity => {
      const place = this.#mobs.find(mob => mob.uuid === null && mob.mob === entity.name && entity.position.distanceTo(middle(mob.at)) < NEAR_MOB)
      if (place) place.uuid = entity.uuid
    })
    bot.on('entityDead', entity => {
      const place = this.#mobs.find(mob => mob.uuid === entity.uuid)
      if (place) place.uuid = 'dead'
    })
  }

  // --- renewing --------------------------------------------------------------------------------------------

  /** Let what was killed or mined stand again; how many. Resolves when it stands. */
  async renew () {
    const bot = this.#crew.first
    const mobs = this.#mobs.filter(mob => mob.uuid === 'dead')
    const seen = ({ block, at }) => this.#crew.all().map(bot => bot.blockAt(vec(at))?.name ?? block)
    const blocks = this.#blocks.filter(placed => seen(placed).some(name => name !== placed.block))
    for (const { mob, at } of mobs) this.#expect(bot, mob, at)
    for (const { block, at } of blocks) bot.chat(commandFor({ kind: 'block', at, becomes: block }))
    const stands = () => mobs.every(mob => mob.uuid !== null) && blocks.every(placed => seen(placed).every(name => name === placed.block))
    if (!await answered(bot, stands, ANSWER_TICKS)) throw this.#refused(bot, 'what lets mobs and blocks stand again')
    return mobs.length + blocks.length
  }

  // --- restoring -------------------------------------------------------------------------------------------

  /**
   * Put back what was changed, or what a list from an earlier process says, which stands in `file`; the changes that could not
   * be, and what bots still carry.
   */
  restore (changes = null, file = null) {
    return this.#inTurn(() => {
      this.#file = file ?? this.#file
      return this.#restore(changes)
    })
  }

  async #restore (changes = null) {
    const bot = this.#crew.first
    const back = (changes ?? this.#done).toReversed()
    await this.#removeMobs(bot, new Set(back.map(change => change.tag).filter(tag => tag)))
    for (let i = 0; i < back.length; i += AT_ONCE) {
      const some = back.slice(i, i + AT_ONCE).filter(change => change.was !== null).map(reversed)
      for (const change of some) bot.chat(commandFor(change))
      await answered(bot, () => some.every(change => isBack(bot, change)), ANSWER_TICKS / 2)
    }
    await wait(bot, 2)
    const carried = await this.#empty(back)
    const stands = change => change.kind === 'mob' && this.#mobs.some(mob => same(mob.at, change.at) && isThere(bot, mob))
    const left = back.filter(change => stands(change) || (change.kind === 'block' && !isBack(bot, reversed(change))))
    this.#done = []
    this.#mobs = []
    this.#blocks = []
    this.#area = null
    this.#keep(back.filter(change => left.includes(change) || (change.kind === 'move' && change.bot in carried)).toReversed())
    this.#file = null // it has what is left: whoever puts nothing back later leaves it alone
    return { left, carried }
  }

  async #removeMobs (bot, tags) {
    for (const selector of [...tags].map(tag => `@e[tag=${tag}]`)) {
      // Without this, what is killed by a command drops its meat.
      bot.chat(`/execute as ${selector} run data merge entity @s {DeathLootTable:"minecraft:empty"}`)
      bot.chat(`/kill ${selector}`)
    }
    await answered(bot, () => !this.#mobs.some(mob => isThere(bot, mob)), ANSWER_TICKS)
  }

  /** What bots gained since they began, which was nothing, goes; what they carry nevertheless. */
  async #empty (changes) {
    const moved = new Set(changes.filter(change => change.kind === 'move').map(change => change.bot))
    const bots = this.#crew.all().filter(bot => moved.has(bot.username))
    for (const bot of bots) {
      for (const item of bot.inventory.items()) this.#crew.first.chat(`/clear ${bot.username} minecraft:${item.name} ${item.count}`)
    }
    await answered(this.#crew.first, () => bots.every(bot => !bot.inventory.items().length), ANSWER_TICKS / 2)
    const full = bots.filter(bot => bot.inventory.items().length)
    return Object.fromEntries(full.map(bot => [bot.username, counted(bot.inventory.items())]))
  }
}

/** With a point, without which a server takes the middle of a block. */
const decimal = n => Number.isInteger(n) ? n.toFixed(1) : String(n)

const middle = at => vec(at).offset(0.5, 0, 0.5)
const reversed = change => ({ ...change, was: change.becomes, becomes: change.was })

const isThere = (bot, mob) => Object.values(bot.entities).some(entity => entity.uuid === mob.uuid)

const isBack = (bot, change) => change.kind !== 'block' || bot.blockAt(vec(change.at))?.name === change.becomes.match(/^(?:minecraft:)?(\w+)/)[1]

function stateOf (block) {
  const pairs = Object.entries(block.getProperties()).map(([key, value]) => `${key}=${value}`)
  return pairs.length ? `${block.name}[${pairs.join(',')}]` : block.name
}

function commandFor (change) {
  if (change.kind === 'block') return `/setblock ${spelt(change.at)} minecraft:${change.becomes}`
  if (change.kind === 'rule') return `/gamerule ${change.rule} ${change.becomes}`
  if (change.kind === 'mob') return `/summon minecraft:${change.becomes} ${spelt(change.at)}`
  return `/tp ${change.bot} ${change.becomes.map(decimal).join(' ')}`
}
