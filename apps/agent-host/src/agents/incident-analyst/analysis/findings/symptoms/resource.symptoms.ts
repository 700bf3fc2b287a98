import { type SymptomRule } from '../symptom-rule.js';

/** Something ran out: memory, disk, files, connections, quota. */
export const RESOURCE_SYMPTOMS: readonly SymptomRule[] = [
  {
    id: 'out-of-memory',
    kind: 'cause',
    weight: 82,
    pattern:
      /\bOOM[ -]?Kill(?:ed|ing|er)?\b|\bout of memory\b|\bOutOfMemoryError\b|\bheap out of memory\b|\bMemoryError\b|\boom-kill\b|\bcannot allocate memory\b|\bENOMEM\b|\bmemory cgroup out\b|\bexit code:? 137\b/i,
    subject: /Killed process \d{1,10} \(([\w.-]{1,60})\)/,
    title: 'Out of memory',
    means: 'A process needed more memory than it was allowed, and was killed or could not go on.',
    nextSteps: [
      'Compare the memory limit of the process with its use before it was killed; raise the limit or lower the load as a first aid.',
      'Take a heap profile, and look at what changed in memory use since the last release.',
    ],
  },
  {
    id: 'disk-full',
    kind: 'cause',
    weight: 86,
    pattern:
      /\bno space left on device\b|\bENOSPC\b|\bdisk (?:is )?full\b|\bfilesystem (?:is )?full\b|\bnot enough (?:disk )?space\b|\bdisk quota exceeded\b|\bDiskPressure\b|\blow on disk space\b|\bflood stage disk watermark\b/i,
    title: 'Disk full',
    means: 'A disk had no room left, so writes failed.',
    nextSteps: [
      'Free space on the volume (`df -h`, `du -xh --max-depth=1`), starting with old logs, dumps and write-ahead files.',
      'Restart what stopped because it could not write, then add an alert at 80 % use.',
    ],
  },
  {
    id: 'too-many-open-files',
    kind: 'cause',
    weight: 82,
    pattern:
      /\btoo many open files\b|\bEMFILE\b|\bENFILE\b|\bworker_connections are not enough\b|\bfile descriptor limit\b|\bout of file descriptors\b/i,
    title: 'Out of file descriptors',
    means: 'A process had used up the files and sockets it may hold open, so it could not accept or open more.',
    nextSteps: [
      'Look at what the process holds open (`ls /proc/<pid>/fd | wc -l`, `lsof -p <pid>`): many of one kind is a leak.',
      'Raise the limit (`LimitNOFILE`, `ulimit -n`, `worker_rlimit_nofile`) as a first aid.',
    ],
  },
  {
    id: 'pool-exhausted',
    kind: 'cause',
    weight: 56,
    pattern:
      /\bconnection is not available, request timed out\b|\bpool (?:is )?exhausted\b|\bQueuePool limit\b|\btoo many connections\b|\btoo many clients\b|\bremaining connection slots are reserved\b|\bThread ?pool (?:is )?(?:exhausted|full)\b|\bRejectedExecutionException\b|\bunable to acquire (?:a )?connection\b|\btimeout acquiring (?:a )?connection\b|\bno (?:idle|free|available) connections?\b/i,
    title: 'Connection pool exhausted',
    means: 'All connections or threads of a pool were in use, so new work had to wait and gave up.',
    nextSteps: [
      'Find who holds the connections: long transactions, slow queries, or code that does not give them back.',
      'Compare the size of the pool with what the other side allows before making it larger.',
    ],
  },
  {
    id: 'quota',
    kind: 'cause',
    weight: 72,
    pattern:
      /\brate limit(?:ed| exceeded| reached)?\b|\bquota (?:exceeded|exhausted|reached)\b|\bexceeded (?:your |the )?(?:current )?quota\b|\bexceeded quota\b|\btoo many requests\b|\bthrottl(?:ed|ing)(?:Exception)?\b|\bRESOURCE_EXHAUSTED\b|\bLimitExceeded\w*|\blimit exceeded\b/i,
    title: 'Quota or rate limit reached',
    means: 'Another service refused calls because a quota or rate limit was used up.',
    nextSteps: [
      'Look at who makes the calls, and whether retries multiply them; slow down with back-off and jitter.',
      'Ask for a higher quota, or spread the load over time.',
    ],
  },
  {
    id: 'unschedulable',
    kind: 'cause',
    weight: 68,
    pattern: /\bFailedScheduling\b|\bInsufficient (?:cpu|memory|ephemeral-storage|pods)\b|\bnodes are available:/i,
    title: 'No node has room for a pod',
    means: 'Kubernetes found no node that could take a pod, so it was not started.',
    nextSteps: [
      'Compare the requests of the pod with what the nodes have free (`kubectl describe nodes`).',
      'Add a node or lower the requests; look for taints and selectors that rule nodes out.',
    ],
  },
  {
    id: 'evicted',
    kind: 'effect',
    weight: 46,
    pattern: /\bEvicted\b|\bThe node was low on resource\b|\bNodeNotReady\b|\bnode status is now: NodeNotReady\b/i,
    title: 'Node under pressure',
    means: 'A node ran short of resources or stopped answering, and its pods had to go.',
    nextSteps: ['Look at the conditions of the node (`kubectl describe node`) and at what used its memory or disk.'],
  },
];
