import { type Profiler } from 'node:inspector';

const SHOWN = 25;

/** The functions a profile spent most of its own time in, the largest first, each as `share  name  file:line`. */
export function hotFunctions({ nodes, samples = [] }: Profiler.Profile): string[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const counts = new Map<string, number>();
  let busy = 0;
  for (const id of samples) {
    const frame = frames.get(id);
    if (!frame || frame.functionName === '(idle)') continue;
    busy++;
    const { functionName, url, lineNumber } = frame;
    const place = `${functionName || '(anonymous)'}  ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([place, count]) => `${((100 * count) / busy).toFixed(1).padStart(5)} %  ${place}`);
}
