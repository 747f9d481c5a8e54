// The npm packages, taken from the folder that the worker is started in: they lie in a folder of the user's, these
// sources in the Python package.

import { createRequire } from 'node:module'

export const require = createRequire(process.cwd() + '/')

const packaged = name => require(`${name}/package.json`).version

/** What runs here, for `hello`. */
export const versions = () => ({
  node: process.versions.node,
  mineflayer: packaged('mineflayer'),
  pathfinder: packaged('mineflayer-pathfinder')
})

export const mineflayer = require('mineflayer')
export const { pathfinder, Movements, goals } = require('mineflayer-pathfinder')
export const protocol = require('minecraft-protocol')

const data = require('minecraft-data')

/** The number of the protocol that a version of the game speaks, or null where these packages do not know it. */
export const protocolOf = version => data(version)?.version.version ?? null

/** The newest version of the game that speaks a protocol, or null. */
export const versionOf = number => data.postNettyVersionsByProtocolVersion.pc[number]?.[0]?.minecraftVersion ?? null

/** Whether one version of the game is newer than another. */
export const newer = (one, other) => data(one).version['>'](data(other).version.minecraftVersion)
export const { Vec3 } = require('vec3')
