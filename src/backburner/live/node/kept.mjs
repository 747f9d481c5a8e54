// A list of changes in a file: whole or not there, and on the disk before anything that it lists is done.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { Fault } from './lines.mjs'

export function keep (file, list) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.part`, JSON.stringify(list) + '\n', { flush: true })
    renameSync(`${file}.part`, file)
  } catch (error) {
    try { rmSync(`${file}.part`, { force: true }) } catch { /* it is no folder's file */ }
    throw new Fault('refused', `what is changed cannot be listed in ${file} (${error.code ?? error.message})`)
  }
}

export const forget = file => rmSync(file, { force: true })
