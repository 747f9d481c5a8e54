// The seven actions of the article's Appendix F.4, by ordinary calls of mineflayer. Each has two halves: `find` picks
// out what it is about, at once and in the order of the calls, so that two bots are after two mobs; `go` does it.
//
// An action that finds nothing to do says a line of chat and is over; what cannot be is a fault.

import { HOLDING } from './ground.mjs'
import { Fault } from './lines.mjs'
import { goals } from './packages.mjs'
import { answered, together, until, wait } from './ticks.mjs'

const SIGHT = 48
const WORK = 6
const NEAR_CHEST = 8
const TAKING = 32
const REACH = 4.5
const BLOW_TICKS = 10
const CLICK_TICKS = 1 // until the server has confirmed a click
const ARM = 3
const DONE_TICKS = 2 // what is cooked with the very tick of a click is told a moment later
const DROP_TICKS = 40
const PICKUP_TICKS = 40
const BESIDE_TICKS = 20
const NEAR_DROP = 4
const MOST_BLOWS = 100
const STUCK_TICKS = 100
const STUCK_BLOCKS = 0.5

const cell = position => position.floored()
const away = (bot, position) => cell(bot.entity.position).distanceTo(cell(position))

// --- finding -------------------------------------------------------------------------------------------------

function nearestBlock (job, name, most) {
  const { bot, ground, claimed } = job
  const good = ground.blocksFor(bot, name).filter(at => away(bot, at) <= most && !claimed.has(at.toString()))
  return nearest(bot, good, at => at, () => 0)
}

function nearestMob (job, name, most) {
  const { bot, ground, claimed } = job
  const good = Object.values(bot.entities).filter(entity => entity.name === name && !entity.isDead && ground.mayKill(entity) && !claimed.has(entity.id))
  return nearest(bot, good.filter(entity => away(bot, entity.position) <= most), entity => entity.position, entity => ground.numberOf(entity))
}

/** The nearest of them; of two as near the one with the smaller number, which is the one that was placed first. */
function nearest (bot, things, placeOf, numberOf) {
  const key = thing => [away(bot, placeOf(thing)), numberOf(thing)]
  const before = (one, other) => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])
  return things.reduce((best, thing) => best === null || before(key(thing), key(best)) ? thing : best, null)
}

function container (job, name, most) {
  const at = nearestBlock(job, name, most)
  if (!at) throw new Fault('refused', `no ${name} within ${most} blocks of ${job.bot.username}`, `no_${name}`)
  return at
}

function openable (job, most) {
  const at = container(job, 'furnace', most)
  if (away(job.bot, at) > REACH) throw new Fault('refused', `the furnace is ${away(job.bot, at).toFixed(1)} blocks from ${job.bot.username}, and its reach is ${REACH}`, 'no_furnace')
  return at
}

const count = bot => bot.inventory.items().reduce((sum, item) => sum + item.count, 0)
const carried = (bot, name) => bot.inventory.items().some(item => item.name === name)
const itemId = (bot, name) => bot.registry.itemsByName[name].id

// --- moving --------------------------------------------------------------------------------------------------

async function walk (job, goal, what) {
  const { bot, signal } = job
  if (goal.isEnd(cell(bot.entity.position))) return
  const inner = new AbortController()
  const stop = AbortSignal.any([signal, inner.signal])
  let status = null
  const planned = path => { status = path.status }
  bot.on('path_update', planned)
  const going = bot.pathfinder.goto(goal)
  going.catch(() => {})
  try {
    await Promise.race([going.then(() => inner.abort('arrived')), watchFor(bot, stop, what)])
    await going
    // goto resolves as well where there is no way at all.
    if (status === 'noPath') throw new Fault('stuck', `${bot.username} finds no way to ${what}`)
  } catch (error) {
    if (error instanceof Fault) throw error
    if (signal.aborted) throw signal.reason
    if (error !== 'arrived') throw new Fault('stuck', `${bot.username} finds no way to ${what}: ${error.message}`)
  } finally {
    job.since = bot.ticks.now
    inner.abort('over')
    bot.removeListener('path_update', planned)
    bot.pathfinder.setGoal(null) // pathfinder.stop() would also stop the next way
    bot.clearControlStates()
  }
}

/** Never resolves; rejects where the bot has not come on for a while, or is to stop. */
async function watchFor (bot, stop, what) {
  for (;;) {
    const from = bot.entity.position.clone()
    await wait(bot, STUCK_TICKS, stop)
    if (bot.entity.position.distanceTo(from) < STUCK_BLOCKS) {
      const at = cell(bot.entity.position)
      throw new Fault('stuck', `${bot.username} is stuck at ${at.x} ${at.y} ${at.z} on its way to ${what}`)
    }
  }
}

const SIDES = [[-1, 0], [0, -1], [0, 1], [1, 0]]

/** The length of a way over the eight cells around. */
function wayLength (from, to) {
  const [far, short] = [Math.abs(from.x - to.x), Math.abs(from.z - to.z)].sort((one, other) => other - one)
  return short * Math.SQRT2 + (far - short)
}

