// Whether a farm can stand where it is to: on solid ground, and in nobody's walls. Nothing is asked of the server.

import { Fault, oneLine } from './lines.mjs'
import { Vec3 } from './packages.mjs'

const HIGHEST = 255

const up = ([x, y, z], by) => [x, y + by, z]
const vec = at => new Vec3(...at)
const isSolid = (bot, at) => bot.blockAt(vec(at))?.boundingBox === 'block'

function isOpen (bot, at) {
  const block = bot.blockAt(vec(at))
  return block?.boundingBox === 'empty' && !/water|lava/.test(block.name)
}

/** A fault that says what is wrong with the ground, and what to do, where bots would fall, or things stand in the earth. */
export function checkFooting (bot, { area, blocks, mobs, starts }) {
  const placed = new Map(blocks.map(({ block, at }) => [String(at), block]))
  const things = blocks.filter(({ block }) => block !== 'air').map(each => each.at)
  const bodies = [...mobs.map(each => each.at), ...starts.values()]
  const all = [...things, ...bodies]
  const hangs = all.filter(at => !isSolid(bot, up(at, -1)) && !placed.has(String(up(at, -1))))
  const isIn = at => !isOpen(bot, at) && bot.blockAt(vec(at))?.name !== placed.get(String(at))
  const sunk = [...things.filter(isIn), ...bodies.filter(at => isIn(at) || isIn(up(at, 1)))]
  const why = hangs.length ? told(bot, 'have no ground below them, so that bots would fall', hangs, all, -1)
    : sunk.length ? told(bot, 'are not free', sunk, all, isOpen(bot, sunk[0]) ? 1 : 0) : null
  if (why) throw new Fault('refused', oneLine(`the farm cannot stand at the corner ${area.from.join(' ')}: ${why}; ${advice(bot, area, all)}`))
}

function told (bot, what, bad, all, by) {
  const at = up(bad[0], by)
  return `${bad.length} of its ${all.length} places ${what} (${bot.blockAt(vec(at))?.name ?? 'nothing seen'} at ${at.join(' ')})`
}

/** Where it could stand: as much higher or lower as the ground is, if that is the same for all of it. */
function advice (bot, area, all) {
  const shifts = new Set(all.map(([x, y, z]) => heightOf(bot, x, z) - y))
  const [shift] = shifts
  if (shifts.size === 1 && Number.isFinite(shift) && shift !== 0) return `the ground there is flat, for corner=${up(area.from, shift).join(',')}`
  return 'name flat, open ground with corner=X,Y,Z, whose Y is the height of feet'
}

function heightOf (bot, x, z) {
  for (let y = HIGHEST; y > 0; y--) if (isSolid(bot, [x, y - 1, z])) return y
  return NaN
}

/** What a player should know before a farm is built: ground that is not flat, bots that play otherwise than people do. */
export function remarks (crew, { area: { from, to }, blocks, mobs, starts }) {
  const bot = crew.first
  const feet = [...starts.values(), ...mobs.map(each => each.at)][0]?.[1]
  const ways = crew.all().filter(each => each.game.gameMode !== 'survival')
  const notes = ways.map(({ username, game }) => `${username} is in ${game.gameMode} mode, in which it digs and carries otherwise: /gamemode survival ${username}`)
  if (feet === undefined) return notes
  let [uneven, all] = [0, 0]
  for (let x = from[0]; x <= to[0]; x++) {
    for (let z = from[2]; z <= to[2]; z++) {
      const at = [x, feet, z]
      const isOurs = blocks.some(each => each.at[0] === x && each.at[2] === z)
      all++
      if (!isOurs && !(isSolid(bot, up(at, -1)) && isOpen(bot, at) && isOpen(bot, up(at, 1)))) uneven++
    }
  }
  if (uneven) notes.push(`${uneven} of the ${all} columns of the area are not flat and open, as the game as text is: bots may find no way`)
  return notes
}
