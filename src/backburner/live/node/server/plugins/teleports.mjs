// Players that are put somewhere stay there. As on a Java server, what a client says of its old place before it knows
// does not count; and flying-squid's own reminder of where a player came in, which may come late, no longer does.

const FIRST = 1000 // flying-squid numbers all of its own with 1

export function server (serv) {
  let last = FIRST

  serv.on('newPlayer', player => {
    const client = player._client
    let awaited = null
    let wasPut = false
    for (const name of ['position', 'position_look']) {
      const handlers = client.listeners(name)
      client.removeAllListeners(name)
      client.on(name, packet => { if (awaited === null) handlers.forEach(handle => handle(packet)) })
    }
    client.on('teleport_confirm', ({ teleportId }) => { if (teleportId === awaited) awaited = null })

    const remind = player.sendSelfPosition
    player.sendSelfPosition = position => { if (position === undefined || !wasPut) remind(position) }

    player.put = async position => {
      const teleportId = awaited = ++last
      wasPut = true
      await player.teleport(position)
      const { yaw, pitch } = player
      client.write('position', { x: position.x, y: position.y, z: position.z, yaw, pitch, flags: 0, teleportId })
    }
  })
}
