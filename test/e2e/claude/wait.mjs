/*
 * wait.mjs - waiting with a reason.
 *
 * Nothing in the harness sleeps for a guessed time where it can look for what
 * it waits for; each wait says in words what was missing when it gives up.
 */
export class Failure extends Error {}

export const sleep = ms => new Promise(done => setTimeout(done, ms))

export function check(condition, why) {
  if (!condition)
    throw new Failure(why)
}

/* E2E_TIMEOUT: seconds that one wait may take on a slow machine. */
export const PATIENCE_MS = Number(process.env.E2E_TIMEOUT ?? 20) * 1000

/* Poll until probe() gives something true, and return that. */
export async function until(probe, why, patience = PATIENCE_MS) {
  const end = Date.now() + patience
  for (;;) {
    const found = await probe()
    if (found)
      return found
    if (Date.now() > end)
      throw new Failure(why)
    await sleep(100)
  }
}
