// The npm packages, taken from the folder that the worker is started in: they lie in a folder of the user's, these
// sources in the Python package.

import { createRequire } from 'node:module'

export const require = createRequire(process.cwd() + '/')

const versionOf = name => require(`${name}/package.json`).version

/** What runs here, for `hello`. */
export const versions = () => ({
  node: process.versions.node,
  mineflayer: versionOf('mineflayer'),
  pathfinder: versionOf('mineflayer-pathfinder')
})

export const mineflayer = require('mineflayer')
export const { pathfinder, Movements, goals } = require('mineflayer-pathfinder')
export const protocol = require('minecraft-protocol')

/** The number of the protocol that a version of the game speaks, or null where these packages do not know it. */
export const protocolOf = version => require('minecraft-data')(version)?.version.version ?? null
export const { Vec3 } = require('vec3')
