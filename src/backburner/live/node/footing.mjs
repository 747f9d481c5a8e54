// Whether a farm can stand where it is to: on solid ground, and in nobody's walls. Nothing is asked of the server.

import { Fault, oneLine } from './lines.mjs'
import { Vec3 } from './packages.mjs'

const HIGHEST = 255
const PROTECTED = 16 // blocks around where players come in, unless server.properties says otherwise

const up = ([x, y, z], by) => [x, y + by, z]
const vec = at => new Vec3(...at)
export const isSolid = (bot, at) => bot.blockAt(vec(at))?.boundingBox === 'block'

const isWet = block => /water|lava|bubble_column|seagrass|kelp/.test(block.name) || String(block.getProperties().waterlogged) === 'true'

function isOpen (bot, at) {
  const block = bot.blockAt(vec(at))
  return block?.boundingBox === 'empty' && !isWet(block)
}

/** A fault where water or lava beside an area would flow onto its pad. */
export function checkDry (bot, { from, to }) {
  for (let y = from[1]; y <= to[1] + 1; y++) {
    for (let x = from[0] - 1; x <= to[0] + 1; x++) {
      for (let z = from[2] - 1; z <= to[2] + 1; z++) {
        if (y <= to[1] && x >= from[0] && x <= to[0] && z >= from[2] && z <= to[2]) continue
        const block = bot.blockAt(vec([x, y, z]))
        if (block && isWet(block)) throw new Fault('refused', `no pad can be built at the corner ${from.join(' ')}: ${block.name} at ${x} ${y} ${z} would flow onto it; name a dry place with corner=X,Y,Z`)
      }
    }
  }
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
  return 'name flat, open ground with corner=X,Y,Z, whose Y is the height of feet, or have a pad built there with pad=yes'
}

function heightOf (bot, x, z) {
  for (let y = HIGHEST; y > 0; y--) if (isSolid(bot, [x, y - 1, z])) return y
  return NaN
}

/** What a player should know before a farm is built: ground that is not flat, bots that play otherwise than people do. */
export function remarks (crew, { area: { from, to }, blocks, mobs, starts, pad }) {
  const bot = crew.first
  const feet = [...starts.values(), ...mobs.map(each => each.at)][0]?.[1]
  const notes = [...crew.all().flatMap(each => [...mode(each), ...rights(each, { from, to })]), ...dangers(bot)]
  if (feet === undefined || pad) return notes
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

const mode = ({ username, game: { gameMode } }) => gameMode === 'survival' ? []
  : [`${username} is in ${gameMode} mode, in which it digs and carries otherwise: /gamemode survival ${username}`]

/** A server tells nobody how far its spawn protection reaches, but everybody where players come in, and what they may. */
function rights ({ username, opLevel, spawnPoint, game }, { from, to }) {
  if (opLevel !== 0 || !spawnPoint || game.dimension !== 'overworld') return []
  const away = Math.max(...[0, 2].map(i => Math.max(from[i] - spawnPoint.toArray()[i], spawnPoint.toArray()[i] - to[i], 0)))
  if (away > PROTECTED) return []
  return [`${username} is no operator, and the farm is ${away} blocks from where players come in: within spawn-protection (usually ${PROTECTED}) it can dig and open nothing: /op ${username}`]
}

const dangers = ({ game: { difficulty } }) => difficulty === undefined || difficulty === 'peaceful' ? []
  : [`the difficulty is ${difficulty}: monsters come in the dark and hit bots: /difficulty peaceful`]
