// Our own Minecraft server, in memory and offline, for demos and tests: flying-squid, a flat world, and our plugins.
//
//     cd FOLDER-WITH-node_modules && node .../server.mjs '{"port": 25565, "version": "1.16.5"}'
//
// Prints one line when it listens, {"ready": PORT}. Orders come as JSON lines to stdin, answers go to stdout in
// the same form. When stdin ends, whoever leads this process is gone: bots may put back what is theirs, then the server
// ends, and removes the `folder` that it was told. What flying-squid itself prints goes to stderr.

import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Console } from 'node:console'
import { setTimeout as setRealTimeout } from 'node:timers' // not as a clock of ours has it, which may be faster

const require = createRequire(process.cwd() + '/')
const options = JSON.parse(process.argv[2] ?? '{}')
const [input, output] = [process.stdin, process.stdout]
const say = message => output.write(JSON.stringify(message) + '\n')

// flying-squid reads stdin for commands and writes a prompt to stdout; both are ours.
Object.defineProperty(process, 'stdin', { value: new PassThrough() })
Object.defineProperty(process, 'stdout', { value: process.stderr })
globalThis.console = new Console(process.stderr)

const [LEAVING_MS, LOOK_MS] = [5_000, 50]
const data = require('minecraft-data')(options.version)?.version
const [OLDEST, NEWEST] = ['1.14', '1.16.5'] // it has no drops before, and no mobs after
if (!data || data['<'](OLDEST) || data['>'](NEWEST)) {
  say({ error: `it plays Minecraft ${OLDEST} to ${NEWEST}, not ${options.version}` })
  process.exit(1)
}

const PLUGINS = ['ticks', 'windows', 'furnaces', 'items', 'mobs', 'teleports', 'commands', 'told']

const server = require('flying-squid').createMCServer({
  motd: "backburner's own server",
  host: '127.0.0.1',
  port: options.port ?? 0,
  version: options.version,
  'max-players': 20,
  'max-entities': 500,
  'online-mode': false,
  'everybody-op': false,
  'view-distance': 4,
  gameMode: 0,
  difficulty: 0,
  logging: false,
  noConsoleOutput: !options.verbose,
  worldFolder: undefined,
  modpe: false,
  kickTimeout: 600_000,
  'player-list-text': { header: { text: '' }, footer: { text: '' } },
  generation: { name: 'superflat', options: { seed: 1 } },
  plugins: Object.fromEntries(PLUGINS.map(name => [fileURLToPath(new URL(`./plugins/${name}.mjs`, import.meta.url)), {}]))
})

server.on('error', error => say({ error: error.message }))
server.on('ready', () => say({ ready: server.listeningPort }))

createInterface({ input }).on('line', async line => {
  try {
    say(await server.told(JSON.parse(line)))
  } catch (error) {
    say({ error: error.message })
  }
}).on('close', () => end(LEAVING_MS))

/** As soon as nobody is here any more, or so many milliseconds have passed. */
function end (left) {
  if (server.players?.length && left > 0) return setRealTimeout(end, LOOK_MS, left - LOOK_MS)
  if (options.folder) rmSync(options.folder, { recursive: true, force: true })
  process.exit(0)
}
