// What is there: bots, what is around them, the furnace, the chest, and what stands.
//
// What a chest or a furnace holds is asked with `/data get block`, which an operator may from anywhere; bots that may
// not see nothing of it, and the answer has null there.

import { answered } from './ticks.mjs'

const AROUND = 32
const ANSWER_TICKS = 60

export async function observe (crew, ground, kinds) {
  const first = crew.first
  const containers = await Promise.all(['furnace', 'chest'].map(name => ask(first, ground, name)))
  return {
    tick: first.ticks.now,
    bots: Object.fromEntries(crew.all().map(bot => [bot.username, seenBy(bot, ground, kinds)])),
    furnace: containers[0] && furnaceOf(containers[0]),
    chest: containers[1] && counted(containers[1].items),
    standing: standing(first, ground)
  }
}

function seenBy (bot, ground, kinds) {
  const here = bot.entity.position
  const { blocks, mobs } = Object.groupBy(kinds, kind => bot.registry.entitiesByName[kind] ? 'mobs' : 'blocks')
  return {
    at: here.toArray().map(n => Math.round(n * 100) / 100),
    inventory: counted(bot.inventory.items()),
    blocks: distances(blocks ?? [], kind => nearestBlock(bot, ground, kind)),
    mobs: distances(mobs ?? [], kind => nearestMob(bot, ground, kind))
  }
}

const distances = (kinds, of) => Object.fromEntries(kinds.map(kind => [kind, of(kind)]).filter(([, away]) => away !== null))

const cellsAway = (bot, position) => Math.round(bot.entity.position.floored().distanceTo(position.floored()) * 10) / 10

const least = list => list.length ? Math.min(...list) : null

function nearestBlock (bot, ground, kind) {
  const id = bot.registry.blocksByName[kind]?.id
  if (id === undefined) return null
  const found = bot.findBlocks({ matching: id, maxDistance: AROUND, count: 64 }).filter(at => ground.inside(at.toArray()))
  return least(found.map(at => cellsAway(bot, at)))
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

function counted (items) {
  const found = {}
  for (const { name, count } of items) found[name] = (found[name] ?? 0) + count
  return found
}

function furnaceOf ({ items, burning, progress }) {
  const slot = number => { const item = items.find(each => each.slot === number); return item ? [item.name, item.count] : null }
  return { input: slot(0), fuel: slot(1), output: slot(2), burning, progress }
}

async function ask (bot, ground, name) {
  const placed = ground.blocks.find(each => each.block === name)
  const at = placed?.at ?? bot.findBlocks({ matching: bot.registry.blocksByName[name].id, maxDistance: 48, count: 1 }).filter(p => ground.mayUse(p))[0]?.toArray()
  if (!at) return null
  const begins = `${at.join(', ')} has the following block data:`
  let told = null
  const hear = text => { if (text.startsWith(begins)) told = text }
  bot.on('messagestr', hear)
  bot.chat(`/data get block ${at.join(' ')}`)
  try {
    await answered(bot, () => told !== null, ANSWER_TICKS)
  } finally {
    bot.removeListener('messagestr', hear)
  }
  return told && readData(told)
}

/** The items, and the furnace's ticks, in what the server says of a block. */
export function readData (text) {
  const items = [...text.matchAll(/\{[^{}[\]]*\}/g)].flatMap(([part]) => {
    const name = part.match(/\bid: "minecraft:(\w+)"/)?.[1]
    const count = part.match(/\b[Cc]ount: (\d+)/)?.[1]
    const slot = part.match(/\bSlot: (\d+)b/)?.[1]
    return name && count && slot ? [{ name, count: Number(count), slot: Number(slot) }] : []
  })
  const number = key => Number(text.match(new RegExp(`\\b${key}: (\\d+)s?`))?.[1] ?? 0)
  return { items, burning: number('BurnTime'), progress: number('CookTime') }
}
