// Chests and furnaces that can be opened: windows, clicks and their confirmation, as protocol 1.16.5 has them.
//
// What is in a block stands in one array of slots; what a player carries, in the player's own. A window is put
// together from both for one click, by the same library that clients use, and taken apart again, so that two
// players at one chest see one truth.

import { createRequire } from 'node:module'
import { fuelTicks } from './furnaces.mjs'

const require = createRequire(process.cwd() + '/')
const REACH = 8
const KINDS = { chest: 'minecraft:generic_9x3', furnace: 'minecraft:furnace' }
const SLOTS = { chest: 27, furnace: 3 }

export function server (serv) {
  const Item = require('prismarine-item')(serv.registry)
  const { createWindow, windows } = require('prismarine-windows')(serv.registry)
  serv.containers = new Map()

  /** The container at a block's place, made where there is none. */
  serv.containerAt = (position, kind) => {
    const key = position.floored().toString()
    const found = serv.containers.get(key)
    if (found?.kind === kind) return found
    const made = { kind, position: position.floored(), slots: new Array(SLOTS[kind]).fill(null), progress: null }
    serv.containers.set(key, made)
    return made
  }

  /** Tell everybody who looks into a container what is in these slots. */
  serv.showSlots = (container, slots, except = null) => {
    for (const player of serv.players) {
      if (player.opened?.container !== container || player === except) continue
      for (const slot of slots) player.sendSlot(player.opened.id, slot, container.slots[slot])
    }
  }

  // Of copies, which have the window's slots: what a refused click has done with them is nobody's.
  serv.windowFor = (player) => {
    const { id, container } = player.opened
    const window = createWindow(id, KINDS[container.kind], '')
    const slots = [...container.slots, ...player.inventory.slots.slice(9, 45)]
    slots.forEach((item, slot) => window.updateSlot(slot, copy(item)))
    window.selectedItem = copy(player.cursor)
    return window
  }

  const copy = item => item ? Item.fromNotch(Item.toNotch(item)) : null

  serv.once('asap', () => {
    for (const kind of Object.keys(KINDS)) {
      const handlers = serv.registry.blocksByName[kind]
      serv.onBlockInteraction(handlers.name, async ({ block, player }) => {
        if (player.position.distanceTo(block.position.offset(0.5, 0.5, 0.5)) > REACH) return true
        player.openContainer(serv.containerAt(block.position, kind), windows[KINDS[kind]].type)
        return true
      })
    }
  })

  serv.on('newPlayer', player => {
    player.cursor = null
    player.opened = null
    let lastId = 0
    player.sendSlot = (windowId, slot, item) => {
      player._client.write('set_slot', { windowId, slot, item: Item.toNotch(item) })
    }

    player.openContainer = (container, inventoryType) => {
      lastId = lastId % 100 + 1
      player.opened = { id: lastId, container }
      const windowTitle = JSON.stringify({ translate: `container.${container.kind}` })
      player._client.write('open_window', { windowId: lastId, inventoryType, windowTitle })
      const items = serv.windowFor(player).slots.map(item => Item.toNotch(item))
      player._client.write('window_items', { windowId: lastId, items })
      container.progress?.(player)
    }

    // flying-squid's own handlers know the player's inventory alone, and confirm nothing.
    for (const name of ['window_click', 'close_window']) player._client.removeAllListeners(name)
    player._client.on('close_window', () => player.closeContainer())
    player._client.on('window_click', click => clicked(player, click))

    player.closeContainer = () => {
      const held = player.cursor
      player.opened = null
      player.cursor = null
      if (held) player.receive(held)
    }
  })

  function clicked (player, { windowId, slot, mouseButton, mode, action }) {
    const opened = player.opened?.id === windowId
    let accepted = opened || windowId === 0
    try {
      if (accepted) opened ? clickOpened(player, slot, mouseButton, mode) : clickOwn(player, slot, mouseButton, mode)
    } catch (error) {
      accepted = false // an operation that the library does not know
    }
    player._client.write('transaction', { windowId, action, accepted })
    if (!accepted && opened) {
      const items = serv.windowFor(player).slots.map(item => Item.toNotch(item))
      player._client.write('window_items', { windowId, items })
    }
  }

  function clickOpened (player, slot, mouseButton, mode) {
    const { container } = player.opened
    const window = serv.windowFor(player)
    const size = container.slots.length
    const before = container.slots.map(summary)
    if (container.kind === 'furnace' && mode === 0 && player.cursor && !furnaceTakes(slot, player.cursor)) {
      throw new Error('the slot does not take it')
    }
    window.acceptClick({ slot, mouseButton, mode, item: slot === -999 ? null : window.slots[slot] })
    player.cursor = window.selectedItem
    for (let i = 0; i < size; i++) container.slots[i] = window.slots[i]
    for (let i = 0; i < 36; i++) {
      const item = window.slots[size + i]
      if (item) item.slot = 9 + i
      player.inventory.slots[9 + i] = item
    }
    const changed = before.flatMap((old, i) => old === summary(container.slots[i]) ? [] : [i])
    serv.showSlots(container, changed, player)
    if (changed.length) serv.emit('containerChanged', container, changed)
  }

  function clickOwn (player, slot, mouseButton, mode) {
    const { inventory } = player
    inventory.selectedItem = player.cursor
    inventory.acceptClick({ slot, mouseButton, mode, item: slot === -999 ? null : inventory.slots[slot] })
    player.cursor = inventory.selectedItem
  }
}

const furnaceTakes = (slot, item) => slot === 1 ? fuelTicks(item.name) > 0 : slot !== 2

const summary = item => item ? `${item.type}x${item.count}` : ''
