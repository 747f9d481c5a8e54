// Ticks that are not lost: where the machine is late, those that are due are run one after another, and every
// client is told the world's age at each of them (a Java server tells it once a second, flying-squid never).
//
// On a clock that is told (told_clock.mjs) this server is who tells it: the next tick comes as soon as every player
// has answered the last one, and no sooner.

const TICK_MS = 50
const AT_ONCE = 40
const ALONE_MS = 5
const OURS = 0x7ac // the upper half of the number in a question that is about a tick

export function server (serv) {
  const clock = globalThis.toldClock
  const asked = new Set()

  function tick () {
    serv.tickCount++
    clock?.tell(serv.tickCount)
    serv.emit('tick', TICK_MS / 1000, serv.tickCount)
    const age = [Math.floor(serv.tickCount / 2 ** 32), serv.tickCount % 2 ** 32]
    serv._writeAll('update_time', { age, time: [0, 6000] })
  }

  function keepTime () {
    let due = Date.now()
    serv.tickInterval = setInterval(() => {
      const now = Date.now()
      if (now - due > AT_ONCE * TICK_MS) due = now - AT_ONCE * TICK_MS
      for (; due <= now; due += TICK_MS) tick()
    }, TICK_MS)
  }

  function next () {
    if (serv.frozen) return
    tick()
    for (const player of serv.players) {
      asked.add(player)
      player._client.write('keep_alive', { keepAliveId: [OURS, serv.tickCount % 2 ** 31] })
    }
    if (!asked.size) clock.soon(next, ALONE_MS)
  }

  function answered (player) {
    if (asked.delete(player) && !asked.size) setImmediate(next)
  }

  serv.once('asap', () => {
    serv.stopTickInterval()
    serv.doDaylightCycle = false
    clock ? next() : keepTime()
  })

  if (!clock) return
  serv.on('newPlayer', player => {
    player._client.on('keep_alive', ({ keepAliveId }) => { if (isOurs(keepAliveId)) answered(player) })
    player._client.on('end', () => answered(player))
  })
}

function isOurs (id) {
  return typeof id === 'bigint' ? id >> 32n === BigInt(OURS) : id[0] === OURS
}
