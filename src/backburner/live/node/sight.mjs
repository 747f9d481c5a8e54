// What is there: bots, what is around them, persons beside them, the furnace, the chest, and what stands.
//
// What a chest, a furnace or a person holds is asked with `/data get`, which an operator may from anywhere; bots that
// may not see nothing of it, and the answer has null there.

import { counted, oneLine, rounded } from './lines.mjs'
import { itemsIn, readSnbt } from './snbt.mjs'
import { answered } from './ticks.mjs'

const AROUND = 32
const ANSWER_TICKS = 60
const MOST_PERSONS = 16
const LONGEST_NAME = 16
const NAME = /^\w{1,16}$/

export async function observe (crew, ground, kinds) {
  const first = crew.first
  const [furnace, chest, persons] = await Promise.all([
    heldBy(first, ground, 'furnace'), heldBy(first, ground, 'chest'), personsIn(crew, ground)
  ])
  return {
    tick: first.ticks.now,
    bots: Object.fromEntries(crew.all().map(bot => [bot.username, seenBy(bot, ground, kinds)])),
    persons,
    furnace: furnace && furnaceOf(furnace),
    chest: chest && counted(itemsIn(chest.Items)),
    standing: standing(first, ground)
  }
}

function seenBy (bot, ground, kinds) {
  const here = bot.entity.position
  const { blocks, mobs } = Object.groupBy(kinds, kind => bot.registry.entitiesByName[kind] ? 'mobs' : 'blocks')
  return {
    at: rounded(here),
    inventory: counted(bot.inventory.items()),
    blocks: distances(blocks ?? [], kind => nearestBlock(bot, ground, kind)),
    mobs: distances(mobs ?? [], kind => nearestMob(bot, ground, kind))
  }
}

const distances = (kinds, of) => Object.fromEntries(kinds.map(kind => [kind, of(kind)]).filter(([, away]) => away !== null))

const cellsAway = (bot, position) => Math.round(bot.entity.position.floored().distanceTo(position.floored()) * 10) / 10

const least = list => list.length ? Math.min(...list) : null

function nearestBlock (bot, ground, kind) {
  return least(ground.blocksFor(bot, kind).map(at => cellsAway(bot, at)).filter(away => away <= AROUND))
}

function nearestMob (bot, ground, kind) {
  const found = Object.values(bot.entities).filter(entity => entity.name === kind && ground.inside(entity.position.toArray()))
  return least(found.map(entity => cellsAway(bot, entity.position)).filter(away => away <= AROUND))
}

function standing (bot, ground) {
  const blocks = ground.blocks.map(({ block, at }) => ({ kind: block, at, there: blockIs(bot, block, at) }))
  return [...blocks, ...ground.mobs.map(({ mob, at, uuid }) => ({ kind: mob, at, there: uuid !== 'dead' && uuid !== null }))]
}

const blockIs = (bot, block, [x, y, z]) => bot.blockAt(bot.entity.position.clone().set(x, y, z))?.name === block

function furnaceOf ({ Items, BurnTime, CookTime }) {
  const items = itemsIn(Items)
  const slot = number => { const item = items.find(each => each.slot === number); return item ? [item.name, item.count] : null }
  return { input: slot(0), fuel: slot(1), output: slot(2), burning: ticks(BurnTime), progress: ticks(CookTime) }
}

const ticks = value => Number.isInteger(value) ? value : 0

/** Players inside the area that are none of ours, by name: where they are, and what they carry. */
async function personsIn (crew, ground) {
  const first = crew.first
  const seen = name => crew.all().map(bot => bot.players[name]?.entity).find(entity => entity)
  const there = Object.keys(first.players)
    .map(name => ({ name, entity: crew.owns(name) ? null : seen(name) }))
    .filter(({ entity }) => entity && ground.inside(entity.position.toArray()))
    .slice(0, MOST_PERSONS)
  const told = await Promise.all(there.map(async ({ name, entity }) => [oneLine(name).slice(0, LONGEST_NAME), {
    at: rounded(entity.position),
    inventory: NAME.test(name) ? await carriedBy(first, name) : null
  }]))
  return Object.fromEntries(told)
}

async function carriedBy (bot, name) {
  const slots = await ask(bot, `/data get entity ${name} Inventory`, `${name} has the following entity data:`)
  return slots && counted(itemsIn(slots))
}

async function heldBy (bot, ground, name) {
  const at = ground.blocks.find(each => each.block === name)?.at ?? ground.blocksFor(bot, name)[0]?.toArray()
  return at ? ask(bot, `/data get block ${at.join(' ')}`, `${at.join(', ')} has the following block data:`) : null
}

/** The data with which the server answers a command in a line that begins so; null where it does not. */
async function ask (bot, command, begins) {
  const over = new AbortController()
  let hear
  const heard = new Promise(resolve => { hear = text => { if (text.startsWith(begins)) resolve(readSnbt(text.slice(begins.length)) ?? null) } })
  bot.on('messagestr', hear)
  bot.chat(command)
  const late = answered(bot, () => false, ANSWER_TICKS, over.signal)
  try {
    return await Promise.race([heard, late.then(() => null)])
  } finally {
    late.catch(() => {})
    over.abort('over')
    bot.removeListener('messagestr', hear)
  }
}
