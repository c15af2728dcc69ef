#!/usr/bin/env node
// A bot for the hanafuda arena in JavaScript: Node.js 18 or newer, no packages. Make `choose` better!
'use strict'
const { run } = require('./arena.js')

// Takes cards where it can, and stops as soon as it has something.
function choose(decision) {
  const worth = ({ text }) => (text.includes('*') ? 2 : text === 'stop' || text.startsWith('declare') ? 3 : 1)
  return decision.legal.reduce((best, action) => (worth(action) > worth(best) ? action : best))
}

run({ choose, variants: [], maxMatches: 4 })
