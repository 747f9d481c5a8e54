// The operator's commands that a Java server has and flying-squid has not, or has differently: those that our
// worker uses, in the form that it uses them, answered in a Java server's English.

import { createRequire } from 'node:module'

const require = createRequire(process.cwd() + '/')
const { Vec3 } = require('vec3')

const NUMBER = '(-?\\d+(?:\\.\\d+)?)'
const PLACE = `${NUMBER} ${NUMBER} ${NUMBER}`
const BLOCK = /^(?:minecraft:)?(\w+)(?:\[(.*)\])?$/
const TAG = /^@e\[tag=(\w+)\]$/

function readProperties (text) {
  const pairs = text ? text.split(',').map(pair => pair.split('=')) : []
  return Object.fromEntries(pairs.map(([key, value]) => [key, { true: true, false: false }[value] ?? value]))
}

export function server (serv) {
  const Block = require('prismarine-block')(serv.registry)
  const USUAL = { doMobSpawning: 'true', doDaylightCycle: 'false', doMobLoot: 'true' }
  const rules = { ...USUAL }
  serv.usualRules = () => { Object.assign(rules, USUAL) }
  const listed = slots => {
    const items = slots.flatMap((item, slot) => item ? [`{Slot: ${slot}b, id: "minecraft:${item.name}", Count: ${item.count}b}`] : [])
    return `[${items.join(', ')}]`
  }
  const place = (x, y, z) => new Vec3(Number(x), Number(y), Number(z))

  // What stood where blocks were set: a test that may not put its farm back leaves nothing in the way of the next,
  // whose players come in anywhere.
  const stood = new Map()
  serv.blocksSet = () => [...stood.values()].map(({ at }) => at.toArray())
  serv.bareGround = async () => {
    for (const { world, at, state } of stood.values()) await serv.setBlock(world, at, state)
    stood.clear()
  }
  const numbers = text => text.match(new RegExp(`^${PLACE}(?: (.*))?$`))

  // A Java server counts the nine slots at hand from 0, those above them from 9; a window has them last.
  const inventoryOf = name => {
    const player = serv.getPlayer(name)
    if (!player) return 'No entity was found'
    const slots = player.inventory.slots
    return `${name} has the following entity data: ${listed([...slots.slice(36, 45), ...slots.slice(9, 36)])}`
  }

  const add = (base, action) => serv.commands.add({
    base,
    op: true,
    onlyPlayer: true,
    action: async (text, { player }) => {
      const answer = await action(text, player)
      player.chat({ text: answer ?? 'Unknown or incomplete command, see below for error' })
    }
  })

  serv.once('asap', () => {
    add('setblock', async (text, player) => {
      const [, x, y, z, what] = numbers(text) ?? []
      const [, name, properties] = what?.match(BLOCK) ?? []
      const kind = serv.registry.blocksByName[name]
      if (!kind) return null
      const usual = Block.fromStateId(kind.defaultState, 1).getProperties()
      const state = Block.fromProperties(kind.id, { ...usual, ...readProperties(properties) }, 1).stateId
      const at = place(x, y, z)
      const before = await player.world.getBlockStateId(at)
      if (before === state) return 'Could not set the block'
      const spot = at.floored().toString()
      if (!stood.has(spot)) stood.set(spot, { world: player.world, at, state: before })
      else if (stood.get(spot).state === state) stood.delete(spot)
      serv.containers.delete(spot)
      await serv.setBlock(player.world, at, state)
      return `Changed the block at ${x}, ${y}, ${z}`
    })

    add('summon', async (text, player) => {
      const [, name, rest] = text.match(/^(?:minecraft:)?(\w+) (.*)$/) ?? []
      const [, x, y, z, nbt] = numbers(rest ?? '') ?? []
      if (serv.registry.entitiesByName[name]?.type === undefined || x === undefined) return null
      const tags = nbt?.match(/Tags:\[([^\]]*)\]/)?.[1].match(/\w+/g) ?? []
      serv.placeMob(name, player.world, place(x, y, z), { tags })
      return `Summoned new ${serv.registry.entitiesByName[name].displayName}`
    })

    add('kill', async text => {
      const [, tag] = text.match(TAG) ?? []
      const found = Object.values(serv.entities).filter(entity => entity.tags?.includes(tag))
      found.forEach(serv.removeMob)
      return found.length ? `Killed ${found.length} entities` : 'No entity was found'
    })

    // Before our worker removes its mobs it takes their loot away; here nothing is dropped anyhow.
    add('execute', async text => /^as @e\[tag=\w+\] run data merge entity @s \{/.test(text) ? 'Modified entity data' : null)

    for (const base of ['tp', 'teleport']) {
      add(base, async text => {
        const [, name, where] = text.match(/^(\w+) (.*)$/) ?? []
        const [, x, y, z] = numbers(where ?? '') ?? []
        const target = serv.getPlayer(name)
        if (x === undefined) return null
        if (!target) return 'No entity was found'
        await target.put(place(x, y, z))
        return `Teleported ${name} to ${x}, ${y}, ${z}`
      })
    }

    add('gamerule', async text => {
      const [rule, value] = text.split(' ')
      if (!(rule in rules)) return null
      if (value === undefined) return `Gamerule ${rule} is currently set to: ${rules[rule]}`
      rules[rule] = value
      return `Gamerule ${rule} is now set to: ${value}`
    })

    add('clear', async text => {
      const [, name, item, most] = text.match(/^(\w+) minecraft:(\w+) (\d+)$/) ?? []
      const target = serv.getPlayer(name)
      if (!target) return null
      const removed = target.inventory.clear(serv.registry.itemsByName[item]?.id, Number(most))
      return removed ? `Removed ${removed} items from player ${name}` : `No items were found on player ${name}`
    })

    add('data', async (text, player) => {
      const [, person] = text.match(/^get entity (\w+) Inventory$/) ?? []
      if (person) return inventoryOf(person)
      const [, x, y, z] = text.match(new RegExp(`^get block ${PLACE}$`)) ?? []
      if (x === undefined) return null
      const at = place(x, y, z)
      const { name } = await player.world.getBlock(at)
      if (!['chest', 'furnace'].includes(name)) return 'The target block is not a block entity'
      const { slots, fire } = serv.containerAt(at, name)
      const burning = fire ? `BurnTime: ${fire.burning}s, CookTime: ${fire.progress}s, CookTimeTotal: 200s, ` : ''
      return `${x}, ${y}, ${z} has the following block data: {x: ${x}, y: ${y}, z: ${z}, ${burning}Items: ${listed(slots)}, id: "minecraft:${name}"}`
    })
  })
}
