// How the ground looks from above: the top block of each column of the marked area and around it, and who is there.
//
// All of it is in the clients' own view of the world; nothing is asked of the server. Only what lies between a little
// below the area and its ceiling counts, so that what stands under a roof is seen.

import { Fault, oneLine, rounded } from './lines.mjs'
import { Vec3 } from './packages.mjs'

const MOST_COLUMNS = 4096
const MOST_BEINGS = 256
const DEEPEST = 16
const NOTHING = ''
const LIFELESS = new Set(['object', 'orb', 'projectile', 'global', 'other'])

export function survey (crew, ground, margin) {
  const frame = framed(ground.area, margin)
  return {
    tick: crew.first.ticks.now,
    server: oneLine(crew.first.game.serverBrand ?? ''),
    version: crew.first.version,
    from: frame.from,
    size: frame.size,
    floor: frame.floor,
    ...columns(crew.all(), frame),
    beings: beings(crew, frame)
  }
}

function framed (area, margin) {
  if (area === null) throw new Fault('bad-request', 'no area is marked; prepare one first')
  const [west, floor, north] = area.from
  const size = [area.to[0] - west + 1 + 2 * margin, area.to[2] - north + 1 + 2 * margin]
  if (size[0] * size[1] > MOST_COLUMNS) {
    throw new Fault('refused', `${size[0]} x ${size[1]} columns are more than the ${MOST_COLUMNS} of a survey; ask for less margin`)
  }
  return { from: [west - margin, north - margin], size, floor, top: area.to[1] }
}

/** Row by row from the north, each from the west: how many columns, which kind, its height above the floor. */
function columns (bots, { from, size, floor, top }) {
  const kinds = []
  const runs = []
  const names = new Map()
  for (let z = from[1]; z < from[1] + size[1]; z++) {
    for (let x = from[0]; x < from[0] + size[0]; x++) {
      const { name, y } = topBlock(bots, x, z, floor - DEEPEST, top, names)
      let kind = kinds.indexOf(name)
      if (kind < 0) kind = kinds.push(name) - 1
      const last = runs.at(-1)
      if (last && last[1] === kind && last[2] === y - floor) last[0]++
      else runs.push([1, kind, y - floor])
    }
  }
  return { kinds, runs }
}

function topBlock (bots, x, z, lowest, highest, names) {
  const bot = bots.find(each => each.world.getColumnAt(new Vec3(x, lowest, z)))
  if (!bot) return { name: NOTHING, y: lowest }
  const at = new Vec3(x, highest, z)
  for (; at.y >= Math.max(lowest, bot.game.minY ?? 0); at.y--) {
    const state = bot.world.getBlockStateId(at)
    if (!names.has(state)) names.set(state, nameOf(bot.blockAt(at, false)))
    if (names.get(state) !== NOTHING) return { name: names.get(state), y: at.y }
  }
  return { name: NOTHING, y: lowest }
}

/** The block's name, with `[lit=true]` where it burns; nothing where there is air. */
function nameOf (block) {
  if (!block || /^(cave_|void_)?air$/.test(block.name)) return NOTHING
  return String(block.getProperties().lit) === 'true' ? `${block.name}[lit=true]` : block.name
}

function beings (crew, { from, size }) {
  const known = new Map()
  for (const bot of crew.all()) {
    for (const entity of Object.values(bot.entities)) known.set(entity.uuid ?? `${bot.username} ${entity.id}`, entity)
  }
  for (const bot of crew.all()) known.set(bot.entity.uuid, bot.entity) // where it is, it knows best itself
  const within = ({ position: { x, z } }) => x >= from[0] && z >= from[1] && x < from[0] + size[0] && z < from[1] + size[1]
  const alive = entity => entity.position && entity.name && !LIFELESS.has(entity.type) && within(entity)
  const found = [...known.values()].filter(alive).map(entity => ({
    kind: oneLine(entity.name),
    name: entity.type === 'player' ? oneLine(entity.username) : '',
    bot: entity.type === 'player' && crew.owns(entity.username),
    at: rounded(entity.position)
  }))
  return found.sort((one, other) => order(one) - order(other)).slice(0, MOST_BEINGS)
}

/** Bots first, then persons, then mobs: of too many, mobs are left out. */
const order = being => being.bot ? 0 : being.name ? 1 : 2
