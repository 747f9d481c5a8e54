// Ticks that are not lost: where the machine is late, those that are due are run one after another, and every
// client is told the world's age at each of them (a Java server tells it once a second, flying-squid never).

const TICK_MS = 50
const AT_ONCE = 40

export function server (serv) {
  serv.once('asap', () => {
    serv.stopTickInterval()
    serv.doDaylightCycle = false
    let due = Date.now()
    serv.tickInterval = setInterval(() => {
      const now = Date.now()
      if (now - due > AT_ONCE * TICK_MS) due = now - AT_ONCE * TICK_MS
      for (; due <= now; due += TICK_MS) {
        serv.tickCount++
        serv.emit('tick', TICK_MS / 1000, serv.tickCount)
        const age = [Math.floor(serv.tickCount / 2 ** 32), serv.tickCount % 2 ** 32]
        serv._writeAll('update_time', { age, time: [0, 6000] })
      }
    }, TICK_MS)
  })
}
