import { setImmediate, setTimeout } from 'node:timers/promises';

const SLICES = 20;

/**
 * Whether `event`, which this process brings about itself, comes within `ms` of the time that the machine lets this process run.
 *
 * Time is counted in slices, and each may last as long as it likes: a machine that is busy elsewhere does not make an event late.
 */
export async function comesWithin(ms: number, event: Promise<unknown>): Promise<boolean> {
  const come = event.then(() => true);
  for (let slice = 0; slice < SLICES; slice++) {
    if (await Promise.race([come, pass(ms / SLICES)])) return true;
  }
  return false;
}

async function pass(ms: number): Promise<false> {
  await setTimeout(ms);
  // What has arrived meanwhile is looked at before the next slice.
  await setImmediate();
  return false;
}
