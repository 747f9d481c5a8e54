// What lies on the ground: stacks that stay where they were dropped, can be picked up after ten ticks by whoever
// stands at them, and are gone after five minutes. For ten seconds they are for whoever dug or killed (the game
// knows such an owner, though only commands give one): bots that stand side by side get what is theirs.

import { createRequire } from 'node:module'

const require = createRequire(process.cwd() + '/')
const UUID = require('uuid-1345')
const { Vec3 } = require('vec3')

const PICKUP_TICKS = 10
const OWNED_TICKS = 200
const GONE_TICKS = 6000
const WIDE = 0.3 + 1 + 0.125 // half a player, the reach of the pick-up, half an item
const DOWN = 0.5 + 0.25
const UP = 1.8 + 0.5

export function server (serv) {
  const Item = require('prismarine-item')(serv.registry)
  const kind = serv.registry.entitiesByName.item
  const lying = new Set()

  serv.dropItem = (name, count, world, position, owner = null) => {
    const { id } = serv.registry.itemsByName[name]
    const entity = serv.initEntity('object', kind.id, world, position)
    const uuid = UUID.v4()
    const stack = { key: 7, type: 6, value: Item.toNotch(new Item(id, count)) }
    Object.assign(entity, { uuid, name: 'item', data: 1, velocity: new Vec3(0, 0, 0), pitch: 0, yaw: 0 })
    Object.assign(entity, { metadata: [stack], stack: new Item(id, count), dropped: serv.tickCount, owner })
    entity.updateAndSpawn()
    entity.sendMetadata(entity.metadata)
    lying.add(entity)
    return entity
  }

  serv.removeItem = entity => {
    lying.delete(entity)
    serv.destroyEntity(entity)
  }

  serv.on('tick', () => {
    for (const entity of lying) {
      const age = serv.tickCount - entity.dropped
      if (age > GONE_TICKS) serv.removeItem(entity)
      else if (age >= PICKUP_TICKS) serv.players.some(player => mayTake(player, entity, age) && pickUp(player, entity))
    }
  })

  function mayTake (player, entity, age) {
    return (entity.owner === null || entity.owner === player.id || age > OWNED_TICKS) && touches(player, entity)
  }

  function touches (player, entity) {
    const d = entity.position.minus(player.position)
    return Math.abs(d.x) <= WIDE && Math.abs(d.z) <= WIDE && d.y >= -DOWN && d.y <= UP && player.world === entity.world
  }

  function pickUp (player, entity) {
    const taken = player.receive(entity.stack)
    if (taken === 0) return false
    const packet = { collectedEntityId: entity.id, collectorEntityId: player.id, pickupItemCount: taken }
    serv._writeAll('collect', packet)
    serv.removeItem(entity)
    return true
  }

  serv.on('newPlayer', player => {
    /** Put a stack into the inventory: onto its like, then into the first free slot. How many found room: all or none. */
    player.receive = stack => {
      const order = [...Array(9).keys()].map(i => 36 + i).concat([...Array(27).keys()].map(i => 9 + i))
      const { slots } = player.inventory
      const like = order.find(slot => slots[slot]?.type === stack.type && slots[slot].count + stack.count <= slots[slot].stackSize)
      const slot = like ?? order.find(slot => !slots[slot])
      if (slot === undefined) return 0
      const count = (slots[slot]?.count ?? 0) + stack.count
      player.inventory.updateSlot(slot, new Item(stack.type, count))
      const { opened } = player
      if (opened) player.sendSlot(opened.id, slot - 9 + opened.container.slots.length, slots[slot])
      return stack.count
    }

    player.on('dug', data => {
      data.dropBlock = false // flying-squid's own drops fly off at random and are never picked up
      serv.containers.delete(data.position.floored().toString())
      const loot = serv.registry.blockLoot?.[data.block.name]?.drops.filter(drop => !drop.silkTouch) ?? []
      for (const drop of loot) serv.dropItem(drop.item, 1, player.world, data.position.offset(0.5, 0, 0.5), player.id)
    })
  })
}
