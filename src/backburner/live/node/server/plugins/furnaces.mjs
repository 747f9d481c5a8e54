// Furnaces that smelt, tick by tick, by the rules of the game: 200 ticks an item; a fuel is taken when nothing
// burns and there is something to smelt; progress falls back by two a tick when the fire is out.

import { createRequire } from 'node:module'

const require = createRequire(process.cwd() + '/')
const SMELTING_TICKS = 200
const FUEL_TICKS = { coal: 1600, charcoal: 1600, coal_block: 16000, stick: 100 }
const WOOD = { _log: 300, _wood: 300, _planks: 300, _slab: 150 }
const [INPUT, FUEL, OUTPUT] = [0, 1, 2]

/** How long an item burns, 0 for what is no fuel. */
export function fuelTicks (name) {
  const ending = Object.keys(WOOD).find(end => name.endsWith(end))
  return FUEL_TICKS[name] ?? (ending ? WOOD[ending] : 0)
}

export function server (serv) {
  const Item = require('prismarine-item')(serv.registry)
  const Block = require('prismarine-block')(serv.registry)

  const cooked = item => serv.registry.itemsByName[`cooked_${item.name}`]

  function fits (container) {
    const [input, , output] = container.slots
    const result = input && cooked(input)
    return Boolean(result) && (!output || (output.type === result.id && output.count < output.stackSize))
  }

  function take (container, slot) {
    const item = container.slots[slot]
    if (--item.count === 0) container.slots[slot] = null
    return slot
  }

  function smelt (container) {
    const result = cooked(container.slots[INPUT])
    const output = container.slots[OUTPUT]
    if (output) output.count++
    else container.slots[OUTPUT] = new Item(result.id, 1)
    return [take(container, INPUT), OUTPUT]
  }

  function work (container) {
    const fire = container.fire
    const changed = []
    if (fire.burning > 0) fire.burning--
    if (fire.burning === 0 && fits(container) && container.slots[FUEL]) {
      const ticks = fuelTicks(container.slots[FUEL].name)
      if (ticks) {
        fire.burning = fire.total = ticks
        changed.push(take(container, FUEL))
      }
    }
    if (fire.burning > 0) {
      fire.progress = fits(container) ? fire.progress + 1 : 0
      if (fire.progress === SMELTING_TICKS) {
        fire.progress = 0
        changed.push(...smelt(container))
      }
    } else if (fire.progress > 0) fire.progress = Math.max(0, fire.progress - 2)
    if (changed.length) serv.showSlots(container, changed)
  }

  function light (container) {
    container.fire = { burning: 0, total: 0, progress: 0, input: container.slots[INPUT]?.name }
    container.progress = player => {
      const { burning, total, progress } = container.fire
      for (const [property, value] of [[1, total], [3, SMELTING_TICKS], [0, burning], [2, progress]]) {
        player._client.write('craft_progress_bar', { windowId: player.opened.id, property, value })
      }
    }
  }

  /** The block looks as its fire is; what it holds stays. */
  async function shine (container) {
    const lit = container.fire.burning > 0
    if (lit === Boolean(container.lit)) return
    container.lit = lit
    const block = await serv.overworld.getBlock(container.position)
    if (block?.name !== 'furnace') return
    const state = Block.fromProperties(block.type, { ...block.getProperties(), lit }, 1).stateId
    await serv.setBlock(serv.overworld, container.position, state)
  }

  // Another item in the input begins anew; one more of the same does not.
  serv.on('containerChanged', container => {
    const { fire, slots } = container
    if (!fire || fire.input === slots[INPUT]?.name) return
    Object.assign(fire, { progress: 0, input: slots[INPUT]?.name })
  })

  serv.on('tick', () => {
    for (const container of serv.containers.values()) {
      if (container.kind !== 'furnace') continue
      if (!container.fire) light(container)
      const before = JSON.stringify(container.fire)
      work(container)
      shine(container)
      if (before === JSON.stringify(container.fire)) continue
      for (const player of serv.players) if (player.opened?.container === container) container.progress(player)
    }
  })
}
