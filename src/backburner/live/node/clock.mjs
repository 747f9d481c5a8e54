// Makes a process live faster: `node --import clock.mjs` with BACKBURNER_CLOCK=10 has ten of its seconds
// in one of ours. Timers, Date and performance.now agree with each other, so that libraries that wait 50 ms for
// a tick of the game keep their own arithmetic. Only for servers whose clock runs as fast; a real one has 1.

import { performance } from 'node:perf_hooks'

const factor = Number(process.env.BACKBURNER_CLOCK ?? 1)
if (!(factor >= 0.1 && factor <= 50)) throw new Error(`BACKBURNER_CLOCK is ${factor}, not between 0.1 and 50`)

if (factor !== 1) {
  const RealDate = Date
  const realNow = RealDate.now.bind(RealDate)
  const realPerformance = performance.now.bind(performance)
  const began = realNow()
  const beganPerformance = realPerformance()
  const now = () => Math.floor(began + (realNow() - began) * factor)

  globalThis.Date = class extends RealDate {
    constructor (...parts) {
      super(...(parts.length ? parts : [now()]))
    }

    static now () { return now() }
  }
  performance.now = () => beganPerformance + (realPerformance() - beganPerformance) * factor
  for (const name of ['setTimeout', 'setInterval']) {
    const real = globalThis[name]
    const scaled = (call, ms = 0, ...rest) => real(call, ms / factor, ...rest)
    globalThis[name] = Object.assign(scaled, real)
  }
}
