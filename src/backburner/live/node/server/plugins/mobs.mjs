// Mobs that stand where they were put, can be attacked until they are dead, and drop what the scenario says.
//
// A blow takes one of their health, and the next ten ticks' blows nothing. The dead lie for twenty ticks.

import { createRequire } from 'node:module'

const require = createRequire(process.cwd() + '/')
const { Vec3 } = require('vec3')

const HEALTH = { chicken: 4, sheep: 8, pig: 10, cow: 10 }
const UNHURT_TICKS = 10
const LYING_TICKS = 20
const DEAD = 3
const HURT = 2

export function server (serv) {
  serv.placeMob = (name, world, position, { tags = [], yaw = 0 } = {}) => {
    const { id } = serv.registry.entitiesByName[name]
    const mob = serv.spawnMob(id, world, position, { yaw: Math.floor(yaw * 256 / 360), velocity: new Vec3(0, 0, 0) })
    mob.size = null // what has no size is not moved by flying-squid's physics
    mob.tags = tags
    mob.health = HEALTH[name] ?? 10
    mob.hurt = -UNHURT_TICKS
    mob.takeDamage = () => hit(mob)
    return mob
  }

  // Heard before flying-squid's own blow, which comes a moment later and does not say whose it is.
  serv.on('newPlayer', player => player._client.on('use_entity', ({ mouse, target }) => {
    if (mouse === 1 && serv.entities[target]) serv.entities[target].attacker = player.id
  }))

  serv.removeMob = mob => serv.destroyEntity(mob)

  function hit (mob) {
    if (mob.health <= 0 || serv.tickCount - mob.hurt < UNHURT_TICKS) return
    mob.hurt = serv.tickCount
    mob.health--
    serv._writeAll('entity_status', { entityId: mob.id, entityStatus: mob.health > 0 ? HURT : DEAD })
    if (mob.health > 0) return
    mob.died = serv.tickCount
    for (const [item, count] of Object.entries(serv.dropsOf(mob.name))) {
      if (count > 0) serv.dropItem(item, count, mob.world, mob.position, mob.attacker)
    }
  }

  serv.on('tick', () => {
    for (const entity of Object.values(serv.entities)) {
      if (entity.died !== undefined && serv.tickCount - entity.died >= LYING_TICKS) serv.removeMob(entity)
    }
  })
}
