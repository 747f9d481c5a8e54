// Data of blocks and entities as a server writes it in the chat: {Slot: 0b, id: "minecraft:chest", tag: {...}}.

const SPACE = /\s*/y
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/y
const WORD = /[^\s,:;{}[\]"']+/y
const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[bBsSlLfFdD]?$/
const DEEPEST = 64

/** The value of a text, or undefined where it is none: objects, arrays, numbers without their kind, texts. */
export function readSnbt (text) {
  let at = 0

  function take (pattern) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }

  function sign (wanted) {
    take(SPACE)
    if (text[at] !== wanted) return false
    at++
    return true
  }

  function expect (wanted) {
    if (!sign(wanted)) throw new SyntaxError(`no ${wanted} at ${at}`)
  }

  function word () {
    take(SPACE)
    const quoted = take(QUOTED)
    if (quoted) return { text: (quoted[1] ?? quoted[2]).replace(/\\(.)/g, '$1'), quoted: true }
    const bare = take(WORD)
    if (!bare) throw new SyntaxError(`nothing to read at ${at}`)
    return { text: bare[0], quoted: false }
  }

  function several (end, one) {
    if (sign(end)) return
    do one(); while (sign(','))
    expect(end)
  }

  function value (depth) {
    if (depth > DEEPEST) throw new SyntaxError('too deep')
    if (sign('{')) {
      const found = new Map()
      several('}', () => { const key = word().text; expect(':'); found.set(key, value(depth + 1)) })
      return Object.fromEntries(found)
    }
    if (sign('[')) {
      const found = []
      if (/^\s*[BIL]\s*;/.test(text.slice(at, at + 8))) at = text.indexOf(';', at) + 1
      several(']', () => found.push(value(depth + 1)))
      return found
    }
    const { text: said, quoted } = word()
    return !quoted && NUMBER.test(said) ? parseFloat(said) : said
  }

  try {
    const found = value(0)
    take(SPACE)
    return at === text.length ? found : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The items of a list of slots: name, count, slot; what is no item is left out. */
export function itemsIn (slots) {
  if (!Array.isArray(slots)) return []
  return slots.flatMap(slot => {
    const name = typeof slot?.id === 'string' && slot.id.match(/^(?:minecraft:)?(\w{1,64})$/)?.[1]
    const count = slot?.Count ?? slot?.count
    return name && Number.isInteger(count) && count > 0 ? [{ name, count, slot: slot.Slot ?? null }] : []
  })
}
