import { type SymptomRule } from '../symptom-rule.js';

/** Things that start, stop, change and get well. */
export const LIFECYCLE_SYMPTOMS: readonly SymptomRule[] = [
  {
    id: 'rollback',
    kind: 'recovery',
    weight: 0,
    pattern:
      /\b(?:rolled|rolling|roll) ?back\b[\w ]{0,30}\b(?:to|release|deploy\w*|version|v?\d)|\brollback (?:to|of|complete\w*|finished|started)\b|\breverted (?:the |to )|\bhotfix\b/i,
    title: 'Rollback',
    means: 'A change was taken back.',
    nextSteps: [],
  },
  {
    id: 'recovered',
    kind: 'recovery',
    weight: 0,
    pattern:
      /\brecovered\b|\bback to normal\b|\bback online\b|\breconnected\b|\bconnection (?:re-?established|restored)\b|\bis (?:now )?healthy\b|\bincident (?:resolved|mitigated)\b|\bservice restored\b|\bresumed normal\b|\bcircuit ?breaker\b[\w' ]{0,60}\bclosed\b/i,
    title: 'Recovery',
    means: 'Something worked again.',
    nextSteps: [],
  },
  {
    id: 'configuration-change',
    kind: 'change',
    weight: 34,
    pattern:
      /\bconfig(?:uration)? (?:was |has been )?(?:changed|reloaded|updated|applied|pushed)\b|\b(?:re)?load(?:ed|ing) (?:the |new )?config(?:uration)?\b|\bfeature flag\b|\b(?:changed|updated|set) (?:the )?(?:setting|parameter|config\w*|limit|max_\w+)\b|\bapplied (?:new )?(?:config\w*|policy|manifest)\b|\bsecret (?:was )?rotated\b|\brotat(?:ed|ing) (?:the )?(?:secret|password|key|credentials)\b/i,
    title: 'Configuration change',
    means: 'A setting was changed.',
    nextSteps: ['Take the change back, at least in one place, and see whether the errors stop.'],
  },
  {
    id: 'deploy',
    kind: 'change',
    weight: 38,
    pattern:
      /\bdeploy(?:ed|ing)\b|\bdeploy(?:ment)? (?:of|started|finished|completed?|succeeded|to|v?\d)\b|\brelease[d]? v?\d|\bnew (?:version|release)\b|\broll(?:ed|ing) out\b|\brollout\b|\bScalingReplicaSet\b|\bScaled (?:up|down) replica set\b|\bupgrad(?:ed|ing) (?:to|from|\w+ to)\b|\bstarting (?:[\w-]{1,40} )?(?:application )?(?:version |v)\d|\brunning migrations?\b|\bapplying migration\b/i,
    title: 'Deployment',
    means: 'A new version went live.',
    nextSteps: ['Roll back to the version before, and see whether the errors stop; then compare the two versions.'],
  },
  {
    id: 'crash-loop',
    kind: 'effect',
    weight: 34,
    pattern:
      /\bCrashLoopBackOff\b|\bBack-off restarting failed container\b|\bstart request repeated too quickly\b|\bservice entered failed state\b|\bFailed with result\b|\bmain process exited, code=\w+\b|\bexited with code [1-9]\d{0,2}\b|\bnpm ERR! code ELIFECYCLE\b/i,
    title: 'A process keeps stopping',
    means: 'A process stopped with an error and was started again, perhaps many times.',
    nextSteps: ['Read the last lines before it stopped (`kubectl logs --previous`, `journalctl -u <unit>`).'],
  },
  {
    id: 'probe-failed',
    kind: 'effect',
    weight: 28,
    pattern:
      /\b(?:liveness|readiness|startup) probe (?:failed|errored)\b|\bhealth ?check (?:failed|failing|timed out)\b|\bUnhealthy\b|\bmarked (?:as )?(?:unhealthy|down)\b|\bprobe failed\b/i,
    title: 'Health check failed',
    means: 'A service did not answer its health check.',
    nextSteps: ['Look at what the service did at that moment; a failing check shows the trouble, it seldom is the trouble.'],
  },
  {
    id: 'slow',
    kind: 'effect',
    weight: 30,
    pattern:
      /\b(?:hangs?|hanging|unresponsive|not responding|stuck)\b|\b(?:very|too|extremely|unusually) slow\b|\bslow (?:quer(?:y|ies)|requests?|responses?|log)\b|\bhigh latency\b|\blatency (?:spike|above|exceed\w*|increase\w*)\b/i,
    title: 'Slow or hanging',
    means: 'Something answered late or not at all.',
    nextSteps: ['Look at what was busy at that time: processor, memory, disk, locks, or a service behind it.'],
  },
  {
    id: 'restart',
    kind: 'change',
    weight: 26,
    pattern:
      /\brestart(?:ed|ing)\b|\bSIGTERM\b|\bSIGKILL\b|\bshutting down\b|\bshutdown (?:initiated|requested)\b|\brequested shutdown\b|\breceived signal\b|\brebooting\b|\bsystem is going down\b|\bterminated by signal\b|\bKilling\b/i,
    title: 'Stop or restart',
    means: 'A process was stopped, perhaps to be started again.',
    nextSteps: ['Find out who or what asked for the restart, and whether the service was ready before it got traffic again.'],
  },
];
