// What a test tells the server over stdin, and what it may ask: the truth, beside what bots see.
//
//   {"do": "begin", "operators": ["alex"], "drops": {"sheep": [{"mutton": 2, "white_wool": 1}, ...]}}
//       nothing lies or stands about any more, rules are the usual ones; who may command; what the n-th sheep killed from now on drops
//   {"do": "look"}                     chests, furnaces, blocks that were set, mobs, players as they are
//   {"do": "kick", "name": "alex"}     {"do": "give", "name": "alex", "item": "chicken", "count": 1}
//   {"do": "take", "kind": "chest", "item": "cooked_chicken"}: somebody takes all of it out of every chest
//   {"do": "put", "name": "alex", "at": [0.5, 5, 0.5]}: players come in at a random place of 30 x 30 blocks
//   {"do": "may", "name": "alex", "level": 0}: it is told that it is no operator
//   {"do": "say", "text": "..."}       {"do": "freeze"}: no more answers, as of a server that hangs

import { createRequire } from 'node:module'

const require = createRequire(process.cwd() + '/')
const { Vec3 } = require('vec3')
const BRAND = `flying-squid ${require('flying-squid/package.json').version}, backburner's test server`

export function server (serv) {
  const Item = require('prismarine-item')(serv.registry)
  let lists = {}
  let operators = []

  /** What the next mob of a kind drops; when its list is at an end, the list begins again. */
  serv.dropsOf = name => {
    const list = lists[name]
    if (!list?.length) return {}
    list.push(list[0])
    return list.shift()
  }

  serv.on('newPlayer', player => player.once('connected', () => { player.op = operators.includes(player.username) }))

  // No spawn is protected here: everybody is told that nothing is forbidden, where flying-squid says the contrary.
  const may = (player, level) => player._client.write('entity_status', { entityId: player.id, entityStatus: 24 + level })
  serv.on('newPlayer', player => player.on('spawned', () => may(player, 4)))

  // flying-squid names itself on a channel that no client of this version listens to.
  serv.on('newPlayer', player => player.on('spawned', () => player._client.write('custom_payload', {
    channel: 'minecraft:brand', data: Buffer.from([BRAND.length, ...Buffer.from(BRAND)])
  })))

  const counted = slots => {
    const found = {}
    for (const item of slots) if (item) found[item.name] = (found[item.name] ?? 0) + item.count
    return found
  }

  const orders = {
    begin: async order => {
      lists = structuredClone(order.drops)
      operators = order.operators
      serv.containers.clear()
      await serv.bareGround()
      serv.usualRules()
      for (const player of serv.players) player.op = operators.includes(player.username)
      for (const entity of Object.values(serv.entities)) {
        if (entity.stack) serv.removeItem(entity)
        else if (entity.type === 'mob') serv.removeMob(entity)
      }
    },
    kick: order => { serv.getPlayer(order.name).kick(order.reason ?? 'You were kicked!') },
    give: order => {
      serv.getPlayer(order.name).receive(new Item(serv.registry.itemsByName[order.item].id, order.count ?? 1))
    },
    put: async order => { await serv.getPlayer(order.name).put(new Vec3(...order.at)) },
    may: order => { may(serv.getPlayer(order.name), order.level) },
    take: order => {
      let taken = 0
      for (const { kind, slots } of serv.containers.values()) {
        slots.forEach((item, slot) => {
          if (kind !== order.kind || item?.name !== order.item) return
          taken += item.count
          slots[slot] = null
        })
      }
      return { taken }
    },
    say: order => { serv.broadcast(order.text) },
    freeze: () => { serv.frozen = true; serv.stopTickInterval() },
    look: () => ({
      tick: serv.tickCount,
      containers: [...serv.containers.values()].map(({ kind, position, slots, fire }) => ({ kind, at: position.toArray(), items: counted(slots), fire })),
      blocks: serv.blocksSet(),
      mobs: Object.values(serv.entities).filter(e => e.type === 'mob').map(e => ({ name: e.name, at: e.position.toArray(), health: e.health })),
      items: Object.values(serv.entities).filter(e => e.stack).map(e => ({ name: e.stack.name, count: e.stack.count, at: e.position.toArray() })),
      players: Object.fromEntries(serv.players.map(p => [p.username, { at: p.position.toArray(), items: counted(p.inventory.slots) }]))
    })
  }

  serv.told = async order => {
    const carry = orders[order.do]
    if (!carry) throw new Error(`no such order: ${order.do}; there are ${Object.keys(orders).join(', ')}`)
    return { ok: true, ...(await carry(order)) }
  }
}
