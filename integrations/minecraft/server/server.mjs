// A Minecraft server for tests, in memory and offline: flying-squid, a flat world, and our plugins.
//
//     cd FOLDER-WITH-node_modules && node .../server.mjs '{"port": 25565}'
//
// Prints one line when it listens, {"ready": PORT}. Orders come as JSON lines to stdin, answers go to stdout in
// the same form; when stdin ends, the server does. What flying-squid itself prints goes to stderr.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Console } from 'node:console'

const require = createRequire(process.cwd() + '/')
const options = JSON.parse(process.argv[2] ?? '{}')
const [input, output] = [process.stdin, process.stdout]
const say = message => output.write(JSON.stringify(message) + '\n')

// flying-squid reads stdin for commands and writes a prompt to stdout; both are ours.
Object.defineProperty(process, 'stdin', { value: new PassThrough() })
Object.defineProperty(process, 'stdout', { value: process.stderr })
globalThis.console = new Console(process.stderr)

const PLUGINS = ['ticks', 'windows', 'furnaces', 'items', 'mobs', 'teleports', 'commands', 'told']

const server = require('flying-squid').createMCServer({
  motd: 'backburner test server',
  host: '127.0.0.1',
  port: options.port ?? 0,
  version: options.version ?? '1.16.5',
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
}).on('close', () => process.exit(0))