function isFree (bot, at) {
  const [feet, head] = [bot.blockAt(at), bot.blockAt(at.offset(0, 1, 0))]
  return feet?.boundingBox === 'empty' && head?.boundingBox === 'empty'
}

/**
 * Beside a block or a mob: where the bot is, if that is beside it; else the nearest free cell of the four, of two as
 * near the one with the smaller x, then z. Always the same one: who comes after finds the bot where it expects it.
 */
function beside (bot, place) {
  const thing = cell(place)
  const here = cell(bot.entity.position)
  if (here.distanceTo(thing) <= 1) return new goals.GoalBlock(here.x, here.y, here.z)
  const free = SIDES.map(([x, z]) => thing.offset(x, 0, z)).filter(at => isFree(bot, at))
  const best = free.reduce((best, at) => best && wayLength(here, best) - wayLength(here, at) < 1e-9 ? best : at, null)
  return best ? new goals.GoalBlock(best.x, best.y, best.z) : new goals.GoalGetToBlock(thing.x, thing.y, thing.z)
}

const near = (at, blocks) => new goals.GoalNear(at.x, at.y, at.z, blocks)

async function fetch (job, where, most) {
  const { bot, signal } = job
  const lies = () => Object.values(bot.entities).filter(entity => entity.name === 'item' && entity.position.distanceTo(where) <= NEAR_DROP)
  const had = count(bot)
  if (!await answered(bot, () => lies().length > 0 || count(bot) > had, DROP_TICKS, signal)) return
  await wait(bot, 1, signal) // all of what drops at once
  await answered(bot, () => lies().length === 0, BESIDE_TICKS, signal) // what lies beside comes by itself
  for (const entity of lies().slice(0, most)) {
    if (!bot.entities[entity.id]) continue
    await walk(job, near(entity.position, 0), 'what was dropped')
    await answered(bot, () => !bot.entities[entity.id], PICKUP_TICKS, signal)
  }
}

// --- windows -------------------------------------------------------------------------------------------------

const hands = new Map() // a thing to the hands at it: a click takes some ticks, and another's would swap what it finds

/** Whether a hand goes before another: it is at work, or due first, or due in the same tick and its bot joined first. */
const goesBefore = (one, other) => one.atWork || one.due < other.due || (one.due === other.due && one.number < other.number)

/**
 * One hand after the other at a thing: what the one before has done there is seen by the next. When a hand's work is due
 * is known as it begins, so that neither who hears first of a tick nor whose window opens first decides.
 */
function handAt ({ bot, crew, signal, since }, thing, ticks) {
  const mine = { due: since + ticks, number: crew.indexOf(bot), atWork: false }
  mine.over = new Promise(resolve => { mine.leave = resolve })
  const others = hands.get(thing) ?? new Set()
  hands.set(thing, others.add(mine))
  mine.over.then(() => {
    others.delete(mine)
    if (!others.size && hands.get(thing) === others) hands.delete(thing)
  })
  return {
    /** Resolves when the work is due, and a tick after the hands before have left. */
    async turn () {
      await wait(bot, mine.due - bot.ticks.now, signal)
      await together(crew, signal)
      await new Promise(resolve => setImmediate(resolve))
      signal.throwIfAborted()
      for (let before; (before = [...others].find(other => goesBefore(other, mine)));) {
        await before.over
        await wait(bot, CLICK_TICKS, signal)
      }
      mine.atWork = true
    },
    leave: () => mine.leave()
  }
}

async function withWindow (job, at, open, use) {
  const { bot, handTicks } = job
  const hand = handAt(job, at.toString(), Math.max(0, handTicks - CLICK_TICKS))
  try {
    await bot.lookAt(at.offset(0.5, 0.5, 0.5), true) // at once; else a bot takes up to a second to turn round
    const window = await open(bot.blockAt(at))
    try {
      await hand.turn()
      return await use(window)
    } finally {
      hand.leave()
      await Promise.race([window.close(), wait(bot, 20).catch(() => {})])
    }
  } finally {
    hand.leave()
  }
}

const furnace = (job, at, use) => withWindow(job, at, block => job.bot.openFurnace(block), use)

/** One item into a slot of the furnace that is free, or holds its like. */
function free (job, item, name) {
  if (item && (item.name !== name || item.count >= item.stackSize)) {
    throw new Fault('refused', `${job.bot.username} finds ${item.count} ${item.name} where ${name} should go`, 'slot_taken')
  }
}

// --- the actions ---------------------------------------------------------------------------------------------

const goTo = {
  find (job) {
    const [name] = job.things
    if (job.noWay.includes(name)) throw new Fault('refused', `there is no way to ${name} for ${job.bot.username}`, 'no_way')
    const isBlock = job.bot.registry.blocksByName[name] !== undefined && !job.bot.registry.entitiesByName[name]
    const any = { ...job, claimed: new Set() } // also what somebody else is after
    const found = isBlock ? nearestBlock(any, name, SIGHT) : nearestMob(any, name, SIGHT)
    if (!found) throw new Fault('refused', `no ${name} within ${SIGHT} blocks of ${job.bot.username}`, 'none_around')
    return beside(job.bot, isBlock ? found : found.position)
  },
  go: (job, goal) => walk(job, goal, job.things[0])
}

const killMob = {
  find (job) {
    const [name] = job.things
    const mob = nearestMob(job, name, WORK)
    if (mob) job.claimed.add(mob.id)
    else job.vain(`No ${name} nearby, please explore first`, 'no_mob')
    return mob
  },
  async go (job, mob) {
    const { bot, signal } = job
    let dead = false
    const died = entity => { dead ||= entity.id === mob.id }
    bot.on('entityDead', died).on('entityGone', died)
    try {
      await walk(job, beside(bot, mob.position), mob.name)
      const hand = handAt(job, mob.name, job.handTicks)
      await hand.turn().finally(hand.leave)
      for (let blows = 0; !dead; blows++) {
        if (blows === MOST_BLOWS) throw new Fault('stuck', `${bot.username} hits ${mob.name} and it does not die`)
        if (bot.entity.position.distanceTo(mob.position) > ARM) await walk(job, near(mob.position, 2), mob.name)
        await bot.lookAt(mob.position.offset(0, mob.height / 2, 0), true)
        bot.attack(mob)
        await until(bot, () => dead, BLOW_TICKS, signal)
      }
    } finally {
      bot.removeListener('entityDead', died).removeListener('entityGone', died)
    }
    await fetch(job, mob.position.clone(), job.stacks)
    job.say(`Killed ${mob.name}!`)
  }
}

const mineBlock = {
  find (job) {
    const [name] = job.things
    const at = HOLDING.test(name) ? null : nearestBlock(job, name, WORK) // what it holds would be lost
    if (at) job.claimed.add(at.toString())
    else job.vain(`No ${name} nearby, please go there first`, 'no_block')
    return at
  },
  async go (job, at) {
    const { bot, signal } = job
    const block = bot.blockAt(at)
    await walk(job, beside(bot, at), block.name)
    const stop = () => bot.stopDigging()
    signal.addEventListener('abort', stop)
    try {
      await bot.dig(block, true)
    } catch (error) {
      throw signal.aborted ? signal.reason : new Fault('refused', `${bot.username} cannot dig ${block.name}: ${error.message}`)
    } finally {
      signal.removeEventListener('abort', stop)
    }
    await fetch(job, at.offset(0.5, 0.5, 0.5), 1)
  }
}

const putFuelFurnace = {
  find (job) {
    const [name] = job.things
    if (carried(job.bot, name)) return openable(job, SIGHT)
    job.vain(`No ${name} as fuel in inventory`, 'not_carried')
    return null
  },
  async go (job, at) {
    const [name] = job.things
    await furnace(job, at, async window => {
      free(job, window.fuelItem(), name)
      await window.putFuel(itemId(job.bot, name), null, 1).catch(error => {
        throw /rejected/.test(error.message) ? new Fault('refused', `${name} is no fuel`, 'no_fuel') : error
      })
    })
    await wait(job.bot, job.putWaits, job.signal)
  }
}

const putItemFurnace = {
  find (job) {
    const [name] = job.things
    if (carried(job.bot, name)) return openable(job, TAKING)
    job.vain(`No ${name} to smelt in inventory`, 'not_carried')
    return null
  },
  async go (job, at) {
    const [name] = job.things
    await furnace(job, at, async window => {
      free(job, window.inputItem(), name)
      await window.putInput(itemId(job.bot, name), null, 1)
    })
    await wait(job.bot, job.putWaits, job.signal)
  }
}

const takeOutFurnace = {
  find: job => container(job, 'furnace', TAKING),
  async go (job, at) {
    if (away(job.bot, at) > 1) await walk(job, beside(job.bot, at), 'furnace')
    await furnace(job, at, async window => {
      const cooked = () => Boolean(window.outputItem())
      if (!await answered(job.bot, cooked, DONE_TICKS, job.signal)) throw new Fault('refused', `nothing lies in the furnace's output for ${job.bot.username}`, 'no_output')
      await window.takeOutput()
    })
  }
}

const putInChest = {
  find (job) {
    const [name] = job.things
    if (carried(job.bot, name)) return container(job, 'chest', NEAR_CHEST)
    job.vain(`No ${name} in inventory`, 'not_carried')
    return null
  },
  async go (job, at) {
    const [name] = job.things
    if (away(job.bot, at) > REACH) await walk(job, beside(job.bot, at), 'chest')
    await withWindow(job, at, block => job.bot.openContainer(block), window => window.deposit(itemId(job.bot, name), null, 1))
  }
}

/** Every action: what it finds and does, and how many things it names. */
export const VERBS = new Map(Object.entries({
  goto: { ...goTo, things: 1 },
  killMob: { ...killMob, things: 1 },
  mineBlock: { ...mineBlock, things: 1 },
  putFuelFurnace: { ...putFuelFurnace, things: 1 },
  putItemFurnace: { ...putItemFurnace, things: 1 },
  takeOutFurnace: { ...takeOutFurnace, things: 0 },
  putInChest: { ...putInChest, things: 1 }
}))
